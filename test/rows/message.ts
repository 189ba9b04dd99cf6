import { recordsOf } from '../support/known.ts';
import { anInsert, idOf, one, toOne, words } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds, participant, type Rule } from '../support/rules.ts';
import { type Json, listAll } from '../support/world.ts';
import { messageDeletes } from './cascades.ts';
import { listing } from './messageListing.ts';
import type { Noun } from './row.ts';
import { messageSends } from './sends.ts';
import { messageStop } from './stream.ts';

export const message: Fields = {
  serverId: 'id',
  type: 'text',
  channelId: 'id',
  isThreadReply: 'flag',
  creatorId: 'id',
  content: 'text',
  deleted: 'flag',
};

export const shownMessage: Fields = {
  ...message,
  editedAt: 'time?',
  threadId: 'id?',
  replyToId: 'id?',
  pinned: 'flag',
  reactions: [{ emoji: 'text', count: 'count' }],
  stream: 'text?',
};

const shown = { attachmentIds: 'references', blocks: 'blocks', streaming: 'action' } as const;
const editor: Rule = { owner: true, flags: ['canModerate'], closedByReadonly: true };

export const messages: Noun = {
  name: 'message',
  group: 'Messages',
  limit: 30,
  events: ['created', 'updated', 'deleted'],
  goesWith: ['channel', 'thread'],
  make: (scene) => scene.message(),
  // `finished` is only in events.
  visible: ({ finished: _finished, ...record }) => record,
  async all({ watchers: [admin] }, shown) {
    const found: Json[] = [];
    for (const channelId of recordsOf(shown, 'channel').keys())
      found.push(...(await listAll(admin, `/channels/${channelId}/messages`)));
    return found;
  },

  reads: [
    {
      name: 'channelMessages',
      path: '/channels/:channelId/messages',
      answer: shownMessage,
      sight: 'channel',
      ready: async (scene) => ({ id: (await scene.message()).channelId }),
      filters: {
        creatorId: 'reference',
        type: ['person', 'agent', 'system'],
        isThreadReply: 'flag',
        hasFile: 'flag',
        hasLink: 'flag',
        pinned: 'flag',
        mentionsMe: 'flag',
        after: 'moment',
        before: 'moment',
        q: 'words',
        order: ['asc', 'desc'],
        around: 'here',
      },
      listings: [
        listing('newest'),
        listing('oldest', 'oldest first', () => '?order=asc'),
        listing('newest', 'of one creator', ({ owner }) => `?creatorId=${owner.id}`),
        listing('newest', 'without files', () => '?hasFile=false'),
        listing('oldest', 'out of threads, oldest first', () => '?isThreadReply=false&order=asc'),
        listing('newest', 'with a word', () => '?q=hope'),
        listing('oldest', 'with a word, oldest first', () => '?q=hope&order=asc'),
      ],
    },
    {
      name: 'serverMessages',
      path: '/servers/:serverId/messages',
      needs: '?q=hello',
      answer: shownMessage,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.message()).serverId }),
      filters: {
        creatorId: 'reference',
        type: ['person', 'agent', 'system'],
        isThreadReply: 'flag',
        hasFile: 'flag',
        hasLink: 'flag',
        pinned: 'flag',
        mentionsMe: 'flag',
        after: 'moment',
        before: 'moment',
        q: 'words!',
      },
      listings: [
        {
          order: 'newest',
          async open(scene) {
            const { id: hidden } = await scene.channel({ private: true });
            const { id: open } = await scene.channel();
            let count = 0;
            return {
              path: `/servers/${scene.server.id}/messages?q=hope`,
              async add() {
                await scene.message({ channelId: open, content: 'Something else' });
                const channelId = count++ % 2 === 0 ? open : hidden;
                return (await scene.message({ channelId, content: 'A word of hope' })).id;
              },
              take: (id) => scene.remove(`/messages/${id}`),
            };
          },
        },
      ],
    },
    {
      name: 'messageById',
      path: '/messages/:messageId',
      answer: shownMessage,
      sight: 'channel',
      ready: (scene) => scene.message(),
    },
  ],

  writes: [
    {
      name: 'messageSend',
      method: 'POST',
      path: '/messages',
      answer: message,
      rule: participant,
      channels: channelKinds,
      ready: async (scene) => ({ body: { channelId: (await scene.place()).id, content: 'Hello' } }),
      sample: ({ server }) => ({ serverId: server.id }),
      fields: {
        channelId: 'reference!',
        content: 'content!',
        serverId: 'reference',
        threadId: 'reference',
        replyToId: 'reference',
        ...shown,
      },
      variants: [
        {
          as: 'in a thread',
          ready: async (scene) => ({ body: { threadId: (await scene.thread()).id, content: 'Hello' } }),
          fields: {
            content: 'content!',
            channelId: 'reference',
            serverId: 'reference',
            threadId: 'reference!',
            replyToId: 'reference',
            ...shown,
          },
        },
      ],
      events: messageSends,
      random: [
        anInsert(12, (place, choice) => ({
          channelId: idOf(one(place, choice, 'channel')),
          content: words(place, choice),
        })),
        anInsert(12, (place, choice) => ({
          threadId: idOf(one(place, choice, 'thread')),
          content: words(place, choice),
        })),
        anInsert(3, (place, choice) => ({
          channelId: idOf(one(place, choice, 'channel')),
          streaming: true,
        })),
        anInsert(4, (place, choice) => {
          const message = one(place, choice, 'message');
          return message && { channelId: message.channelId, replyToId: message.id, content: 'Yes' };
        }),
      ],
    },
    {
      name: 'messageSave',
      method: 'PATCH',
      path: '/messages/:id',
      answer: message,
      rule: editor,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await scene.message()).id, body: { content: 'Changed' } }),
      fields: { content: 'content', blocks: 'blocks' },
      events: [
        {
          what: 'an edit that adds a mention',
          async write({ home, guestUser }) {
            const { id } = await home.message();
            const content = `@${guestUser.username}`;
            return {
              id,
              body: { content },
              home: (made) => [
                ['message.updated', { id, content, editedAt: made.updatedAt }],
                ['notification.created', { messageId: id, userId: guestUser.id, type: 'mention' }],
              ],
            };
          },
        },
        {
          what: 'an edit that removes a mention',
          async write({ home, guest, guestUser }) {
            const { id } = await home.message({ content: `@${guestUser.username}` });
            const [notification] = (await guest.get('/notifications')).data;
            return {
              id,
              body: { content: 'Nobody' },
              home: (made) => [
                ['message.updated', { id, content: 'Nobody', editedAt: made.updatedAt }],
                ['notification.deleted', notification],
              ],
            };
          },
        },
      ],
      random: [toOne(4, 'message', (place, choice) => ({ content: words(place, choice) }))],
    },
    {
      name: 'messageDelete',
      method: 'DELETE',
      path: '/messages/:id',
      answer: message,
      rule: editor,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await scene.message()).id }),
      events: messageDeletes,
      random: [toOne(5, 'message')],
    },
    messageStop,
    {
      name: 'messageDeleteMany',
      method: 'POST',
      path: '/messages/delete',
      answer: { channelId: 'id', ids: 'ids' },
      removes: true,
      rule: editor,
      channels: channelKinds,
      async ready(scene) {
        const { id, channelId } = await scene.message();
        return { body: { channelId, ids: [id] } };
      },
      fields: { channelId: 'reference!', ids: 'references!' },
      events: [
        {
          what: 'several messages, newest first, with a thread and its replies',
          async write({ home }) {
            const { id: channelId } = await home.channel();
            const plain = await home.message({ channelId });
            const root = await home.message({ channelId });
            const thread = await home.thread({ messageId: root.id });
            const reply = await home.message({ threadId: thread.id });
            const reaction = await home.make('/reactions', { messageId: plain.id, emoji: '👍' });
            await home.message({ channelId });
            return {
              body: { channelId, ids: [plain.id, root.id, reply.id] },
              home: () => [
                ['message.deleted', { id: reply.id }],
                ['thread.updated', { id: thread.id, replyCount: 0 }],
                ['message.deleted', { id: root.id }],
                ['thread.deleted', { id: thread.id }],
                ['message.deleted', { id: plain.id, reactions: [{ emoji: '👍', count: 1 }] }],
                ['reaction.deleted', reaction],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(3, (place, choice) => {
          const first = one(place, choice, 'message');
          const second = one(place, choice, 'message', ({ channelId }) => channelId === first?.channelId);
          return first && { channelId: first.channelId, ids: [...new Set([first.id, idOf(second)])] };
        }),
      ],
    },
  ],
};
