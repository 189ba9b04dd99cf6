import { useRows } from '../../replica/hooks.ts';
import type { Session } from '../../replica/index.ts';

/** True if the user blocks this user. */
export const useIsBlocked = (userId: string): boolean => useRows('block', 'blockedId', userId).length > 0;

/** Like `useIsBlocked`, but for use outside components. */
export const isBlocked = ({ replica }: Session, userId: string): boolean =>
  replica.ids('block', 'blockedId', userId).length > 0;
