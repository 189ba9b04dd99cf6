import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import { type ChannelView, forbidden } from './predicates.ts';
import type { Principal } from './principal.ts';

/**
 * What a principal may read (decisions, part 4), decided here for reads, lists, search, notifications and events.
 * A key reads its own server; of others, public servers' own records and invites.
 */
export interface Readable {
  serverId: string;
  channel?: ChannelView | undefined;
  /** True for what anyone with a key may read, wherever it is. */
  open?: boolean | undefined;
  /** Whose it is, where that decides. */
  ownerId?: string | undefined;
}

export const visibility = {
  anyone: { words: 'anyone with a key', holds: () => true },
  member: {
    words: 'members of its server; anyone, where the server or app is public',
    holds: (principal, { serverId, open }) => open === true || serverId === principal.serverId,
  },
  channel: {
    words: 'members who see its channel',
    holds: (principal, { serverId, channel }) =>
      channel ? canSeeChannel(principal, serverId, channel) : serverId === principal.serverId,
  },
  data: {
    words: 'members with canViewData',
    holds: (principal, { serverId }) => serverId === principal.serverId && principal.flags.has('canViewData'),
  },
} satisfies Record<string, { words: string; holds(principal: Principal, thing: Readable): boolean }>;

export type Visibility = keyof typeof visibility;

/** True if the channel is public within the principal's server, or one of its roles is let in. */
export function canSeeChannel(principal: Principal, serverId: string, channel: ChannelView): boolean {
  if (serverId !== principal.serverId) return false;
  return seesChannel(principal, channel);
}

/** The same within the server, for users who are not asking just now: whom to notify. */
export function seesChannel(
  viewer: Pick<Principal, 'flags' | 'isServerCreator' | 'roleIds'>,
  channel: ChannelView,
): boolean {
  return (
    !channel.private ||
    viewer.isServerCreator ||
    viewer.flags.has('canAdmin') ||
    viewer.roleIds.some((roleId) => channel.roleIds.includes(roleId))
  );
}

/** `canSeeChannel` as a condition on rows of `channel` in the principal's server, for lists. */
export function whereChannelVisible(principal: Principal): Expression<SqlBool> {
  if (principal.isServerCreator || principal.flags.has('canAdmin')) return sql`1 = 1`;
  const held = principal.roleIds.map(
    (roleId) => sql`cast(channel."roleIds" as text) like ${`%"${roleId}"%`}`,
  );
  return sql`(${sql.join([sql`channel.private = ${false}`, ...held], sql` or `)})`;
}

/** Throws FORBIDDEN unless the principal may read `thing`. */
export function requireVisible(principal: Principal, who: Visibility, thing: Readable): void {
  if (visibility[who].holds(principal, thing)) return;
  throw forbidden(
    principal,
    `read: ${visibility[who].words}`,
    who === 'data' && thing.serverId === principal.serverId ? ['canViewData'] : [],
    'this cannot be seen with this key',
  );
}
