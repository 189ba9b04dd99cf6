import { anInsert, one, toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { channelKinds, type Rule } from '../support/rules.ts';
import { allIn } from '../support/shown.ts';
import { channelDeletes } from './cascades.ts';
import type { Noun } from './row.ts';

const channel: Fields = {
  serverId: 'id',
  kind: 'text',
  name: 'text',
  description: 'text?',
  private: 'flag',
  readonly: 'flag',
  slowSeconds: 'count',
  retentionDays: 'count?',
  position: 'count',
  categoryId: 'id?',
  creatorId: 'id',
  roleIds: 'ids',
  memberIds: 'list?',
  image: 'text?',
};

const fields = {
  description: 'longText?',
  private: 'flag',
  readonly: 'flag',
  slowSeconds: 'slow',
  retentionDays: 'days?',
  position: 'whole',
  categoryId: 'reference?',
  roleIds: 'references',
} as const;

const rule: Rule = { creator: true, flags: ['canEditChannel', 'canEditServer'] };

export const channels: Noun = {
  name: 'channel',
  group: 'Channels',
  limit: 10,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.place(),
  all: allIn('channels'),

  reads: [
    {
      name: 'channelsByServer',
      path: '/servers/:serverId/channels',
      answer: channel,
      sight: 'server',
      ready: async (scene) => ({ id: (await scene.channel()).serverId }),
      listings: [
        {
          order: 'position',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/channels`,
            add: async (position) => (await scene.channel({ position })).id,
            take: (id) => scene.remove(`/channels/${id}`),
          }),
        },
      ],
    },
    {
      name: 'channelById',
      path: '/channels/:channelId',
      answer: channel,
      sight: 'channel',
      ready: async (scene) => ({ id: (await scene.place()).id }),
    },
  ],

  writes: [
    {
      name: 'channelInsert',
      method: 'POST',
      path: '/channels',
      answer: channel,
      rule,
      once: true,
      ready: async ({ world }) => ({ body: { name: world.unique('channel') } }),
      fields: { ...fields, name: 'name!', serverId: 'reference' },
      events: [
        {
          what: 'a channel',
          write: async ({ world }) => ({
            body: { name: world.unique('channel') },
            home: (made) => [['channel.created', made]],
          }),
        },
      ],
      random: [
        anInsert(3, (place, choice) => ({
          name: place.unique('channel'),
          private: choice.flag(),
          roleIds: [one(place, choice, 'role')?.id],
        })),
      ],
    },
    {
      name: 'channelUpdate',
      method: 'PATCH',
      path: '/channels/:id',
      answer: channel,
      rule,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await scene.place()).id }),
      sample: () => ({ description: 'Talk' }),
      fields: { ...fields, name: 'name' },
      events: [
        {
          what: 'a channel',
          write: async ({ home }) => ({
            id: (await home.channel()).id,
            body: { readonly: true },
            home: (made) => [['channel.updated', { ...made, readonly: true }]],
          }),
        },
      ],
      random: [
        toOne(2, 'channel', (place, choice) => ({
          description: place.unique('about'),
          private: choice.flag(),
        })),
      ],
    },
    {
      name: 'channelDelete',
      method: 'DELETE',
      path: '/channels/:id',
      answer: channel,
      rule,
      channels: channelKinds,
      ready: async (scene) => ({ id: (await scene.place()).id }),
      events: channelDeletes,
      random: [toOne(1, 'channel')],
    },
  ],
};
