import type { Expression, SqlBool } from 'kysely';
import { sql } from 'kysely';
import type { Flag } from '../lib/flags.ts';
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
    holds: (principal, thing) => seesPlace(principal, thing),
  },
  data: {
    words: 'members with canViewData',
    holds: (principal, { serverId }) => serverId === principal.serverId && principal.flags.has('canViewData'),
  },
  apps: {
    words: 'members with canEditApp, who see its channel if it has one',
    holds: (principal, thing) => seesPlace(principal, thing) && principal.flags.has('canEditApp'),
  },
  secrets: {
    words: 'members with canEditApp, and the creator of the server',
    holds: (principal, { serverId }) =>
      serverId === principal.serverId && (principal.flags.has('canEditApp') || principal.isServerCreator),
  },
  owner: {
    words: 'the user whose it is, who sees its channel',
    holds: (principal, thing) => thing.ownerId === principal.userId && seesPlace(principal, thing),
  },
} satisfies Record<string, { words: string; holds(principal: Viewer, thing: Readable): boolean }>;

export type Visibility = keyof typeof visibility;

/** What decides of a principal, or of a webhook's role, what it may see. */
export type Viewer = Pick<Principal, 'serverId' | 'flags' | 'isServerCreator' | 'roleIds'> & {
  /** Null for what is no user. */
  userId: string | null;
};

function seesPlace(viewer: Viewer, { serverId, channel }: Readable): boolean {
  return channel ? canSeeChannel(viewer, serverId, channel) : serverId === viewer.serverId;
}

/** True if the channel is public within the principal's server, or one of its roles is let in. */
export function canSeeChannel(principal: Viewer, serverId: string, channel: ChannelView): boolean {
  if (serverId !== principal.serverId) return false;
  return seesChannel(principal, channel);
}

/** The same within the server, for users who are not asking just now: whom to notify. */
export function seesChannel(
  viewer: Pick<Viewer, 'flags' | 'isServerCreator' | 'roleIds'>,
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

/** The flags that let one read. */
const flagsFor: Partial<Record<Visibility, Flag[]>> = { data: ['canViewData'], apps: ['canEditApp'] };

/** Throws FORBIDDEN unless the principal may read `thing`. */
export function requireVisible(principal: Principal, who: Visibility, thing: Readable): void {
  if (visibility[who].holds(principal, thing)) return;
  throw forbidden(
    principal,
    `read: ${visibility[who].words}`,
    thing.serverId === principal.serverId ? (flagsFor[who] ?? []) : [],
    'this cannot be seen with this key',
  );
}
