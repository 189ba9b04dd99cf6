import type { Records } from '../../../api/index.ts';
import { platformUsersPage } from '../../settings/index.ts';

export type PlatformUser = Records['PlatformUser'];

/** The filter of the user list. */
export type Among = 'all' | 'admins' | 'suspended';

/** A page of users, newest first. With `text`, the users whose username or name starts with it. */
export const usersPage = (text: string, among: Among, cursor: string | undefined) =>
  platformUsersPage(
    {
      ...(among === 'admins' && { platformAdmin: true }),
      ...(among === 'suspended' && { suspended: true }),
    },
    text,
    cursor,
  );
