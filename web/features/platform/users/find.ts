import { api, type Records } from '../../../api/index.ts';

export type PlatformUser = Records['PlatformUser'];

/** The filter of the user list. */
export type Among = 'all' | 'admins' | 'suspended';

type Found = PlatformUser[] & { nextCursor: string | null };

/** The page size, and the maximum number of matches of each kind in a search. */
const MOST = 50;

/** A page of users, newest first. With `text`, only users whose username or name starts with it. */
export async function usersPage(text: string, among: Among, cursor: string | undefined): Promise<Found> {
  const filter = {
    ...(among === 'admins' && { platformAdmin: true }),
    ...(among === 'suspended' && { suspended: true }),
  };
  if (text === '') return api('none').platformUsers({ ...filter, limit: MOST, ...(cursor && { cursor }) });
  const username = text.replace(/^@/, '').toLowerCase();
  const [byUsername, byName] = await Promise.all([
    api('none').platformUsers({ ...filter, username, limit: MOST }),
    text.startsWith('@') ? [] : api('none').platformUsers({ ...filter, name: text, limit: MOST }),
  ]);
  const found = new Map([...byUsername, ...byName].map((user) => [user.id, user]));
  return Object.assign([...found.values()], { nextCursor: null });
}
