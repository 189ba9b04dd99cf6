import type { RecordName } from './recordTables.ts';
import type { Scene } from './scene.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** What an endpoint is asked for: the value of its path parameter, and its body. */
export interface Ready {
  id?: string;
  body?: Record<string, unknown>;
}

/** An endpoint as the specification has it. */
export interface Operation {
  name: string;
  /** The row of the table in the specification, part 1; `Reactions` stand in the decisions, part 3, alone. */
  group: string;
  method: Method;
  /** Under /api/v1; at most one parameter. */
  path: string;
  answer: RecordName;
  /** A list answers records and `nextCursor`. */
  list?: true;
  /** Makes what a request needs that is to succeed, in whichever state the scene is. */
  ready(scene: Scene): Promise<Ready>;
}

/** The path with its parameter filled in. */
export const pathOf = ({ path }: Pick<Operation, 'path'>, id = ''): string => path.replace(/:\w+/, id);

const own = async ({ server }: Scene): Promise<Ready> => ({ id: server.id });
const nothing = async (): Promise<Ready> => ({});

const read = (
  name: string,
  path: string,
  answer: RecordName,
  ready: Operation['ready'],
  list?: true,
): Operation => ({ name, group: 'Reads', method: 'GET', path, answer, ready, ...(list && { list }) });

/** The specification, 4.6. */
export const reads: readonly Operation[] = [
  read('serverById', '/servers/:serverId', 'server', own),
  read('serverMembers', '/servers/:serverId/members', 'shownMember', own, true),
  read('userServers', '/servers', 'server', nothing, true),
  read(
    'searchJoinableServers',
    '/servers/joinable',
    'server',
    async ({ world }) => {
      await world.server(await world.user());
      return {};
    },
    true,
  ),
  read(
    'channelsByServer',
    '/servers/:serverId/channels',
    'channel',
    async (scene) => ({ id: (await scene.channel()).serverId }),
    true,
  ),
  read('channelById', '/channels/:channelId', 'channel', (scene) => scene.channel()),
  read(
    'channelMessages',
    '/channels/:channelId/messages',
    'shownMessage',
    async (scene) => ({ id: (await scene.message()).channelId }),
    true,
  ),
  read('messageById', '/messages/:messageId', 'shownMessage', (scene) => scene.message()),
  read(
    'pinnedMessagesPage',
    '/channels/:channelId/pins',
    'pinnedMessage',
    async (scene) => ({ id: (await scene.pin()).channelId }),
    true,
  ),
  read('threadWithMessages', '/threads/:threadId', 'threadWithMessages', (scene) => scene.thread()),
  read(
    'threadsByMessageId',
    '/messages/:messageId/threads',
    'thread',
    async (scene) => ({ id: (await scene.thread()).messageId }),
    true,
  ),
  read('threadById', '/threads/:threadId/info', 'thread', (scene) => scene.thread()),
  read('userById', '/users/:userId', 'user', async ({ owner }) => ({ id: owner.id })),
  read('roleById', '/roles/:roleId', 'role', (scene) => scene.role()),
  read(
    'invitesByServer',
    '/servers/:serverId/invites',
    'invite',
    async (scene) => ({ id: (await scene.invite()).serverId }),
    true,
  ),
  read('inviteById', '/invites/:inviteId', 'shownInvite', (scene) => scene.invite()),
  read(
    'appInstallsByServer',
    '/servers/:serverId/app-installs',
    'shownInstall',
    async (scene) => ({ id: (await scene.install()).serverId }),
    true,
  ),
  read('appById', '/apps/:appId', 'app', (scene) => scene.app()),
  read('appInstallById', '/app-installs/:appInstallId', 'shownInstall', (scene) => scene.install()),
  read(
    'flowsByServer',
    '/servers/:serverId/flows',
    'flow',
    async (scene) => ({ id: (await scene.flow()).serverId }),
    true,
  ),
  read('flowById', '/flows/:flowId', 'flow', (scene) => scene.flow()),
  read(
    'latestNotifications',
    '/notifications',
    'notification',
    async (scene) => {
      const other = await scene.world.client(scene.server, ['canEditData']);
      const { id } = await scene.channel();
      await scene.make('/messages', { channelId: id, content: `@${scene.owner.username}` }, other);
      return {};
    },
    true,
  ),
];

/** Reads that the specification does not have. */
const additions: readonly Operation[] = [
  read(
    'webhooksByServer',
    '/servers/:serverId/webhooks',
    'webhook',
    async (scene) => ({ id: (await scene.webhook()).serverId }),
    true,
  ),
  read('webhookDeliveries', '/webhooks/:id/deliveries', 'webhookDelivery', (scene) => scene.delivery(), true),
];

/** The writes of one group: their collection, their record, and what makes one. */
function group(name: string, collection: string, answer: RecordName) {
  const at = (operation: string, method: Method, path: string, ready: Operation['ready']): Operation => ({
    name: operation,
    group: name,
    method,
    path,
    answer,
    ready,
  });
  return {
    insert: (operation: string, body: (scene: Scene) => Promise<Ready['body']> | Ready['body']) =>
      at(operation, 'POST', collection, async (scene) => ({ body: await body(scene) })),
    action: (operation: string, path: string, body: (scene: Scene) => Promise<Ready['body']>) =>
      at(operation, 'POST', `${collection}${path}`, async (scene) => ({ body: await body(scene) })),
    update: (operation: string, make: (scene: Scene) => Promise<{ id: string }>, body: Ready['body']) =>
      at(operation, 'PATCH', `${collection}/:id`, async (scene) => ({ id: (await make(scene)).id, body })),
    remove: (operation: string, make: (scene: Scene) => Promise<{ id: string }>) =>
      at(operation, 'DELETE', `${collection}/:id`, async (scene) => ({ id: (await make(scene)).id })),
  };
}

const apps = group('Apps', '/apps', 'writtenApp');
const appInstalls = group('App Installs', '/app-installs', 'appInstall');
const channels = group('Channels', '/channels', 'channel');
const indicators = group('Indicators', '/indicators', 'indicator');
const invites = group('Invites', '/invites', 'invite');
const messages = group('Messages', '/messages', 'message');
const pins = group('Pins', '/pins', 'pin');
const roles = group('Roles', '/roles', 'role');
const secrets = group('Secrets', '/secrets', 'secret');
const servers = group('Servers', '/servers', 'server');
const serverMembers = group('Server Members', '/server-members', 'serverMember');
const threads = group('Threads', '/threads', 'thread');
const userRoles = group('User Roles', '/user-roles', 'userRole');
const reactions = group('Reactions', '/reactions', 'reaction');
const webhooks = group('Webhooks', '/webhooks', 'webhook');

/** The specification, part 4, and the decisions, part 3. */
export const writes: readonly Operation[] = [
  apps.update('appUpdate', (scene) => scene.app(), { name: 'Weather' }),
  apps.remove('appDelete', (scene) => scene.app()),
  apps.insert('appInsert', () => ({ name: 'Weather', meta: ['tools'] })),
  apps.action('appInstallFromRegistry', '/install-from-registry', async (scene) => ({
    id: (await scene.submitted()).id,
  })),
  apps.action('appSubmit', '/submit', async (scene) => ({ id: (await scene.app()).id })),
  appInstalls.insert('appInstallInsert', async (scene) => ({
    appId: (await scene.app()).id,
    config: { city: 'Oslo' },
  })),
  appInstalls.remove('appInstallDelete', (scene) => scene.install()),
  channels.insert('channelInsert', ({ world }) => ({ name: world.unique('channel') })),
  channels.update('channelUpdate', (scene) => scene.channel(), { description: 'Talk' }),
  channels.remove('channelDelete', (scene) => scene.channel()),
  indicators.insert('indicatorInsert', () => ({ type: 'typing' })),
  indicators.update('indicatorUpdate', (scene) => scene.indicator(), { lastActiveAt: 1_800_000_000_000 }),
  indicators.remove('indicatorDelete', (scene) => scene.indicator()),
  invites.insert('inviteInsert', () => ({ maxUses: 3 })),
  invites.remove('inviteDelete', (scene) => scene.invite()),
  messages.insert('messageSend', async (scene) => ({
    channelId: (await scene.channel()).id,
    content: 'Hello',
    serverId: scene.server.id,
  })),
  messages.update('messageSave', (scene) => scene.message(), { content: 'Changed' }),
  messages.remove('messageDelete', (scene) => scene.message()),
  pins.insert('pinInsert', async (scene) => ({ messageId: (await scene.message()).id })),
  pins.remove('pinDelete', (scene) => scene.pin()),
  roles.insert('roleInsert', () => ({ name: 'Editors', canEditData: true })),
  roles.update('roleUpdate', (scene) => scene.role(), { color: '#3366ff' }),
  roles.remove('roleDelete', (scene) => scene.role()),
  {
    ...secrets.insert('secretInsert', () => ({ kind: 'apiKey', name: 'Deploy bot' })),
    answer: 'newKey',
  },
  secrets.remove('secretDelete', (scene) => scene.secret()),
  servers.update('serverUpdate', async ({ server }) => server, { welcome: 'Come in' }),
  serverMembers.insert('serverMemberInsert', async ({ world }) => ({ userId: (await world.user()).id })),
  serverMembers.update('serverMemberUpdate', (scene) => scene.member(), { nickname: 'Ada' }),
  serverMembers.remove('serverMemberDelete', (scene) => scene.member()),
  threads.insert('threadInsert', async (scene) => ({ messageId: (await scene.message()).id })),
  threads.update('threadUpdate', (scene) => scene.thread(), { name: 'Plans' }),
  threads.remove('threadDelete', (scene) => scene.thread()),
  userRoles.insert('userRoleInsert', async (scene) => ({
    userId: (await scene.member()).userId,
    roleId: (await scene.role()).id,
  })),
  userRoles.remove('userRoleDelete', (scene) => scene.userRole()),
  reactions.insert('reactionInsert', async (scene) => ({
    messageId: (await scene.message()).id,
    emoji: '👍',
  })),
  reactions.remove('reactionDelete', (scene) => scene.reaction()),
  {
    ...webhooks.insert('webhookInsert', () => ({ url: 'https://example.com/palaver', types: ['message.*'] })),
    answer: 'newWebhook',
  },
  webhooks.update('webhookUpdate', (scene) => scene.webhook(), { name: 'Reports' }),
  webhooks.remove('webhookDelete', (scene) => scene.webhook()),
  {
    name: 'webhookReplay',
    group: 'Webhooks',
    method: 'POST',
    path: '/webhooks/:id/replay',
    answer: 'webhook',
    async ready(scene) {
      const { id } = await scene.webhook();
      return { id, body: { after: await scene.cursor() } };
    },
  },
];

export const operations: readonly Operation[] = [...reads, ...additions, ...writes];
export const inserts: readonly Operation[] = writes.filter(({ method }) => method === 'POST');
export const updates: readonly Operation[] = writes.filter(({ method }) => method === 'PATCH');
export const removals: readonly Operation[] = writes.filter(({ method }) => method === 'DELETE');
