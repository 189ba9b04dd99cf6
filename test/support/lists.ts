import assert from 'node:assert/strict';
import { insert, q, remove } from '../../server/src/db/statements.ts';
import { newRow } from '../../server/src/lib/deps.ts';
import type { Flag } from './permissionTable.ts';
import type { Answer, Client, Json, World } from './world.ts';

/** A list that rows come into and go from. */
interface OpenList {
  path: string;
  reader: Client;
  /** Adds a row and gives what identifies it; `position` counts where a list has positions. */
  add(position: number): Promise<string>;
  take(key: string): Promise<unknown>;
}

export interface ListKind {
  open(world: World): Promise<OpenList>;
  /** In which order rows are listed by the time they came; `position` by their position before that. */
  order: 'oldest' | 'newest' | 'position';
  /** What identifies a record; its `id` unless given. */
  key?(record: Json): string;
  /** True where the list has rows beside those that come and go. */
  mixed?: true;
}

function done({ status, body, data }: Answer): Json {
  assert.equal(status, 200, JSON.stringify(body));
  return data;
}

async function found(world: World, flags: readonly Flag[] = ['canAdmin']) {
  const server = await world.server(await world.user());
  return { server, admin: await world.client(server, flags) };
}

async function withChannel(world: World) {
  const { server, admin } = await found(world);
  const channel = done(await admin.post('/channels', { name: 'general' }));
  return { server, admin, channel };
}

/** A channel's messages, with others among them that `filter` leaves out. */
const messages = (order: 'oldest' | 'newest', filter: (reader: Client) => string): ListKind => ({
  order,
  async open(world) {
    const { server, admin, channel } = await withChannel(world);
    const other = await world.client(server, ['canEditData']);
    const thread = done(await other.post('/threads', { channelId: channel.id }));
    return {
      path: `/channels/${channel.id}/messages${filter(admin)}`,
      reader: admin,
      async add() {
        if (/creatorId|isThreadReply|q=/.test(filter(admin))) {
          done(await other.post('/messages', { threadId: thread.id, content: 'Something else' }));
        }
        return done(await admin.post('/messages', { channelId: channel.id, content: 'A word of hope' })).id;
      },
      take: async (id) => done(await admin.delete(`/messages/${id}`)),
    };
  },
});

const joinable = (query: (word: string) => string, clear: boolean): ListKind => ({
  order: 'oldest',
  async open(world) {
    const { write } = world.data.db;
    if (clear)
      await write.call(world.data.db, (tx) => tx.run(q.updateTable('server').set({ private: true })));
    const { admin } = await found(world);
    const owner = await world.user();
    const word = world.unique('place');
    return {
      path: `/servers/joinable${query(word)}`,
      reader: admin,
      add: async () => (await world.server(owner, `A ${word} to be`)).id,
      take: async (serverId) => done(await admin.post('/server-members', { serverId })),
    };
  },
});

const members = (query: string): ListKind => ({
  order: 'oldest',
  ...(query === '' && { mixed: true }),
  async open(world) {
    const { server, admin } = await found(world);
    return {
      path: `/servers/${server.id}/members${query}`,
      reader: admin,
      add: async () => (await world.member(server, await world.user({ name: 'Grace Hopper' }))).id,
      take: async (id) => done(await admin.delete(`/server-members/${id}`)),
    };
  },
});

/** Every kind of list, each also through its filters where they change how it is read. */
export const lists: Record<string, ListKind> = {
  channelMessages: messages('newest', () => ''),
  'channelMessages, oldest first': messages('oldest', () => '?order=asc'),
  'channelMessages of one creator': messages('newest', ({ secret }) => `?creatorId=${secret.userId}`),
  'channelMessages out of threads, oldest first': messages('oldest', () => '?isThreadReply=false&order=asc'),
  'channelMessages with a word': messages('newest', () => '?q=hope'),
  'channelMessages with a word, oldest first': messages('oldest', () => '?q=hope&order=asc'),
  pinnedMessagesPage: {
    order: 'newest',
    key: ({ pin }) => pin.id,
    async open(world) {
      const { admin, channel } = await withChannel(world);
      return {
        path: `/channels/${channel.id}/pins`,
        reader: admin,
        async add() {
          const message = done(await admin.post('/messages', { channelId: channel.id, content: 'Hello' }));
          return done(await admin.post('/pins', { messageId: message.id })).id;
        },
        take: async (id) => done(await admin.delete(`/pins/${id}`)),
      };
    },
  },
  threadsByMessageId: {
    order: 'oldest',
    async open(world) {
      const { admin, channel } = await withChannel(world);
      const message = done(await admin.post('/messages', { channelId: channel.id, content: 'Hello' }));
      return {
        path: `/messages/${message.id}/threads`,
        reader: admin,
        add: async () => done(await admin.post('/threads', { messageId: message.id })).id,
        take: async (id) => done(await admin.delete(`/threads/${id}`)),
      };
    },
  },
  channelsByServer: {
    order: 'position',
    async open(world) {
      const { server, admin } = await found(world);
      return {
        path: `/servers/${server.id}/channels`,
        reader: admin,
        add: async (position) =>
          done(await admin.post('/channels', { name: world.unique('channel'), position })).id,
        take: async (id) => done(await admin.delete(`/channels/${id}`)),
      };
    },
  },
  serverMembers: members(''),
  'serverMembers with a name': members('?q=grace'),
  userServers: {
    order: 'oldest',
    mixed: true,
    async open(world) {
      const user = await world.user();
      const reader = await world.client(await world.server(user), [], user);
      const owner = await world.user();
      return {
        path: '/servers',
        reader,
        async add() {
          const server = await world.server(owner);
          await world.member(server, user);
          return server.id;
        },
        take: (serverId) =>
          world.data.db.write((tx) => tx.run(remove('serverMember', { serverId, userId: user.id }))),
      };
    },
  },
  searchJoinableServers: joinable(() => '', true),
  'searchJoinableServers with a word': joinable((word) => `?q="${word}"`, false),
  invitesByServer: {
    order: 'newest',
    async open(world) {
      const { server, admin } = await found(world);
      return {
        path: `/servers/${server.id}/invites`,
        reader: admin,
        add: async () => done(await admin.post('/invites', {})).id,
        take: async (id) => done(await admin.delete(`/invites/${id}`)),
      };
    },
  },
  appInstallsByServer: {
    order: 'oldest',
    async open(world) {
      const { server, admin } = await found(world);
      return {
        path: `/servers/${server.id}/app-installs`,
        reader: admin,
        async add() {
          const app = done(await admin.post('/apps', { name: 'App' }));
          return done(await admin.post('/app-installs', { appId: app.id })).id;
        },
        take: async (id) => done(await admin.delete(`/app-installs/${id}`)),
      };
    },
  },
  flowsByServer: {
    order: 'oldest',
    async open(world) {
      const { server, admin } = await found(world);
      return {
        path: `/servers/${server.id}/flows`,
        reader: admin,
        add: async () => (await world.flow(server)).id,
        take: (id) => world.data.db.write((tx) => tx.run(remove('flow', { id }))),
      };
    },
  },
  webhooksByServer: {
    order: 'newest',
    async open(world) {
      const { server, admin } = await found(world);
      return {
        path: `/servers/${server.id}/webhooks`,
        reader: admin,
        add: async () => done(await admin.post('/webhooks', { url: 'https://example.com/palaver' })).id,
        take: async (id) => done(await admin.delete(`/webhooks/${id}`)),
      };
    },
  },
  webhookDeliveries: {
    order: 'newest',
    async open(world) {
      const { db, deps } = world.data;
      const { admin } = await found(world);
      const webhook = done(await admin.post('/webhooks', { url: 'https://example.com/palaver' }));
      const attempt = {
        eventId: 'one',
        type: 'message.created',
        attempt: 1,
        status: 200,
        error: null,
        ms: 5,
      };
      return {
        path: `/webhooks/${webhook.id}/deliveries`,
        reader: admin,
        async add() {
          const row = { ...newRow(deps), webhookId: webhook.id, ...attempt, nextAt: null };
          await db.write((tx) => tx.run(insert('webhookDelivery', row)));
          return row.id;
        },
        take: (id) => db.write((tx) => tx.run(remove('webhookDelivery', { id }))),
      };
    },
  },
  latestNotifications: {
    order: 'newest',
    key: ({ messageId }) => messageId,
    async open(world) {
      const { server, admin, channel } = await withChannel(world);
      const user = await world.user();
      const reader = await world.client(server, [], user);
      return {
        path: '/notifications?unread=true',
        reader,
        add: async () =>
          done(await admin.post('/messages', { channelId: channel.id, content: `Hello @${user.username}` }))
            .id,
        take: async (id) => done(await admin.delete(`/messages/${id}`)),
      };
    },
  },
};
