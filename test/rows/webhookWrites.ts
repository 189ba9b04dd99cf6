import type { EventStage } from '../support/eventStage.ts';
import { postTo } from '../support/hookPost.ts';
import { endOf, logOf } from '../support/log.ts';
import { toOne } from '../support/randomWrites.ts';
import type { Fields } from '../support/records.ts';
import { addDelivery } from '../support/rows.ts';
import type { Rule } from '../support/rules.ts';
import type { Scene } from '../support/scene.ts';
import type { Json } from '../support/world.ts';
import type { Write } from './row.ts';

// Rows for the writes that change no field of a webhook, and the code that all rows for webhooks share.

export const webhook: Fields = {
  serverId: 'id',
  direction: 'text',
  name: 'text',
  url: 'text?',
  types: 'list?',
  channelId: 'id?',
  template: 'text?',
  enabled: 'flag',
  disabledReason: 'text?',
  roleId: 'id',
  userId: 'id?',
  creatorId: 'id',
};

export const delivery: Fields = {
  webhookId: 'id',
  eventId: 'text',
  type: 'text',
  attempt: 'count',
  status: 'count?',
  error: 'text?',
  ms: 'count',
  nextAt: 'time?',
};

export const rule: Rule = { flags: ['canEditApp'] };

export const url = 'https://receiver.invalid/palaver';

/** Creates a webhook as a member with only canEditApp, because callers must have all flags of the webhook's role. */
export async function make(scene: Scene): Promise<Json> {
  const maker = await scene.world.client(scene.server, ['canEditApp']);
  return scene.make('/webhooks', { url: 'https://example.com/palaver' }, maker);
}

/** Like `make`, but for an incoming webhook. */
export async function receiver(scene: Scene): Promise<Json> {
  const maker = await scene.world.client(scene.server, ['canEditApp']);
  const { id: channelId } = await scene.channel();
  return scene.make('/webhooks', { direction: 'in', channelId }, maker);
}

/** An outgoing webhook as it appears in events, without its secret. */
export async function sender({ home }: EventStage): Promise<Json> {
  const { secret: _secret, ...webhook } = await home.webhook({ url });
  return webhook;
}

/** A webhook's delivery of the latest event. */
async function sentBy({ id }: Json, scene: Scene): Promise<{ id: string }> {
  const eventId = await scene.cursor();
  return { id: (await addDelivery(scene.world, id, { eventId })).id };
}

export const otherWrites: Write[] = [
  {
    name: 'webhookPreview',
    method: 'POST',
    path: '/webhooks/:id/preview',
    answer: { body: 'text?', isWhole: 'flag', receivedAt: 'time?', content: 'text?' },
    rule,
    async ready(scene) {
      const { id, path } = await receiver(scene);
      // The request is rejected, because the role may not send messages. The body is kept nevertheless.
      await postTo(scene.world, path, { service: 'db' });
      return { id, body: { template: '{{service}}' } };
    },
    fields: { template: 'template?' },
    events: [
      {
        what: 'a webhook that takes messages, but none of it in the log',
        async write({ home }) {
          const { id: channelId } = await home.channel();
          const { id, path } = await home.webhook({ direction: 'in', url: undefined, channelId });
          await postTo(home.world, path, { text: 'Hello' });
          return { id, body: {}, home: () => [] };
        },
      },
    ],
    random: [toOne(3, 'webhook', () => ({ template: '{{service}}' }))],
  },
  {
    name: 'webhookReplay',
    method: 'POST',
    changes: true,
    path: '/webhooks/:id/replay',
    answer: webhook,
    rule,
    async ready(scene) {
      const { id } = await make(scene);
      return { id, body: { after: await scene.cursor() } };
    },
    fields: { after: 'cursor!' },
    events: [
      {
        what: 'a webhook that sends events',
        async write(stage) {
          const { id } = await sender(stage);
          const serverId = stage.home.server.id;
          const [last] = await logOf(stage.world, serverId, (await endOf(stage.world, serverId)) - 1);
          return { id, body: { after: last?.id }, home: (webhook) => [['webhook.updated', webhook]] };
        },
      },
    ],
    random: [
      toOne(
        1,
        'webhook',
        ({ latest }) => ({ after: latest }),
        () =>
          ({ direction }) =>
            direction === 'out',
      ),
    ],
  },
  {
    name: 'webhookPing',
    method: 'POST',
    path: '/webhooks/:id/ping',
    answer: delivery,
    rule,
    ready: async (scene) => ({ id: (await make(scene)).id }),
    events: [
      {
        what: 'a webhook that sends events, but none of it in the log',
        write: async (stage) => ({ id: (await sender(stage)).id, home: () => [] }),
      },
    ],
    random: [toOne(2, 'webhook')],
  },
  {
    name: 'webhookRedeliver',
    method: 'POST',
    path: '/webhook-deliveries/:id/redeliver',
    answer: delivery,
    rule,
    ready: async (scene) => sentBy(await make(scene), scene),
    events: [
      {
        what: 'a webhook that sends events, but none of it in the log',
        write: async (stage) => ({ ...(await sentBy(await sender(stage), stage.home)), home: () => [] }),
      },
    ],
    random: [
      {
        weight: 4,
        write({ deliveries }, choice) {
          const id = choice.of([...deliveries].sort());
          return id === undefined ? undefined : { id };
        },
      },
    ],
  },
];
