import { toOne, words } from '../support/randomWrites.ts';
import { channelKinds, participant } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Noun, Write } from './row.ts';

const isOpen = () => (row: Json) => row.stream === 'open';

/** Begins a streamed message. */
const begin = async (scene: Scene, content = 'Hello'): Promise<Json> =>
  scene.make('/messages', { channelId: (await scene.place()).id, streaming: true, content });

export const messageStop: Write = {
  name: 'messageStop',
  method: 'POST',
  path: '/messages/:id/stop',
  answer: {
    serverId: 'id',
    type: 'text',
    channelId: 'id',
    isThreadReply: 'flag',
    creatorId: 'id',
    content: 'text',
    deleted: 'flag',
  },
  changes: true,
  rule: participant,
  channels: channelKinds,
  ready: async (scene) => ({ id: (await begin(scene)).id }),
  events: [
    {
      what: 'the end of a streamed message',
      async write({ home }) {
        const { id } = await begin(home, 'So far');
        const ended = { id, content: 'So far', stream: 'stopped', finished: true };
        return { id, home: () => [['message.updated', ended]] };
      },
    },
  ],
  random: [toOne(1, 'message', undefined, isOpen)],
};

export const messageDeltas: Noun = {
  name: 'messageDelta',
  group: 'Messages',
  limit: 3_000,
  events: ['appended'],
  live: true,
  reads: [],
  writes: [
    {
      name: 'messageAppend',
      method: 'POST',
      path: '/messages/:id/append',
      answer: { id: 'id', offset: 'count' },
      changes: true,
      rule: { owner: true, flags: [], ownOnly: true, closedByReadonly: true },
      channels: channelKinds,
      ready: async (scene) => ({ id: (await begin(scene)).id, body: { offset: 5, text: ', world' } }),
      sample: () => ({ done: false }),
      fields: { offset: 'place!', text: 'piece!', done: 'action' },
      // Only the end of a stream is in the log.
      random: [
        toOne(
          3,
          'message',
          (place, choice) => ({ offset: 0, text: words(place, choice), done: true }),
          isOpen,
        ),
      ],
      events: [
        {
          what: 'a complete streamed message with a mention',
          async write({ home, guestUser }) {
            const { id } = await begin(home);
            const content = `Hello, @${guestUser.username}`;
            const ended = { id, content, stream: 'done', finished: true, editedAt: null };
            return {
              id,
              body: { offset: 5, text: content.slice(5), done: true },
              home: () => [
                ['message.updated', ended],
                ['notification.created', { messageId: id, userId: guestUser.id, type: 'mention' }],
              ],
            };
          },
        },
      ],
    },
  ],
};
