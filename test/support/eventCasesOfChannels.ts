import type { EventCase, Line } from './eventStage.ts';
import type { Json } from './world.ts';

const only =
  (type: string, fields: object = {}) =>
  (made: Json): Line[] => [[type, { ...made, ...fields }]];

const ownCases: EventCase[] = [
  {
    operation: 'channelInsert',
    what: 'a channel',
    write: async ({ world }) => ({
      method: 'POST',
      path: '/channels',
      body: { name: world.unique('channel') },
      home: only('channel.created'),
    }),
  },
  {
    operation: 'channelUpdate',
    what: 'a channel',
    write: async ({ home }) => ({
      method: 'PATCH',
      path: `/channels/${(await home.channel()).id}`,
      body: { readonly: true },
      home: only('channel.updated', { readonly: true }),
    }),
  },
  {
    operation: 'channelDelete',
    what: 'a channel with all that can be in one',
    async write({ home, guest, guestUser }) {
      const { id: channelId } = await home.channel();
      const message = await home.message({ channelId, content: `@${guestUser.username}` });
      await home.pin(message.id);
      await home.make('/reactions', { messageId: message.id, emoji: '🎉' }, guest);
      const thread = await home.thread({ messageId: message.id });
      await home.message({ threadId: thread.id });
      return { method: 'DELETE', path: `/channels/${channelId}`, home: only('channel.deleted') };
    },
  },
];

const messageCases: EventCase[] = [
  {
    operation: 'messageSend',
    what: 'a message',
    write: async ({ home }) => ({
      method: 'POST',
      path: '/messages',
      body: { channelId: (await home.channel()).id, content: 'Hello' },
      home: only('message.created', { pinned: false, reactions: [], editedAt: null }),
    }),
  },
  {
    operation: 'messageSend',
    what: 'an answer that mentions somebody, in a thread that somebody follows',
    async write({ home, world, guest, guestUser }) {
      const follower = await world.client(home.server, ['canEditData']);
      const thread = await home.make('/threads', { channelId: (await home.channel()).id }, follower);
      const answered = await home.make('/messages', { threadId: thread.id, content: 'Well?' }, guest);
      const mentioned = await world.user();
      await world.member(home.server, mentioned);
      return {
        method: 'POST',
        path: '/messages',
        body: { threadId: thread.id, replyToId: answered.id, content: `No, @${mentioned.username}` },
        home: (made) => {
          const about = { messageId: made.id, channelId: made.channelId, actorId: home.owner.id };
          return [
            ['message.created', { id: made.id, threadId: thread.id, replyToId: answered.id }],
            ['thread.updated', { id: thread.id, replyCount: 2, lastReplyAt: made.createdAt }],
            ['notification.created', { ...about, userId: guestUser.id, type: 'reply' }],
            ['notification.created', { ...about, userId: follower.secret.userId, type: 'thread' }],
            ['notification.created', { ...about, userId: mentioned.id, type: 'mention' }],
          ];
        },
      };
    },
  },
  {
    operation: 'messageSave',
    what: 'an edit, which notifies nobody',
    async write({ home, guestUser }) {
      const { id } = await home.message();
      const content = `@${guestUser.username}`;
      return {
        method: 'PATCH',
        path: `/messages/${id}`,
        body: { content },
        home: (made) => [['message.updated', { id, content, editedAt: made.updatedAt }]],
      };
    },
  },
  {
    operation: 'messageDelete',
    what: 'a reply in a thread, with a pin, reactions, a notification and an empty thread',
    async write({ home, guest, guestUser }) {
      const above = await home.thread();
      const { id, channelId } = await home.message({ threadId: above.id, content: `@${guestUser.username}` });
      const [notification] = (await guest.get('/notifications')).data;
      const pin = await home.pin(id);
      const mine = await home.reaction(id);
      const other = await home.make('/reactions', { messageId: id, emoji: '🎉' }, guest);
      const thread = await home.thread({ messageId: id });
      return {
        method: 'DELETE',
        path: `/messages/${id}`,
        home: () => [
          ['message.deleted', { id, channelId, pinned: true }],
          ['pin.deleted', pin],
          ['reaction.deleted', mine],
          ['reaction.deleted', other],
          ['notification.deleted', notification],
          ['thread.deleted', thread],
          ['thread.updated', { id: above.id, replyCount: 0, lastReplyAt: null }],
        ],
      };
    },
  },
  {
    operation: 'messageDelete',
    what: 'a message whose threads have replies',
    async write({ home }) {
      const { id } = await home.message();
      const threads = [await home.thread({ messageId: id }), await home.thread({ messageId: id })];
      for (const thread of threads) await home.message({ threadId: thread.id });
      return {
        method: 'DELETE',
        path: `/messages/${id}`,
        home: () => [
          ['message.deleted', { id }],
          ...threads.map(
            (thread): Line => ['thread.updated', { id: thread.id, messageId: null, replyCount: 1 }],
          ),
        ],
      };
    },
  },
  {
    operation: 'pinInsert',
    what: 'a pin',
    async write({ home }) {
      const { id } = await home.message();
      return {
        method: 'POST',
        path: '/pins',
        body: { messageId: id },
        home: (made) => [
          ['pin.created', made],
          ['message.updated', { id, pinned: true }],
        ],
      };
    },
  },
  {
    operation: 'pinDelete',
    what: 'a pin',
    async write({ home }) {
      const pin = await home.pin();
      return {
        method: 'DELETE',
        path: `/pins/${pin.id}`,
        home: () => [
          ['pin.deleted', pin],
          ['message.updated', { id: pin.messageId, pinned: false }],
        ],
      };
    },
  },
  {
    operation: 'reactionInsert',
    what: 'a reaction',
    async write({ home }) {
      const { id } = await home.message();
      return {
        method: 'POST',
        path: '/reactions',
        body: { messageId: id, emoji: '🎉' },
        home: (made) => [
          ['reaction.created', made],
          ['message.updated', { id, reactions: [{ emoji: '🎉', count: 1 }] }],
        ],
      };
    },
  },
  {
    operation: 'reactionDelete',
    what: 'a reaction',
    async write({ home }) {
      const reaction = await home.reaction();
      return {
        method: 'DELETE',
        path: `/reactions/${reaction.id}`,
        home: () => [
          ['reaction.deleted', reaction],
          ['message.updated', { id: reaction.messageId, reactions: [] }],
        ],
      };
    },
  },
];

const threadCases: EventCase[] = [
  {
    operation: 'threadInsert',
    what: 'a thread on a message',
    write: async ({ home }) => ({
      method: 'POST',
      path: '/threads',
      body: { messageId: (await home.message()).id },
      home: only('thread.created'),
    }),
  },
  {
    operation: 'threadUpdate',
    what: 'a thread',
    write: async ({ home }) => ({
      method: 'PATCH',
      path: `/threads/${(await home.thread()).id}`,
      body: { locked: true },
      home: only('thread.updated', { locked: true }),
    }),
  },
  {
    operation: 'threadDelete',
    what: 'a thread with replies, on which other threads hang',
    async write({ home, guest, guestUser }) {
      const thread = await home.thread();
      const reply = await home.message({ threadId: thread.id, content: `@${guestUser.username}` });
      await home.pin(reply.id);
      await home.make('/reactions', { messageId: reply.id, emoji: '🎉' }, guest);
      const empty = await home.thread({ messageId: reply.id });
      const full = await home.thread({ messageId: reply.id });
      await home.message({ threadId: full.id });
      return {
        method: 'DELETE',
        path: `/threads/${thread.id}`,
        home: () => [
          ['thread.deleted', { id: thread.id, replyCount: 1 }],
          ['thread.deleted', empty],
          ['thread.updated', { id: full.id, messageId: null, replyCount: 1 }],
        ],
      };
    },
  },
];

const indicatorCases: EventCase[] = [
  {
    operation: 'indicatorInsert',
    what: 'what is of the moment is not logged',
    write: async () => ({ method: 'POST', path: '/indicators', body: { type: 'typing' } }),
  },
  {
    operation: 'indicatorUpdate',
    what: 'what is of the moment is not logged',
    write: async ({ home }) => ({
      method: 'PATCH',
      path: `/indicators/${(await home.indicator()).id}`,
      body: {},
    }),
  },
  {
    operation: 'indicatorDelete',
    what: 'what is of the moment is not logged',
    write: async ({ home }) => ({ method: 'DELETE', path: `/indicators/${(await home.indicator()).id}` }),
  },
];

/** Channels and what hangs on them. */
export const channelCases: readonly EventCase[] = [
  ...ownCases,
  ...messageCases,
  ...threadCases,
  ...indicatorCases,
];
