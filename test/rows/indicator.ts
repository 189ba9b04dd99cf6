import { anInsert } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds, type Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Noun } from './row.ts';

const indicator: Fields = {
  type: 'text',
  text: 'text?',
  userId: 'id',
  serverId: 'id',
  channelId: 'id?',
  threadId: 'id?',
  lastActiveAt: 'time',
};

const ownUser: Rule = { owner: true, flags: [], ownOnly: true };

/** Each indicator has a unique type, because a second indicator of the same type would replace the first. */
const make = async (scene: Scene): Promise<Json> =>
  scene.indicator({ channelId: (await scene.place()).id, type: scene.world.unique('typing') });

export const indicators: Noun = {
  name: 'indicator',
  group: 'Indicators',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  live: true,
  make,
  reads: [],
  writes: [
    {
      name: 'indicatorInsert',
      method: 'POST',
      path: '/indicators',
      answer: indicator,
      rule: { anyone: true, flags: [], ownOnly: true },
      channels: channelKinds,
      ready: async () => ({ body: { type: 'typing' } }),
      sample: async (scene) => ({ channelId: (await scene.place()).id }),
      fields: {
        type: 'label!',
        text: 'activity?',
        serverId: 'reference',
        channelId: 'reference',
        threadId: 'reference',
        lastActiveAt: 'time',
      },
      variants: [
        {
          as: 'in a thread',
          ready: async (scene) => ({ body: { type: 'typing', threadId: (await scene.thread()).id } }),
          fields: {
            type: 'label!',
            text: 'activity?',
            serverId: 'reference',
            channelId: 'reference',
            threadId: 'reference',
            lastActiveAt: 'time',
          },
        },
      ],
      events: [
        { what: 'an indicator, which is not logged', write: async () => ({ body: { type: 'typing' } }) },
      ],
      random: [anInsert(1, () => ({ type: 'typing' }))],
    },
    {
      name: 'indicatorUpdate',
      method: 'PATCH',
      path: '/indicators/:id',
      answer: indicator,
      rule: ownUser,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      sample: () => ({ lastActiveAt: 1_800_000_000_000 }),
      fields: { text: 'activity?', lastActiveAt: 'time' },
      events: [
        {
          what: 'an indicator, which is not logged',
          write: async ({ home }) => ({ id: (await home.indicator()).id, body: {} }),
        },
      ],
    },
    {
      name: 'indicatorDelete',
      method: 'DELETE',
      path: '/indicators/:id',
      answer: indicator,
      rule: ownUser,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'an indicator, which is not logged',
          write: async ({ home }) => ({ id: (await home.indicator()).id }),
        },
      ],
    },
  ],
};
