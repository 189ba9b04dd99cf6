import { dataOf } from '../support/expect.ts';
import { anInsert, idOf, one, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds, participant } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const reaction: Fields = { serverId: 'id', channelId: 'id', messageId: 'id', userId: 'id', emoji: 'text' };

const make = async (scene: Scene): Promise<Json> =>
  scene.make('/reactions', { messageId: (await scene.message()).id, emoji: '👍' });

export const reactions: Noun = {
  name: 'reaction',
  group: 'Reactions',
  limit: 30,
  events: ['created', 'deleted'],
  goesWith: ['channel', 'thread'],
  make,
  reads: [
    {
      name: 'reactionsByMessageId',
      path: '/messages/:messageId/reactions',
      answer: reaction,
      sight: 'channel',
      ready: async (scene) => ({ id: (await make(scene)).messageId }),
      filters: { emoji: 'reference' },
      listings: [
        {
          order: 'oldest',
          async open(scene) {
            const { id: messageId } = await scene.message();
            return {
              path: `/messages/${messageId}/reactions`,
              add: async () =>
                (await scene.make('/reactions', { messageId, emoji: scene.world.unique('emoji') })).id,
              take: (id) => scene.remove(`/reactions/${id}`),
            };
          },
        },
        {
          as: 'with an emoji',
          order: 'oldest',
          async open(scene) {
            const { world, server } = scene;
            const { id: messageId } = await scene.message();
            await scene.make('/reactions', { messageId, emoji: '👀' });
            return {
              path: `/messages/${messageId}/reactions?emoji=${encodeURIComponent('👍')}`,
              async add() {
                const client = await world.client(server, ['canEditData'], await world.user());
                return dataOf(await client.post('/reactions', { messageId, emoji: '👍' })).id;
              },
              take: (id) => scene.remove(`/reactions/${id}`),
            };
          },
        },
      ],
    },
  ],
  writes: [
    {
      name: 'reactionInsert',
      method: 'POST',
      path: '/reactions',
      answer: reaction,
      rule: participant,
      channels: channelKinds,
      once: true,
      ready: async (scene) => ({ body: { messageId: (await scene.message()).id, emoji: '👍' } }),
      fields: { messageId: 'reference!', emoji: 'emoji!' },
      events: [
        {
          what: 'a reaction',
          async write({ home }) {
            const { id } = await home.message();
            return {
              body: { messageId: id, emoji: '🎉' },
              home: (made) => [
                ['reaction.created', made],
                ['message.updated', { id, reactions: [{ emoji: '🎉', count: 1 }] }],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(8, (place, choice) => ({
          messageId: idOf(one(place, choice, 'message')),
          emoji: choice.of(['👍', '🎉', '👀']),
        })),
      ],
    },
    {
      name: 'reactionDelete',
      method: 'DELETE',
      path: '/reactions/:id',
      answer: reaction,
      rule: { owner: true, flags: ['canModerate'] },
      channels: channelKinds,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a reaction',
          async write({ home }) {
            const reaction = await make(home);
            return {
              id: reaction.id,
              home: () => [
                ['reaction.deleted', reaction],
                ['message.updated', { id: reaction.messageId, reactions: [] }],
              ],
            };
          },
        },
      ],
      random: [toOne(2, 'reaction')],
    },
  ],
};
