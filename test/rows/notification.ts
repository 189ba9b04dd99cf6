import type { Fields } from '../support/records.ts';
import type { Scene } from '../support/scene.ts';
import { type Json, listAll } from '../support/world.ts';
import type { Listing, Noun } from './row.ts';

const notification: Fields = {
  userId: 'id',
  serverId: 'id',
  type: 'text',
  actorId: 'id',
  channelId: 'id',
  messageId: 'id',
  readAt: 'time?',
};

/** A message by another user that mentions the owner of the scene. */
async function mention(scene: Scene, channelId: string): Promise<Json> {
  const author = await scene.world.client(scene.server, ['canEditData']);
  return scene.make('/messages', { channelId, content: `Hello @${scene.owner.username}` }, author);
}

const listing = (as?: string, query = ''): Listing => ({
  ...(as && { as }),
  order: 'newest',
  key: ({ messageId }) => messageId,
  async open(scene) {
    const { id: channelId } = await scene.channel();
    return {
      path: `/notifications${query}`,
      add: async () => (await mention(scene, channelId)).id,
      take: (id) => scene.remove(`/messages/${id}`),
    };
  },
});

/** Notifications have no writes here: messages, reactions, reminders and other records create them. */
export const notifications: Noun = {
  name: 'notification',
  events: ['created', 'updated', 'deleted'],
  goesWith: ['channel', 'thread'],

  async all({ watchers }) {
    const found = await Promise.all(watchers.map((watcher) => listAll(watcher, '/notifications')));
    return found.flat();
  },
  /** Users read only their own notifications. */
  visible: (row, { watchers }) =>
    watchers.some(({ secret }) => secret.userId === row.userId) ? row : undefined,

  reads: [
    {
      name: 'latestNotifications',
      path: '/notifications',
      answer: notification,
      sight: 'own',
      async ready(scene) {
        await mention(scene, (await scene.channel()).id);
        return {};
      },
      filters: {
        type: ['mention', 'reply', 'thread', 'direct', 'reaction', 'reminder', 'schedule', 'report', 'flow'],
        channelKind: ['channel', 'dm'],
        unread: 'flag',
        excerpts: 'flag',
      },
      listings: [listing(), listing('unread', '?unread=true'), listing('of a type', '?type=mention')],
    },
  ],
  writes: [],
};
