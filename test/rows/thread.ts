import assert from 'node:assert/strict';
import { recordsOf } from '../support/known.ts';
import { anInsert, idOf, one, toOne } from '../support/randomWrites.ts';
import { type Fields, whole } from '../support/records.ts';
import { channelKinds, participant, type Rule } from '../support/rules.ts';
import { byId, those } from '../support/shown.ts';
import { threadDeletes } from './cascades.ts';
import { shownMessage } from './message.ts';
import type { Noun } from './row.ts';

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

const editor: Rule = { owner: true, agent: true, flags: ['canAdmin'], closedByReadonly: true };

export const threads: Noun = {
  name: 'thread',
  group: 'Threads',
  limit: 20,
  events: ['created', 'updated', 'deleted'],
  goesWith: ['channel'],
  make: (scene) => scene.thread(),

  /** No list contains all threads, so they are read by the ids in events and compared with their replies. */
  async all({ watchers: [admin], known }, shown) {
    const found = await those(admin, '/threads/', known.thread);
    for (const { id, messages, replyCount } of found) {
      const replies = [...recordsOf(shown, 'message').values()].filter(({ threadId }) => threadId === id);
      assert.deepEqual(messages, replies.sort(byId), 'the replies of a thread');
      assert.equal(replyCount, replies.length);
    }
    const infos = await those(admin, '/threads/', known.thread, '/info');
    assert.deepEqual(
      infos,
      found.map(({ messages: _messages, nextCursor: _nextCursor, ...info }) => info),
    );
    return infos;
  },

  reads: [
    {
      name: 'threadWithMessages',
      hasLimit: true,
      path: '/threads/:threadId',
      answer: { ...thread, messages: [whole(shownMessage)], nextCursor: 'text?' },
      sight: 'channel',
      async ready(scene) {
        const { id } = await scene.thread();
        await scene.message({ threadId: id });
        return { id };
      },
    },
    {
      name: 'threadsByMessageId',
      path: '/messages/:messageId/threads',
      answer: thread,
      sight: 'channel',
      ready: async (scene) => ({ id: (await scene.thread()).messageId }),
      listings: [
        {
          order: 'oldest',
          async open(scene) {
            const { id: messageId } = await scene.message();
            return {
              path: `/messages/${messageId}/threads`,
              add: async () => (await scene.thread({ messageId })).id,
              take: (id) => scene.remove(`/threads/${id}`),
            };
          },
        },
      ],
    },
    {
      name: 'threadsByChannel',
      path: '/channels/:channelId/threads',
      answer: thread,
      sight: 'channel',
      ready: async (scene) => ({ id: (await scene.thread()).channelId }),
      listings: [
        {
          order: 'newest',
          async open(scene) {
            const { id: channelId } = await scene.channel();
            return {
              path: `/channels/${channelId}/threads`,
              add: async () => (await scene.thread({ channelId })).id,
              take: (id) => scene.remove(`/threads/${id}`),
            };
          },
        },
      ],
    },
    {
      name: 'threadById',
      path: '/threads/:threadId/info',
      answer: thread,
      sight: 'channel',
      ready: (scene) => scene.thread(),
    },
  ],

  writes: [
    {
      name: 'threadInsert',
      method: 'POST',
      path: '/threads',
      answer: thread,
      rule: participant,
      channels: channelKinds,
      ready: async (scene) => ({ body: { messageId: (await scene.message()).id } }),
      fields: { channelId: 'reference', messageId: 'reference!', name: 'name?' },
      variants: [
        {
          as: 'in a channel',
          ready: async (scene) => ({ body: { channelId: (await scene.place()).id } }),
          fields: { channelId: 'reference!', name: 'name?' },
        },
      ],
      events: [
        {
          what: 'a thread on a message',
          write: async ({ home }) => ({
            body: { messageId: (await home.message()).id },
            home: (made) => [['thread.created', made]],
          }),
        },
      ],
      random: [
        anInsert(6, (place, choice) => ({ messageId: idOf(one(place, choice, 'message')) })),
        anInsert(2, (place, choice) => ({ channelId: idOf(one(place, choice, 'channel')) })),
      ],
    },
    {
      name: 'threadUpdate',
      method: 'PATCH',
      path: '/threads/:id',
      answer: thread,
      rule: editor,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await scene.thread()).id }),
      sample: () => ({ name: 'Plans' }),
      fields: { name: 'name?', locked: 'flag' },
      events: [
        {
          what: 'a thread',
          write: async ({ home }) => ({
            id: (await home.thread()).id,
            body: { locked: true },
            home: (made) => [['thread.updated', { ...made, locked: true }]],
          }),
        },
      ],
      random: [
        toOne(2, 'thread', ({ unique }, choice) => ({ name: unique('thread'), locked: choice.flag() })),
      ],
    },
    {
      name: 'threadDelete',
      method: 'DELETE',
      path: '/threads/:id',
      answer: thread,
      rule: editor,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await scene.thread()).id }),
      events: threadDeletes,
      random: [toOne(2, 'thread')],
    },
  ],
};
