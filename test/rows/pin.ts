import assert from 'node:assert/strict';
import { recordsOf } from '../support/known.ts';
import { anInsert, idOf, one, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds, type Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import { type Json, listAll } from '../support/world.ts';
import { shownMessage } from './message.ts';
import type { Noun } from './row.ts';

const pin: Fields = { serverId: 'id', channelId: 'id', messageId: 'id', creatorId: 'id' };

const make = async (scene: Scene): Promise<Json> =>
  scene.make('/pins', { messageId: (await scene.message()).id });

const rule: Rule = { flags: ['canEditChannel', 'canModerate'] };

export const pins: Noun = {
  name: 'pin',
  group: 'Pins',
  limit: 60,
  events: ['created', 'deleted'],
  goesWith: ['channel', 'thread'],
  make,

  /** A page of pins lists messages, each with its pin. */
  async all({ watchers: [admin] }, shown) {
    const found: Json[] = [];
    for (const channelId of recordsOf(shown, 'channel').keys()) {
      for (const { pin, ...message } of await listAll(admin, `/channels/${channelId}/pins`)) {
        assert.deepEqual(message, recordsOf(shown, 'message').get(message.id), 'a pinned message');
        found.push({ ...pin, channelId, messageId: message.id });
      }
    }
    return found;
  },
  visible: ({ id, channelId, messageId, creatorId, createdAt }) => ({
    id,
    channelId,
    messageId,
    creatorId,
    createdAt,
  }),

  reads: [
    {
      name: 'pinnedMessagesPage',
      path: '/channels/:channelId/pins',
      answer: { ...shownMessage, pin: { id: 'id', creatorId: 'id', createdAt: 'time' } },
      sight: 'channel',
      ready: async (scene) => ({ id: (await make(scene)).channelId }),
      listings: [
        {
          order: 'newest',
          key: ({ pin }) => pin.id,
          async open(scene) {
            const { id: channelId } = await scene.channel();
            return {
              path: `/channels/${channelId}/pins`,
              async add() {
                const { id: messageId } = await scene.message({ channelId });
                return (await scene.make('/pins', { messageId })).id;
              },
              take: (id) => scene.remove(`/pins/${id}`),
            };
          },
        },
      ],
    },
  ],

  writes: [
    {
      name: 'pinInsert',
      method: 'POST',
      path: '/pins',
      answer: pin,
      rule,
      channels: channelKinds,
      once: true,
      ready: async (scene) => ({ body: { messageId: (await scene.message()).id } }),
      fields: { messageId: 'reference!' },
      events: [
        {
          what: 'a pin',
          async write({ home }) {
            const { id } = await home.message();
            return {
              body: { messageId: id },
              home: (made) => [
                ['pin.created', made],
                ['message.updated', { id, pinned: true }],
              ],
            };
          },
        },
      ],
      random: [anInsert(5, (place, choice) => ({ messageId: idOf(one(place, choice, 'message')) }))],
    },
    {
      name: 'pinDelete',
      method: 'DELETE',
      path: '/pins/:id',
      answer: pin,
      rule,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a pin',
          async write({ home }) {
            const pin = await make(home);
            return {
              id: pin.id,
              home: () => [
                ['pin.deleted', pin],
                ['message.updated', { id: pin.messageId, pinned: false }],
              ],
            };
          },
        },
      ],
      random: [toOne(2, 'pin')],
    },
  ],
};
