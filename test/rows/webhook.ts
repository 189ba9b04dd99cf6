import { anInsert, idOf, one, toOne } from '../support/randomWrites.ts';
import { addDelivery, takeDelivery } from '../support/rows.ts';
import { allIn } from '../support/shown.ts';
import type { Noun } from './row.ts';
import { delivery, make, otherWrites, receiver, rule, sender, url, webhook } from './webhookWrites.ts';

export const webhooks: Noun = {
  name: 'webhook',
  group: 'Webhooks',
  limit: 60,
  events: ['created', 'updated', 'deleted'],
  make: (scene) => scene.webhook(),
  all: allIn('webhooks'),

  reads: [
    {
      name: 'webhooksByServer',
      path: '/servers/:serverId/webhooks',
      answer: webhook,
      sight: 'canEditApp',
      ready: async (scene) => ({ id: (await scene.webhook()).serverId }),
      listings: [
        {
          order: 'newest',
          open: async (scene) => ({
            path: `/servers/${scene.server.id}/webhooks`,
            add: async () => (await scene.webhook()).id,
            take: (id) => scene.remove(`/webhooks/${id}`),
          }),
        },
      ],
    },
    {
      name: 'webhookById',
      path: '/webhooks/:webhookId',
      answer: webhook,
      sight: 'canEditApp',
      ready: async (scene) => ({ id: (await make(scene)).id }),
    },
    {
      name: 'webhookDeliveries',
      path: '/webhooks/:id/deliveries',
      answer: delivery,
      sight: 'canEditApp',
      async ready(scene) {
        const { id } = await make(scene);
        await addDelivery(scene.world, id);
        return { id };
      },
      listings: [
        {
          order: 'newest',
          async open(scene) {
            const { id } = await scene.webhook();
            return {
              path: `/webhooks/${id}/deliveries`,
              add: async () => (await addDelivery(scene.world, id)).id,
              take: (id) => takeDelivery(scene.world, id),
            };
          },
        },
      ],
    },
  ],

  writes: [
    {
      name: 'webhookInsert',
      method: 'POST',
      path: '/webhooks',
      answer: { ...webhook, secret: 'text' },
      rule,
      ready: async () => ({ body: { url: 'https://example.com/palaver' } }),
      sample: () => ({ types: ['message.*'] }),
      fields: {
        url: 'receiver!',
        direction: 'kind',
        name: 'name',
        serverId: 'reference',
        types: 'types?',
        channelId: 'reference?',
      },
      variants: [
        {
          as: 'that takes messages',
          ready: async (scene) => ({ body: { direction: 'in', channelId: (await scene.channel()).id } }),
          fields: {
            direction: 'kind',
            channelId: 'reference!',
            name: 'name',
            serverId: 'reference',
            template: 'template?',
          },
        },
      ],
      events: [
        {
          what: 'a webhook that sends events',
          write: async () => ({
            body: { url, types: ['message.*'] },
            home: ({ secret: _secret, ...webhook }) => [
              ['webhook.created', { ...webhook, secret: undefined }],
            ],
          }),
        },
        {
          what: 'a webhook that takes messages, with its own agent',
          async write(stage) {
            const { home, world } = stage;
            const { id: channelId } = await home.channel();
            const { id: roleId } = await world.defaultRole(home.server);
            const memberCount = await stage.memberCount();
            return {
              body: { direction: 'in', name: 'Reports', channelId },
              home: ({ id, userId }) => [
                ['serverMember.created', { userId, user: { id: userId, type: 'agent' }, roleIds: [roleId] }],
                ['userRole.created', { userId, roleId }],
                ['server.updated', { id: home.server.id, memberCount: memberCount + 1 }],
                ['webhook.created', { id, userId, channelId, token: undefined, path: undefined }],
              ],
            };
          },
        },
      ],
      random: [
        anInsert(2, () => ({ url })),
        anInsert(2, (place, choice) => ({
          ...(choice.flag() ? { direction: 'in' } : { url }),
          channelId: idOf(one(place, choice, 'channel')),
        })),
      ],
    },
    {
      name: 'webhookUpdate',
      method: 'PATCH',
      path: '/webhooks/:id',
      answer: webhook,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      sample: () => ({ name: 'Reports' }),
      fields: {
        name: 'name',
        url: 'receiver',
        types: 'types?',
        channelId: 'reference?',
        enabled: 'flag',
        rotateSecret: 'action',
      },
      variants: [
        {
          as: 'that takes messages',
          ready: async (scene) => ({ id: (await receiver(scene)).id }),
          fields: { name: 'name', template: 'template?' },
        },
      ],
      events: [
        {
          what: 'a webhook that sends events',
          write: async (stage) => ({
            id: (await sender(stage)).id,
            body: { name: 'Reports', rotateSecret: true },
            home: ({ secret: _secret, ...webhook }) => [
              ['webhook.updated', { ...webhook, secret: undefined }],
            ],
          }),
        },
      ],
      random: [toOne(1, 'webhook', ({ unique }) => ({ name: unique('hook') }))],
    },
    {
      name: 'webhookDelete',
      method: 'DELETE',
      path: '/webhooks/:id',
      answer: webhook,
      rule,
      ready: async (scene) => ({ id: (await make(scene)).id }),
      events: [
        {
          what: 'a webhook that sends events',
          async write(stage) {
            const webhook = await sender(stage);
            return { id: webhook.id, home: () => [['webhook.deleted', webhook]] };
          },
        },
      ],
      random: [toOne(1, 'webhook')],
    },
    ...otherWrites,
  ],
};
