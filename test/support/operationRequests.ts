import assert from 'node:assert/strict';
import type { Cast, Role } from './cast.ts';
import { cursorIn } from './cursor.ts';
import type { ChannelKind, Operation } from './permissionTable.ts';
import type { Answer, Client, Json } from './world.ts';

export interface Call {
  method: 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: unknown;
}

/** How an operation is asked for: makes what it is about, the owner's where that decides. */
interface Request {
  make(scene: Scene): Promise<Call>;
  /** True if the call cannot be made twice, since the first that is allowed uses up what it is about. */
  consumes?: true;
}

/** A cast, with a channel of one kind. */
export interface Scene {
  cast: Cast;
  channel: Json;
  kind: ChannelKind;
}

const done = ({ status, body, data }: Answer): Json => {
  assert.equal(status, 200, JSON.stringify(body));
  return data;
};

const post = async (client: Client, path: string, body: unknown): Promise<Json> =>
  done(await client.post(path, body));

export const sendCall = (client: Client, { method, path, body }: Call): Promise<Answer> =>
  ({ POST: client.post, PATCH: client.patch, DELETE: client.delete })[method](path, body);

/** A new channel of a kind in the cast's server. */
export function makeChannel({ world, admin, roleIds }: Cast, kind: ChannelKind): Promise<Json> {
  return post(admin, '/channels', {
    name: world.unique('channel'),
    private: kind === 'private' || kind === 'let in',
    readonly: kind === 'readonly',
    roleIds: kind === 'let in' ? roleIds : [],
  });
}

const newApp = ({ cast: { admin } }: Scene) => post(admin, '/apps', { name: 'App' });
const newMessage = ({ cast: { author }, channel }: Scene) =>
  post(author, '/messages', { channelId: channel.id, content: 'Hello' });
const newRole = ({ cast: { world, admin } }: Scene) => post(admin, '/roles', { name: world.unique('role') });
/** Of a role with canEditApp alone, so that nobody lacks what it has. */
const newWebhook = async ({ cast }: Scene) => {
  const maker = cast.roles.find(
    ({ identity, flags }) => identity === 'stranger' && flags[0] === 'canEditApp',
  );
  return post((maker as Role).client, '/webhooks', { url: 'https://example.com/palaver' });
};
const newMember = async ({ cast: { world, home } }: Scene) => world.member(home, await world.user());

const insert = (path: string, make: (scene: Scene) => Promise<unknown>): Request => ({
  make: async (scene) => ({ method: 'POST', path, body: await make(scene) }),
});
const insertOnce = (path: string, make: (scene: Scene) => Promise<unknown>): Request => ({
  ...insert(path, make),
  consumes: true,
});
const update = (path: string, body: unknown, make: (scene: Scene) => Promise<Json>): Request => ({
  make: async (scene) => ({ method: 'PATCH', path: `${path}/${(await make(scene)).id}`, body }),
});
const remove = (path: string, make: (scene: Scene) => Promise<Json>): Request => ({
  make: async (scene) => ({ method: 'DELETE', path: `${path}/${(await make(scene)).id}` }),
  consumes: true,
});

export const requests: Record<Operation, Request> = {
  'app insert': insert('/apps', async ({ cast }) => ({ serverId: cast.home.id, name: 'App' })),
  'app update': update('/apps', { name: 'Renamed' }, newApp),
  'app delete': remove('/apps', newApp),
  'app install from registry': insertOnce('/apps/install-from-registry', async (scene) => {
    const { id } = await newApp(scene);
    await post(scene.cast.admin, '/apps/submit', { id });
    return { id };
  }),
  'app submit': insert('/apps/submit', async (scene) => ({ id: (await newApp(scene)).id })),
  'appInstall insert': insertOnce('/app-installs', async (scene) => ({
    serverId: scene.cast.home.id,
    appId: (await newApp(scene)).id,
  })),
  'appInstall delete': remove('/app-installs', async (scene) =>
    post(scene.cast.author, '/app-installs', { appId: (await newApp(scene)).id }),
  ),
  'channel insert': insertOnce('/channels', async ({ cast: { world, home } }) => ({
    serverId: home.id,
    name: world.unique('channel'),
  })),
  'channel update': update('/channels', { description: 'About' }, async ({ channel }) => channel),
  'channel delete': remove('/channels', ({ cast, kind }) => makeChannel(cast, kind)),
  'indicator insert': insert('/indicators', async ({ channel }) => ({
    type: 'typing',
    channelId: channel.id,
  })),
  'indicator update': update('/indicators', {}, ({ cast: { world, author }, channel }) =>
    post(author, '/indicators', { type: world.unique('own'), channelId: channel.id }),
  ),
  'indicator delete': remove('/indicators', ({ cast: { world, author }, channel }) =>
    post(author, '/indicators', { type: world.unique('own'), channelId: channel.id }),
  ),
  'invite insert': insert('/invites', async ({ cast }) => ({ serverId: cast.home.id })),
  'invite delete': remove('/invites', ({ cast }) => post(cast.author, '/invites', {})),
  'message insert': insert('/messages', async ({ channel }) => ({ channelId: channel.id, content: 'Hi' })),
  'message update': update('/messages', { content: 'Edited' }, newMessage),
  'message delete': remove('/messages', newMessage),
  'pin insert': insertOnce('/pins', async (scene) => ({ messageId: (await newMessage(scene)).id })),
  'pin delete': remove('/pins', async (scene) =>
    post(scene.cast.author, '/pins', { messageId: (await newMessage(scene)).id }),
  ),
  'reaction insert': insertOnce('/reactions', async (scene) => ({
    messageId: (await newMessage(scene)).id,
    emoji: '👍',
  })),
  'reaction delete': remove('/reactions', async (scene) =>
    post(scene.cast.author, '/reactions', { messageId: (await newMessage(scene)).id, emoji: '👍' }),
  ),
  'role insert': insert('/roles', async ({ cast }) => ({ serverId: cast.home.id, name: 'Role' })),
  'role update': update('/roles', { name: 'Renamed' }, newRole),
  'role delete': remove('/roles', newRole),
  'secret insert': insert('/secrets', async (scene) => ({
    kind: 'apiKey',
    name: 'Key',
    serverId: scene.cast.home.id,
    roleId: (await newRole(scene)).id,
  })),
  'secret delete': remove('/secrets', async (scene) =>
    post(scene.cast.author, '/secrets', { kind: 'apiKey', name: 'Key', roleId: (await newRole(scene)).id }),
  ),
  'server update': {
    make: async ({ cast }) => ({
      method: 'PATCH',
      path: `/servers/${cast.home.id}`,
      body: { welcome: 'Hello' },
    }),
  },
  'serverMember insert': insertOnce('/server-members', async ({ cast: { world, home } }) => ({
    serverId: home.id,
    userId: (await world.user()).id,
  })),
  'serverMember update': update('/server-members', { nickname: 'Nick' }, newMember),
  'serverMember delete': remove('/server-members', newMember),
  'thread insert': insert('/threads', async ({ channel }) => ({ channelId: channel.id })),
  'thread update': update('/threads', { name: 'Renamed' }, ({ cast, channel }) =>
    post(cast.author, '/threads', { channelId: channel.id }),
  ),
  'thread delete': remove('/threads', ({ cast, channel }) =>
    post(cast.author, '/threads', { channelId: channel.id }),
  ),
  'userRole insert': insertOnce('/user-roles', async (scene) => ({
    userId: scene.cast.owner.id,
    roleId: (await newRole(scene)).id,
  })),
  'userRole delete': remove('/user-roles', async (scene) =>
    post(scene.cast.admin, '/user-roles', {
      userId: scene.cast.owner.id,
      roleId: (await newRole(scene)).id,
    }),
  ),
  'webhook insert': insert('/webhooks', async ({ cast }) => ({
    serverId: cast.home.id,
    url: 'https://example.com/palaver',
  })),
  'webhook update': update('/webhooks', { name: 'Renamed' }, newWebhook),
  'webhook delete': remove('/webhooks', newWebhook),
  'webhook replay': {
    async make(scene) {
      const { id, serverId } = await newWebhook(scene);
      return {
        method: 'POST',
        path: `/webhooks/${id}/replay`,
        body: { after: await cursorIn(scene.cast.world, serverId) },
      };
    },
  },
};
