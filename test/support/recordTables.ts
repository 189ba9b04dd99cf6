import assert from 'node:assert/strict';
import type { Json } from './world.ts';

/** What a field holds; a question mark says that it may be null. */
type Kind =
  | 'id'
  | 'ids'
  | 'text'
  | 'number'
  | 'count'
  | 'time'
  | 'flag'
  | 'json'
  | 'list'
  | 'object'
  | 'id?'
  | 'text?'
  | 'number?'
  | 'count?'
  | 'time?'
  | 'flag?'
  | 'object?'
  | 'list?';

type Fields = Record<string, Kind>;

/** The fields that every record has. */
const common: Fields = { id: 'id', createdAt: 'time', updatedAt: 'time' };

const message: Fields = {
  serverId: 'id',
  type: 'text',
  channelId: 'id',
  isThreadReply: 'flag',
  creatorId: 'id',
  content: 'text',
  deleted: 'flag',
};
const shownMessage: Fields = {
  ...message,
  editedAt: 'time?',
  threadId: 'id?',
  replyToId: 'id?',
  pinned: 'flag',
  reactions: 'list',
};
const thread: Fields = {
  serverId: 'id',
  channelId: 'id',
  messageId: 'id?',
  name: 'text?',
  creatorId: 'id',
  locked: 'flag',
  replyCount: 'count',
  lastReplyAt: 'time?',
};
const serverMember: Fields = { serverId: 'id', userId: 'id', nickname: 'text?' };
const webhook: Fields = {
  serverId: 'id',
  direction: 'text',
  name: 'text',
  url: 'text?',
  types: 'list?',
  channelId: 'id?',
  enabled: 'flag',
  disabledReason: 'text?',
  roleId: 'id',
  userId: 'id?',
  creatorId: 'id',
};
const invite: Fields = {
  serverId: 'id',
  creatorId: 'id',
  maxUses: 'count?',
  uses: 'count',
  expiresAt: 'time?',
};
const appInstall: Fields = { serverId: 'id', appId: 'id', creatorId: 'id', config: 'object?' };
const secret: Fields = {
  serverId: 'id',
  kind: 'text',
  name: 'text',
  roleId: 'id?',
  userId: 'id?',
  appId: 'id?',
  preview: 'text',
  expiresAt: 'time?',
  lastUsedAt: 'time?',
};

/** Every record of the decisions, part 2, beside `id`, `createdAt` and `updatedAt`. */
const tables = {
  user: { username: 'text', name: 'text', image: 'text?', type: 'text', platformAdmin: 'flag' },
  server: {
    name: 'text',
    welcome: 'text?',
    description: 'text?',
    icon: 'text?',
    banner: 'text?',
    domain: 'text?',
    private: 'flag',
    tint: 'count?',
    creatorId: 'id',
    memberCount: 'count',
  },
  channel: {
    serverId: 'id',
    name: 'text',
    description: 'text?',
    private: 'flag',
    readonly: 'flag',
    position: 'count',
    creatorId: 'id',
    roleIds: 'ids',
  },
  message,
  shownMessage,
  pinnedMessage: { ...shownMessage, pin: 'object' },
  thread,
  threadWithMessages: { ...thread, messages: 'list', nextCursor: 'text?' },
  pin: { serverId: 'id', channelId: 'id', messageId: 'id', creatorId: 'id' },
  role: {
    serverId: 'id',
    name: 'text',
    color: 'text?',
    isDefault: 'flag',
    canAdmin: 'flag',
    canEditChannel: 'flag',
    canEditServer: 'flag',
    canEditData: 'flag',
    canModerate: 'flag',
    canEditApp: 'flag',
    canViewData: 'flag',
  },
  userRole: { serverId: 'id', userId: 'id', roleId: 'id' },
  serverMember,
  shownMember: { ...serverMember, user: 'object', roleIds: 'ids' },
  invite,
  shownInvite: { ...invite, server: 'object' },
  writtenApp: {},
  app: {
    serverId: 'id',
    threadId: 'id?',
    type: 'text?',
    meta: 'json',
    installCount: 'number?',
    description: 'text?',
    name: 'text?',
    version: 'text?',
    image: 'text?',
    category: 'text?',
    publisherName: 'text?',
    npmPackage: 'text?',
    verified: 'flag?',
  },
  appInstall,
  shownInstall: { ...appInstall, app: 'object' },
  secret,
  newKey: { ...secret, key: 'text' },
  indicator: {
    type: 'text',
    userId: 'id',
    serverId: 'id',
    channelId: 'id?',
    threadId: 'id?',
    lastActiveAt: 'time',
  },
  flow: {
    serverId: 'id',
    name: 'text',
    description: 'text?',
    enabled: 'flag',
    trigger: 'json',
    steps: 'list',
    creatorId: 'id',
  },
  notification: {
    userId: 'id',
    serverId: 'id',
    type: 'text',
    actorId: 'id',
    channelId: 'id',
    messageId: 'id',
    readAt: 'time?',
  },
  webhook,
  newWebhook: { ...webhook, secret: 'text' },
  webhookDelivery: {
    webhookId: 'id',
    eventId: 'text',
    type: 'text',
    attempt: 'count',
    status: 'count?',
    error: 'text?',
    ms: 'count',
    nextAt: 'time?',
  },
  reaction: { serverId: 'id', channelId: 'id', messageId: 'id', userId: 'id', emoji: 'text' },
} satisfies Record<string, Fields>;

export type RecordName = keyof typeof tables;

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const isId = (value: unknown): boolean => typeof value === 'string' && UUID_V7.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

const checks: Record<string, (value: unknown) => boolean> = {
  id: isId,
  ids: (value) => Array.isArray(value) && value.every(isId),
  text: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  count: isCount,
  // Milliseconds have 13 digits from the year 2001 to the year 2286.
  time: (value) => isCount(value) && String(value).length === 13,
  flag: (value) => typeof value === 'boolean',
  json: (value) => value !== undefined,
  list: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Holds a record against its table: exactly these fields, each of its type. */
export function assertRecord(record: Json, name: RecordName): void {
  const fields: Fields = { ...common, ...tables[name] };
  assert.deepEqual(Object.keys(record).sort(), Object.keys(fields).sort(), name);
  for (const [field, kind] of Object.entries(fields)) {
    const value = record[field];
    if (value === null && kind.endsWith('?')) continue;
    const holds = checks[kind.replace('?', '')] as (value: unknown) => boolean;
    assert.ok(holds(value), `${name}.${field} is no ${kind}: ${JSON.stringify(value)}`);
  }
}
