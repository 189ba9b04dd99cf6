import type { Ready } from './operations.ts';
import type { Scene } from './scene.ts';

/** What a field of a body takes (decisions, parts 2 and 3). */
export type FieldKind =
  | 'name'
  | 'content'
  | 'longText'
  | 'text'
  | 'label'
  | 'emoji'
  | 'url'
  | 'flag'
  | 'tint'
  | 'whole'
  | 'uses'
  | 'number'
  | 'time'
  | 'reference'
  | 'references'
  | 'strings'
  | 'kind'
  | 'types'
  | 'receiver'
  | 'cursor'
  | 'object'
  | 'anything';

/** An exclamation mark says required; a question mark, that null clears it. */
type Declared = FieldKind | `${FieldKind}!` | `${FieldKind}?`;

export interface BodyTable {
  /** Tells tables of one operation apart, and names it. */
  name: string;
  method: 'POST' | 'PATCH';
  path: string;
  /** A request that succeeds without any further field. */
  ready(scene: Scene): Promise<Ready>;
  fields: Record<string, Declared>;
}

const post = (
  name: string,
  path: string,
  ready: (scene: Scene) => Promise<Ready['body']> | Ready['body'],
  fields: BodyTable['fields'],
): BodyTable => ({
  name,
  method: 'POST',
  path,
  ready: async (scene) => ({ body: await ready(scene) }),
  fields,
});

const patch = (
  name: string,
  path: string,
  make: (scene: Scene) => Promise<{ id: string }> | { id: string },
  fields: BodyTable['fields'],
  body: Ready['body'] = {},
): BodyTable => ({
  name,
  method: 'PATCH',
  path: `${path}/:id`,
  ready: async (scene) => ({ id: (await make(scene)).id, body }),
  fields,
});

const flags = {
  canAdmin: 'flag',
  canEditChannel: 'flag',
  canEditServer: 'flag',
  canEditData: 'flag',
  canModerate: 'flag',
  canEditApp: 'flag',
  canViewData: 'flag',
} as const;

const app = {
  threadId: 'reference?',
  installCount: 'number?',
  description: 'longText?',
  name: 'name?',
  version: 'text?',
  image: 'url?',
  category: 'text?',
  publisherName: 'text?',
  npmPackage: 'text?',
  verified: 'flag?',
} as const;

const channel = {
  description: 'longText?',
  private: 'flag',
  readonly: 'flag',
  position: 'whole',
  roleIds: 'references',
} as const;

/** Every write that takes a body, with every field of it: the specification, part 2 and 4; the decisions, part 3. */
export const bodyTables: readonly BodyTable[] = [
  post('appInsert', '/apps', () => ({}), { ...app, serverId: 'reference', meta: 'strings' }),
  patch('appUpdate', '/apps', (scene) => scene.app(), {
    ...app,
    serverId: 'reference',
    type: 'text?',
    meta: 'anything?',
  }),
  post(
    'appInstallFromRegistry',
    '/apps/install-from-registry',
    async (scene) => ({ id: (await scene.submitted()).id }),
    { id: 'reference!' },
  ),
  post('appSubmit', '/apps/submit', async (scene) => ({ id: (await scene.app()).id }), { id: 'reference!' }),
  post('appInstallInsert', '/app-installs', async (scene) => ({ appId: (await scene.app()).id }), {
    appId: 'reference!',
    serverId: 'reference',
    config: 'object?',
  }),
  post('channelInsert', '/channels', ({ world }) => ({ name: world.unique('channel') }), {
    ...channel,
    name: 'name!',
    serverId: 'reference',
  }),
  patch('channelUpdate', '/channels', (scene) => scene.channel(), { ...channel, name: 'name' }),
  post('indicatorInsert', '/indicators', () => ({ type: 'typing' }), {
    type: 'label!',
    serverId: 'reference',
    channelId: 'reference',
    threadId: 'reference',
    lastActiveAt: 'time',
  }),
  patch('indicatorUpdate', '/indicators', (scene) => scene.indicator(), { lastActiveAt: 'time' }),
  post('inviteInsert', '/invites', () => ({}), { serverId: 'reference', maxUses: 'uses', expiresAt: 'time' }),
  post(
    'messageSend',
    '/messages',
    async (scene) => ({ channelId: (await scene.channel()).id, content: 'Hello' }),
    {
      channelId: 'reference!',
      content: 'content!',
      serverId: 'reference',
      threadId: 'reference',
      replyToId: 'reference',
    },
  ),
  patch(
    'messageSave',
    '/messages',
    (scene) => scene.message(),
    { content: 'content!' },
    { content: 'Changed' },
  ),
  post('pinInsert', '/pins', async (scene) => ({ messageId: (await scene.message()).id }), {
    messageId: 'reference!',
  }),
  post('roleInsert', '/roles', () => ({ name: 'Editors' }), {
    ...flags,
    name: 'name!',
    serverId: 'reference',
    color: 'text?',
  }),
  patch('roleUpdate', '/roles', (scene) => scene.role(), { ...flags, name: 'name', color: 'text?' }),
  post('secretInsert of an apiKey', '/secrets', () => ({ kind: 'apiKey', name: 'Deploy bot' }), {
    kind: 'kind!',
    name: 'name!',
    serverId: 'reference',
    roleId: 'reference',
    userId: 'reference',
    expiresAt: 'time',
  }),
  post(
    'secretInsert of an appSecret',
    '/secrets',
    async (scene) => ({
      kind: 'appSecret',
      name: 'Token',
      appId: (await scene.app()).id,
      value: 'correct horse battery staple',
    }),
    { kind: 'kind!', name: 'name!', appId: 'reference!', value: 'text!', serverId: 'reference' },
  ),
  patch('serverUpdate', '/servers', ({ server }) => server, {
    name: 'name',
    welcome: 'longText?',
    description: 'longText?',
    icon: 'url?',
    banner: 'url?',
    domain: 'text?',
    private: 'flag',
    tint: 'tint?',
  }),
  post('serverMemberInsert', '/server-members', async ({ world }) => ({ userId: (await world.user()).id }), {
    serverId: 'reference',
    userId: 'reference',
    inviteId: 'reference',
    nickname: 'name?',
  }),
  patch('serverMemberUpdate', '/server-members', (scene) => scene.member(), { nickname: 'name?' }),
  post(
    'threadInsert in a channel',
    '/threads',
    async (scene) => ({ channelId: (await scene.channel()).id }),
    {
      channelId: 'reference!',
      name: 'name?',
    },
  ),
  post(
    'threadInsert on a message',
    '/threads',
    async (scene) => ({ messageId: (await scene.message()).id }),
    {
      channelId: 'reference',
      messageId: 'reference!',
      name: 'name?',
    },
  ),
  patch('threadUpdate', '/threads', (scene) => scene.thread(), { name: 'name?', locked: 'flag' }),
  post(
    'userRoleInsert',
    '/user-roles',
    async (scene) => ({ userId: (await scene.member()).userId, roleId: (await scene.role()).id }),
    { userId: 'reference!', roleId: 'reference!' },
  ),
  post(
    'reactionInsert',
    '/reactions',
    async (scene) => ({ messageId: (await scene.message()).id, emoji: '👍' }),
    { messageId: 'reference!', emoji: 'emoji!' },
  ),
  post('webhookInsert of one that sends', '/webhooks', () => ({ url: 'https://example.com/palaver' }), {
    url: 'receiver!',
    direction: 'kind',
    name: 'name',
    serverId: 'reference',
    types: 'types?',
    channelId: 'reference?',
  }),
  post(
    'webhookInsert of one that takes messages',
    '/webhooks',
    async (scene) => ({ direction: 'in', channelId: (await scene.channel()).id }),
    { direction: 'kind', channelId: 'reference!', name: 'name', serverId: 'reference' },
  ),
  patch('webhookUpdate', '/webhooks', (scene) => scene.webhook(), {
    name: 'name',
    url: 'receiver',
    types: 'types?',
    channelId: 'reference?',
    enabled: 'flag',
  }),
  {
    name: 'webhookReplay',
    method: 'POST',
    path: '/webhooks/:id/replay',
    ready: async (scene) => ({ id: (await scene.webhook()).id, body: { after: await scene.cursor() } }),
    fields: { after: 'cursor!' },
  },
];

/** Each field of a table, with what its kind says of it. */
export const fieldsOf = ({ fields }: BodyTable) =>
  Object.entries(fields).map(([name, declared]) => ({
    name,
    kind: declared.replace(/[!?]$/, '') as FieldKind,
    required: declared.endsWith('!'),
    nullable: declared.endsWith('?'),
  }));
