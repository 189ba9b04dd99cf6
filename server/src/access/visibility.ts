import type { Flag } from '../lib/flags.ts';
import { type ChannelView, forbidden, isInPerson } from './predicates.ts';
import type { Principal, Standing } from './principal.ts';

/** The facts about a record that visibility depends on. */
export interface Readable {
  /** Null for a user's record, which belongs to no server. */
  serverId: string | null;
  channel?: ChannelView | undefined;
  /** True for a record that anyone with a key may read, from any server. */
  open?: boolean | undefined;
  /** The record's owner, if nobody else may read the record. */
  ownerId?: string | null | undefined;
}

/**
 * Read permissions (decisions, part 4) for reads, lists, search, notifications and events. A key can read its
 * own server. Outside of it, a key can read public servers, submitted apps and any invite.
 */
export const visibility = {
  anyone: { words: 'anyone with a key', holds: () => true },
  // A grant is not enough, because it covers only one server.
  abroad: {
    words: 'anyone with a key',
    holds: (viewer, thing) => !viewer.isGranted || isWithin(viewer, thing),
  },
  member: {
    words: 'members of the server',
    holds: (viewer, thing) => isOpenOrWithin(viewer, thing),
  },
  public: {
    words: 'members of the server; anyone if the server or app is public',
    holds: (viewer, thing) => isOpenOrWithin(viewer, thing),
  },
  channel: {
    words: 'members who can see the channel',
    holds: (viewer, thing) => seesPlace(viewer, thing),
  },
  attachment: {
    words:
      "members who can see the channel of the file's message; before the file is sent, only its uploader",
    holds: (viewer, thing) => seesPlace(viewer, thing) && (thing.ownerId == null || isOwner(viewer, thing)),
  },
  data: {
    words: 'members with canViewData',
    holds: (viewer, thing) => isWithin(viewer, thing) && viewer.flags.has('canViewData'),
  },
  apps: {
    words: 'members with canEditApp who can see the channel, if there is one',
    holds: (viewer, thing) => seesPlace(viewer, thing) && viewer.flags.has('canEditApp'),
  },
  bans: {
    words: 'members with canModerate',
    holds: (viewer, thing) => isWithin(viewer, thing) && viewer.flags.has('canModerate'),
  },
  reports: {
    words: 'members with canModerate who can see the channel, if there is one',
    holds: (viewer, thing) => seesPlace(viewer, thing) && viewer.flags.has('canModerate'),
  },
  administrators: {
    words: 'server admins',
    holds: (viewer, thing) => isWithin(viewer, thing) && viewer.flags.has('canAdmin'),
  },
  secrets: {
    words: 'members with canEditApp, and the server creator',
    holds: (viewer, thing) =>
      isWithin(viewer, thing) && (viewer.flags.has('canEditApp') || viewer.isServerCreator),
  },
  owner: {
    words: 'the user of the record, if they can see its channel',
    holds: (viewer, thing) => isOwner(viewer, thing) && seesPlace(viewer, thing),
  },
  platform: {
    words: 'signed-in platform admins',
    holds: (viewer) => viewer.platformAdmin === true && viewer.isSignedIn === true,
  },
  imports: {
    words: 'platform admins, also with an API key',
    holds: (viewer) => viewer.platformAdmin === true,
  },
  self: {
    words: 'the user themselves, in any server',
    holds: (viewer, thing) => isOwner(viewer, thing),
  },
  person: {
    words: 'the user themselves, signed in',
    holds: (viewer, thing) => isOwner(viewer, thing) && viewer.isSignedIn === true,
  },
} satisfies Record<string, { words: string; holds(viewer: Viewer, thing: Readable): boolean }>;

export type Visibility = keyof typeof visibility;

/** A reader: a principal, or an outgoing webhook with its role. */
export type Viewer = Omit<Standing, 'ownFlags'> & {
  /** Null for a webhook. */
  userId: string | null;
  /** Omitted for a webhook. */
  userType?: 'person' | 'agent';
  /** Omitted for a webhook. */
  platformAdmin?: boolean;
  /** True for a signed-in person. Omitted for a key, which someone other than its user may hold. */
  isSignedIn?: true;
  /** True for an app to which a person granted flags in one server. */
  isGranted?: true;
};

const isWithin = (viewer: Viewer, { serverId }: Readable): boolean =>
  serverId !== null && serverId === viewer.serverId;

/**
 * Whether a record is open to everyone, or in the viewer's server. A grant gives no access to other servers,
 * not even to public ones.
 */
const isOpenOrWithin = (viewer: Viewer, thing: Readable): boolean =>
  (thing.open === true && (!viewer.isGranted || thing.serverId === null)) || isWithin(viewer, thing);

const isOwner = (viewer: Viewer, { ownerId }: Readable): boolean =>
  ownerId != null && ownerId === viewer.userId;

const seesPlace = (viewer: Viewer, thing: Readable): boolean =>
  isWithin(viewer, thing) && (!thing.channel || seesChannel(viewer, thing.channel));

/** Whether the viewer is in the server and `seesChannel` holds. */
export const canSeeChannel = (viewer: Viewer, serverId: string, channel: ChannelView): boolean =>
  seesPlace(viewer, { serverId, channel });

/**
 * Whether the channel is public, or the viewer is an admin, is the server's creator, or has one of the
 * channel's roles. A direct message can be seen only by its members, and not with a person's key (decisions,
 * part 8). The viewer must be in the channel's server.
 */
export function seesChannel(
  viewer: Pick<Viewer, 'userId' | 'userType' | 'isSignedIn' | 'flags' | 'isServerCreator' | 'roleIds'>,
  channel: ChannelView,
): boolean {
  const { userId } = viewer;
  // Events from before direct messages existed have no `memberIds`.
  if (channel.memberIds) return userId !== null && isInPerson(viewer) && channel.memberIds.includes(userId);
  return (
    !channel.private ||
    viewer.isServerCreator ||
    viewer.flags.has('canAdmin') ||
    viewer.roleIds.some((roleId) => channel.roleIds.includes(roleId))
  );
}

/**
 * Returns a cache key for the channels of a server that a viewer can see, apart from direct messages. Viewers
 * with the same key see the same channels. `listed` contains the roles in the `roleIds` of the server's
 * private channels.
 */
export function sightKey(
  { flags, isServerCreator, roleIds }: Pick<Viewer, 'flags' | 'isServerCreator' | 'roleIds'>,
  listed: ReadonlySet<string>,
): string {
  if (isServerCreator || flags.has('canAdmin')) return '*';
  return roleIds
    .filter((roleId) => listed.has(roleId))
    .sort()
    .join();
}

/** The flags that would allow the read, for errors. */
const flagsFor: Partial<Record<Visibility, Flag[]>> = {
  data: ['canViewData'],
  apps: ['canEditApp'],
  bans: ['canModerate'],
  reports: ['canModerate'],
  administrators: ['canAdmin'],
  secrets: ['canEditApp'],
};

/** Throws FORBIDDEN unless the principal may read `thing`. */
export function requireVisible(principal: Principal, who: Visibility, thing: Readable): void {
  if (visibility[who].holds(principal, thing)) return;
  throw forbidden(
    principal,
    `read: ${visibility[who].words}`,
    thing.serverId === principal.serverId ? (flagsFor[who] ?? []) : [],
    'this key cannot see this',
  );
}
