import type { Choice } from './choice.ts';
import { type Records, recordsOf } from './mirror.ts';
import type { Client, Json } from './world.ts';

/** What a random write is made of. */
export interface Place {
  server: Json;
  /** What there is, as far as anybody has followed it. */
  records: Records;
  /** Those who may do everything; nobody removes them. */
  watchers: readonly Client[];
  /** Somebody who may do little. */
  guest: Client;
  /** Users who come and go. */
  users: readonly Json[];
  /** The other server. */
  other: () => Place;
  unique(stem: string): string;
  /** The id of the last event that was followed. */
  latest: string;
}

/** Nobody is there. */
const url = 'https://receiver.invalid/palaver';

interface Write {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  as?: Client;
}

/** A write, or undefined where there is nothing yet that it could be about. */
type Make = (place: Place, choice: Choice) => Write | undefined;

/** One of a resource's records that something holds for. */
function one(
  { records }: Place,
  choice: Choice,
  resource: string,
  holds: (row: Json) => boolean = () => true,
) {
  const rows = [...recordsOf(records, resource).values()].filter(holds);
  return choice.of(rows.sort((a, b) => (a.id < b.id ? -1 : 1)));
}

const idOf = (record: Json | undefined): string => record?.id ?? 'nothing';

const insert =
  (path: string, body: (place: Place, choice: Choice) => object | undefined): Make =>
  (place, choice) => {
    const given = body(place, choice);
    return given && { method: 'POST', path, body: given };
  };

const change =
  (
    method: 'PATCH' | 'DELETE',
    path: string,
    resource: string,
    body?: (place: Place, choice: Choice) => object,
    holds: (place: Place) => (row: Json) => boolean = () => () => true,
  ): Make =>
  (place, choice) => {
    const found = one(place, choice, resource, holds(place));
    return found && { method, path: `${path}/${found.id}`, ...(body && { body: body(place, choice) }) };
  };

/** A text that may mention a member. */
function words(place: Place, choice: Choice): string {
  const member = one(place, choice, 'serverMember');
  return choice.flag() ? `Hello @${member?.user.username}` : place.unique('words');
}

const own = ({ watchers, guest }: Place) => new Set([...watchers, guest].map(({ secret }) => secret.id));
const watching = ({ watchers, guest }: Place) =>
  new Set([...watchers, guest].map(({ secret }) => secret.userId));
const plainRole = ({ watchers }: Place) => {
  const roles = new Set(watchers.map(({ secret }) => secret.roleId));
  return ({ id, isDefault }: Json) => !isDefault && !roles.has(id);
};

const isSubmitted = ({ verified }: Json): boolean => verified !== null;

/** Every endpoint that writes, by its operation, and how often it is tried. */
export const randomWrites: Record<string, { weight: number; make: Make }> = {
  appInsert: { weight: 2, make: insert('/apps', ({ unique }) => ({ name: unique('app') })) },
  appUpdate: { weight: 3, make: change('PATCH', '/apps', 'app', ({ unique }) => ({ version: unique('v') })) },
  appDelete: { weight: 1, make: change('DELETE', '/apps', 'app') },
  appSubmit: {
    weight: 2,
    make: insert('/apps/submit', (place, choice) => ({ id: idOf(one(place, choice, 'app')) })),
  },
  appInstallFromRegistry: {
    weight: 3,
    make: insert('/apps/install-from-registry', (place, choice) => ({
      id: idOf(one(choice.flag() ? place : place.other(), choice, 'app', isSubmitted)),
    })),
  },
  appInstallInsert: {
    weight: 3,
    make: insert('/app-installs', (place, choice) => ({
      appId: idOf(choice.flag() ? one(place, choice, 'app') : one(place.other(), choice, 'app', isSubmitted)),
      config: { number: choice.number(100) },
    })),
  },
  appInstallDelete: { weight: 2, make: change('DELETE', '/app-installs', 'appInstall') },
  channelInsert: {
    weight: 3,
    make: insert('/channels', (place, choice) => ({
      name: place.unique('channel'),
      private: choice.flag(),
      roleIds: [one(place, choice, 'role')?.id],
    })),
  },
  channelUpdate: {
    weight: 2,
    make: change('PATCH', '/channels', 'channel', (place, choice) => ({
      description: place.unique('about'),
      private: choice.flag(),
    })),
  },
  channelDelete: { weight: 1, make: change('DELETE', '/channels', 'channel') },
  indicatorInsert: { weight: 1, make: insert('/indicators', () => ({ type: 'typing' })) },
  inviteInsert: {
    weight: 2,
    make: insert('/invites', (_place, choice) => ({ maxUses: 1 + choice.number(3) })),
  },
  inviteDelete: { weight: 1, make: change('DELETE', '/invites', 'invite') },
  messageSend: {
    weight: 12,
    make: insert('/messages', (place, choice) => ({
      channelId: idOf(one(place, choice, 'channel')),
      content: words(place, choice),
    })),
  },
  'messageSend, a reply': {
    weight: 12,
    make: insert('/messages', (place, choice) => ({
      threadId: idOf(one(place, choice, 'thread')),
      content: words(place, choice),
    })),
  },
  'messageSend, an answer': {
    weight: 4,
    make: insert('/messages', (place, choice) => {
      const message = one(place, choice, 'message');
      return message && { channelId: message.channelId, replyToId: message.id, content: 'Yes' };
    }),
  },
  messageSave: {
    weight: 4,
    make: change('PATCH', '/messages', 'message', (p, c) => ({ content: words(p, c) })),
  },
  messageDelete: { weight: 5, make: change('DELETE', '/messages', 'message') },
  pinInsert: {
    weight: 5,
    make: insert('/pins', (place, choice) => ({ messageId: idOf(one(place, choice, 'message')) })),
  },
  pinDelete: { weight: 2, make: change('DELETE', '/pins', 'pin') },
  reactionInsert: {
    weight: 8,
    make: insert('/reactions', (place, choice) => ({
      messageId: idOf(one(place, choice, 'message')),
      emoji: choice.of(['👍', '🎉', '👀']),
    })),
  },
  reactionDelete: { weight: 2, make: change('DELETE', '/reactions', 'reaction') },
  roleInsert: {
    weight: 2,
    make: insert('/roles', ({ unique }, choice) => ({ name: unique('role'), canEditData: choice.flag() })),
  },
  roleUpdate: {
    weight: 2,
    make: change('PATCH', '/roles', 'role', ({ unique }) => ({ name: unique('role') }), plainRole),
  },
  roleDelete: { weight: 1, make: change('DELETE', '/roles', 'role', undefined, plainRole) },
  secretInsert: {
    weight: 3,
    make: insert('/secrets', (place, choice) => ({
      kind: 'apiKey',
      name: 'Bot',
      roleId: idOf(one(place, choice, 'role', plainRole(place))),
    })),
  },
  'secretInsert, of an app': {
    weight: 2,
    make: insert('/secrets', (place, choice) => ({
      kind: 'appSecret',
      name: 'Token',
      appId: idOf(one(place, choice, 'appInstall')?.app),
      value: 'what nobody may know',
    })),
  },
  secretDelete: {
    weight: 3,
    make: change(
      'DELETE',
      '/secrets',
      'secret',
      undefined,
      (place) =>
        ({ id }) =>
          !own(place).has(id),
    ),
  },
  serverUpdate: {
    weight: 2,
    make: ({ server, unique }) => ({
      method: 'PATCH',
      path: `/servers/${server.id}`,
      body: { welcome: unique('welcome') },
    }),
  },
  serverMemberInsert: {
    weight: 4,
    make: insert('/server-members', ({ users }, choice) => ({ userId: choice.of(users).id })),
  },
  'serverMemberInsert, with an invite': {
    weight: 2,
    make: (place, choice) => ({
      method: 'POST',
      path: '/server-members',
      body: { inviteId: idOf(one(place, choice, 'invite')) },
      as: choice.of(place.other().watchers),
    }),
  },
  serverMemberUpdate: {
    weight: 2,
    make: change('PATCH', '/server-members', 'serverMember', ({ unique }) => ({ nickname: unique('nick') })),
  },
  serverMemberDelete: {
    weight: 2,
    make: change(
      'DELETE',
      '/server-members',
      'serverMember',
      undefined,
      (place) =>
        ({ userId }) =>
          !watching(place).has(userId),
    ),
  },
  threadInsert: {
    weight: 6,
    make: insert('/threads', (place, choice) => ({ messageId: idOf(one(place, choice, 'message')) })),
  },
  'threadInsert, in a channel': {
    weight: 2,
    make: insert('/threads', (place, choice) => ({ channelId: idOf(one(place, choice, 'channel')) })),
  },
  threadUpdate: {
    weight: 2,
    make: change('PATCH', '/threads', 'thread', ({ unique }, choice) => ({
      name: unique('thread'),
      locked: choice.flag(),
    })),
  },
  threadDelete: { weight: 2, make: change('DELETE', '/threads', 'thread') },
  userRoleInsert: {
    weight: 4,
    make: insert('/user-roles', (place, choice) => ({
      userId: one(place, choice, 'serverMember')?.userId,
      roleId: idOf(one(place, choice, 'role', plainRole(place))),
    })),
  },
  webhookInsert: { weight: 2, make: insert('/webhooks', () => ({ url })) },
  'webhookInsert, of a channel': {
    weight: 2,
    make: insert('/webhooks', (place, choice) => ({
      ...(choice.flag() ? { direction: 'in' } : { url }),
      channelId: idOf(one(place, choice, 'channel')),
    })),
  },
  webhookUpdate: {
    weight: 1,
    make: change('PATCH', '/webhooks', 'webhook', ({ unique }) => ({ name: unique('hook') })),
  },
  webhookDelete: { weight: 1, make: change('DELETE', '/webhooks', 'webhook') },
  webhookReplay: {
    weight: 1,
    make(place, choice) {
      const found = one(place, choice, 'webhook', ({ direction }) => direction === 'out');
      return found && { method: 'POST', path: `/webhooks/${found.id}/replay`, body: { after: place.latest } };
    },
  },
  userRoleDelete: { weight: 2, make: change('DELETE', '/user-roles', 'userRole') },
};
