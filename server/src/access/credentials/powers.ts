import { effectiveFlags, type Flags, flagNames, flagsOf } from '../../lib/flags.ts';
import type { Principal } from '../principal.ts';

/**
 * The columns of a credential's user, server and role that make up its principal, and those of the server's
 * owner, joined as `owner`.
 */
export const powers = [
  'user.id as userId',
  'user.type as userType',
  'user.platformAdmin',
  'user.suspendedAt',
  'serverMember.timeoutUntil',
  'server.id as serverId',
  'server.creatorId',
  'owner.platformAdmin as isOfAdmin',
  'role.id as roleId',
  ...flagNames.map((flag) => `role.${flag}` as const),
] as const;

/** A row with the columns in `powers`. */
export type PowersRow = Flags &
  Pick<Principal, 'userId' | 'userType' | 'platformAdmin' | 'timeoutUntil'> & {
    serverId: string;
    creatorId: string;
    /** Whether the server's owner is a platform admin. */
    isOfAdmin: boolean;
    roleId: string;
  };

/** Returns the tenant of a credential in a server (see `Caller.tenant`). */
export const tenantIn = ({
  serverId,
  creatorId,
  isOfAdmin,
}: Pick<PowersRow, 'serverId' | 'creatorId' | 'isOfAdmin'>): string => (isOfAdmin ? serverId : creatorId);

/**
 * Returns the time-out of a row's user; an empty object if there is none, so that most principals lack the
 * field.
 */
export const timedOut = ({
  timeoutUntil,
}: Pick<Principal, 'timeoutUntil'>): Pick<Principal, 'timeoutUntil'> =>
  timeoutUntil ? { timeoutUntil } : {};

/** Returns the principal of a credential with one role in one server. */
export function principalOf(row: PowersRow): Principal {
  const ownFlags = flagsOf(row);
  return {
    userId: row.userId,
    userType: row.userType,
    platformAdmin: row.platformAdmin,
    ...timedOut(row),
    serverId: row.serverId,
    isServerCreator: row.creatorId === row.userId,
    roleIds: [row.roleId],
    ownFlags,
    flags: effectiveFlags(ownFlags),
  };
}
