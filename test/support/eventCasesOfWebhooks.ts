import type { EventCase, EventStage } from './eventStage.ts';
import { endOf, logOf } from './log.ts';
import type { Json } from './world.ts';

/** Nobody is there. */
const url = 'https://receiver.invalid/palaver';

const made = async ({ home }: EventStage): Promise<Json> => {
  const { secret: _secret, ...webhook } = await home.make('/webhooks', { url });
  return webhook;
};

export const webhookCases: readonly EventCase[] = [
  {
    operation: 'webhookInsert',
    what: 'one that sends events',
    write: async () => ({
      method: 'POST',
      path: '/webhooks',
      body: { url, types: ['message.*'] },
      home: ({ secret: _secret, ...webhook }) => [['webhook.created', { ...webhook, secret: undefined }]],
    }),
  },
  {
    operation: 'webhookInsert',
    what: 'one that takes messages, with an agent of its own',
    async write(stage) {
      const { home, world } = stage;
      const { id: channelId } = await home.channel();
      const { id: roleId } = await world.defaultRole(home.server);
      const memberCount = await stage.memberCount();
      return {
        method: 'POST',
        path: '/webhooks',
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
  {
    operation: 'webhookUpdate',
    what: 'one that sends events',
    write: async (stage) => ({
      method: 'PATCH',
      path: `/webhooks/${(await made(stage)).id}`,
      body: { name: 'Reports', rotateSecret: true },
      home: ({ secret: _secret, ...webhook }) => [['webhook.updated', { ...webhook, secret: undefined }]],
    }),
  },
  {
    operation: 'webhookDelete',
    what: 'one that sends events',
    async write(stage) {
      const webhook = await made(stage);
      return {
        method: 'DELETE',
        path: `/webhooks/${webhook.id}`,
        home: () => [['webhook.deleted', webhook]],
      };
    },
  },
  {
    operation: 'webhookReplay',
    what: 'one that sends events',
    async write(stage) {
      const { id } = await made(stage);
      const serverId = stage.home.server.id;
      const [last] = await logOf(stage.world, serverId, (await endOf(stage.world, serverId)) - 1);
      return {
        method: 'POST',
        path: `/webhooks/${id}/replay`,
        body: { after: last?.id },
        home: (webhook) => [['webhook.updated', webhook]],
      };
    },
  },
  {
    operation: 'channelDelete',
    what: 'a channel whose events a webhook sends',
    async write({ home }) {
      const { id: channelId } = await home.channel();
      const { secret: _secret, ...webhook } = await home.make('/webhooks', { url, channelId });
      return {
        method: 'DELETE',
        path: `/channels/${channelId}`,
        home: () => [
          ['channel.deleted', { id: channelId }],
          ['webhook.deleted', webhook],
        ],
      };
    },
  },
];
