import type { EventCase } from '../support/eventStage.ts';
import { dataOf } from '../support/expect.ts';
import { upload } from '../support/uploads.ts';

/** The ways in which sending a message appends events. */
export const messageSends: readonly [EventCase, ...EventCase[]] = [
  {
    what: 'a message',
    write: async ({ home }) => ({
      body: { channelId: (await home.channel()).id, content: 'Hello' },
      home: (made) => [['message.created', { ...made, pinned: false, reactions: [], editedAt: null }]],
    }),
  },
  {
    what: 'a message with a file',
    async write({ home, world }) {
      const { id: channelId } = await home.channel();
      const { id } = dataOf(await upload(world, home.admin));
      return {
        body: { channelId, content: 'See here', attachmentIds: [id] },
        home: (made) => [
          ['message.created', { id: made.id }],
          ['attachment.updated', { id, messageId: made.id, channelId }],
        ],
      };
    },
  },
  {
    what: 'a reply with a mention, in a followed thread',
    async write({ home, world, guest, guestUser }) {
      const follower = await world.client(home.server, ['canEditData']);
      const thread = await home.make('/threads', { channelId: (await home.channel()).id }, follower);
      const answered = await home.make('/messages', { threadId: thread.id, content: 'Well?' }, guest);
      const mentioned = await world.user();
      await world.member(home.server, mentioned);
      return {
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
];
