import type { TSchema } from 'typebox';
import { requireWithinReach } from '../../access/grants.ts';
import { whereChannelVisible } from '../../access/whereVisible.ts';
import { insert, q, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, flag, name, nullable, optional, reference, webUrl } from '../../operations/fields.ts';
import { read } from '../../operations/read.ts';
import { write } from '../../operations/write.ts';
import { channelTarget } from '../channel/load.ts';
import {
  aheadInServer,
  alters,
  requireSameServer,
  sent,
  serverIdOf,
  serverTarget,
  touched,
} from '../common.ts';
import { listById } from '../lists.ts';
import { addAgent } from '../secret/mint.ts';
import { requireDirection, requireTemplate, requireTypes, requireUrl } from './fields.ts';
import { requireRoleOf, webhookTarget } from './load.ts';
import { newCredential } from './make.ts';
import { progressAtEnd, unclaimed } from './place.ts';
import { template, webhookPreview } from './preview.ts';
import { removeWebhooks } from './remove.ts';
import { sendingOperations } from './sending.ts';
import {
  delivery,
  direction,
  newWebhook,
  toDelivery,
  toWebhook,
  types,
  webhook,
  webhookEvents,
} from './webhookRecord.ts';

const withExample = <S extends TSchema>(schema: S, example: string): S => ({
  ...schema,
  examples: [example],
});
const url = withExample(
  webUrl('The URL to which an `out` webhook sends events'),
  'https://example.com/palaver',
);
const channelId = nullable(
  reference('An `out` webhook sends only events in this channel; an `in` webhook posts messages to it'),
);

export const webhookOperations = [
  read({
    operation: 'webhooksByServer',
    path: '/servers/:serverId/webhooks',
    tag: 'webhook',
    summary: "List a server's webhooks",
    description: 'Returns incoming and outgoing webhooks, newest first.',
    visible: 'apps',
    answer: webhook,
    list: 'many',
    target: serverTarget,
    ahead: aheadInServer,
    async run({ db, principal }, input) {
      const rows = q
        .selectFrom('webhook')
        .leftJoin('channel', 'channel.id', 'webhook.channelId')
        .selectAll('webhook')
        .where('webhook.serverId', '=', input.params.serverId)
        .where((eb) => eb.or([eb('webhook.channelId', 'is', null), whereChannelVisible(principal)]));
      return listById(db, rows, input, toWebhook, 'desc', 'webhook.id');
    },
  }),

  read({
    operation: 'webhookById',
    path: '/webhooks/:webhookId',
    tag: 'webhook',
    summary: 'Get a webhook',
    visible: 'apps',
    answer: webhook,
    target: ({ db }, { params }) => webhookTarget(db, params.webhookId),
    run: async (_call, _input, target) => toWebhook((await target).webhook),
  }),

  read({
    operation: 'webhookDeliveries',
    path: '/webhooks/:id/deliveries',
    tag: 'webhook',
    summary: "List a webhook's deliveries",
    description: 'Returns the newest deliveries first. They are kept for 7 days.',
    visible: 'apps',
    answer: delivery,
    list: 'many',
    target: ({ db }, { params }) => webhookTarget(db, params.id),
    async run({ db }, input) {
      const rows = q.selectFrom('webhookDelivery').selectAll().where('webhookId', '=', input.params.id);
      return listById(db, rows, input, toDelivery, 'desc');
    },
  }),

  write({
    operation: 'webhookInsert',
    path: '/webhooks',
    resource: 'webhook',
    verb: 'insert',
    summary: 'Create a webhook',
    description:
      'A webhook sends events or receives messages. It has the role of the API key that creates it, or your oldest role in the server if you create it in a session.',
    body: body({
      direction: optional(direction),
      name: optional(name('`Webhook` by default', 'Build reports')),
      serverId: optional(reference()),
      url: optional(url),
      types: optional(types),
      channelId: optional(channelId),
      template: optional(template),
    }),
    examples: {
      'Send events': { url: 'https://example.com/palaver', types: ['message.*'] },
      'Receive messages': { direction: 'in', name: 'Build reports', channelId: sampleId('channel') },
    },
    answer: newWebhook,
    confidential: true,
    makes: ({ body }) => (body.direction === 'in' ? ['agents'] : ['webhooks']),
    check({ body }, { events }) {
      const { direction = 'out' } = body;
      if (direction === 'out' && body.url === undefined) throw invalid('missing', 'url', 'is required');
      if (direction === 'in' && body.channelId === undefined)
        throw invalid('missing', 'channelId', 'is required');
      requireDirection(direction, body);
      requireTypes(events, body.types);
      requireTemplate(body.template);
    },
    async target(call, { body }) {
      requireUrl(body.url, call.services.allowedHosts);
      if (body.channelId == null)
        return { serverId: await serverIdOf(call, body.serverId), channel: undefined };
      const target = await channelTarget(call.db, body.channelId);
      await requireSameServer(call, body.serverId, target.serverId);
      return target;
    },
    async run(call, { body }, { serverId, channel }) {
      const { db, newRow, principal } = call;
      const { direction = 'out', name = 'Webhook', url = null, types = null, template = null } = body;
      const made = newRow();
      const credential = newCredential(call, direction, made);
      const row = {
        ...made,
        serverId,
        direction,
        name,
        url,
        types,
        channelId: channel?.id ?? null,
        template,
        enabled: true,
        disabledReason: null,
        roleId: principal.roleIds[0] as string,
        userId: direction === 'in' ? await addAgent(call, { name, serverId }) : null,
        creatorId: principal.userId,
        ...credential.stored,
      };
      const place = direction === 'out' ? await progressAtEnd(db, serverId) : undefined;
      await db.run(insert('webhook', row));
      if (place) await db.run(insert('webhookState', { id: row.id, serverId, ...place, ...unclaimed }));
      await call.emit(webhookEvents.created, toWebhook(row));
      return { ...toWebhook(row), ...credential.shown };
    },
  }),

  write({
    operation: 'webhookUpdate',
    path: '/webhooks/:id',
    resource: 'webhook',
    verb: 'update',
    summary: 'Update a webhook or rotate its secret or token',
    body: body({
      id: optional(reference()),
      name: optional(name(undefined, 'Build reports')),
      url: optional(url),
      types: optional(types),
      channelId: optional(channelId),
      template: optional(template),
      enabled: optional(
        flag(
          'True re-enables a disabled webhook immediately; it continues after the last event it sent',
          true,
        ),
      ),
      rotateSecret: optional(
        flag(
          'True creates a new secret for an `out` webhook, or a new token for an `in` webhook, and returns it in the response. The previous secret also signs events for 24 hours; the previous token is revoked immediately',
        ),
      ),
    }),
    examples: { Example: { types: ['message.created'] }, 'A new secret': { rotateSecret: true } },
    answer: newWebhook,
    confidential: true,
    check({ body }, { events }) {
      requireTypes(events, body.types);
      requireTemplate(body.template);
    },
    async target(call, { params, body }) {
      requireUrl(body.url, call.services.allowedHosts);
      const target = await webhookTarget(call.db, params.id);
      requireDirection(target.webhook.direction, body);
      if (body.channelId == null) return target;
      const next = await channelTarget(call.db, body.channelId);
      if (next.serverId !== target.serverId)
        throw invalid('mismatch', 'channelId', 'is a channel of another server');
      return { ...target, nextChannel: next.channel };
    },
    async run(call, { body }, { webhook: found }) {
      const { db, now } = call;
      await requireRoleOf(call, found);
      const credential = body.rotateSecret ? newCredential(call, found.direction, found) : undefined;
      const fields = {
        ...sent(body, 'name', 'url', 'types', 'channelId', 'template', 'enabled'),
        ...(body.enabled !== undefined && { disabledReason: null }),
        ...credential?.stored,
      };
      if (!alters(found, fields)) return toWebhook(found);
      const set = { ...fields, updatedAt: touched(found, now) };
      await db.run(update('webhook', found.id, set));
      if (found.direction === 'out') await db.run(update('webhookState', found.id, unclaimed));
      const changed = toWebhook({ ...found, ...set });
      await call.emit(webhookEvents.updated, changed);
      return { ...changed, ...credential?.shown };
    },
  }),

  write({
    operation: 'webhookDelete',
    path: '/webhooks/:id',
    resource: 'webhook',
    verb: 'delete',
    summary: 'Delete a webhook',
    description:
      'Events that the webhook has not sent yet are dropped. Its token, if it has one, is revoked immediately.',
    answer: webhook,
    target: ({ db }, { params }) => webhookTarget(db, params.id),
    async run(call, _input, { webhook: found }) {
      await requireWithinReach(call.db, call.principal, 'webhook delete', found);
      const { id } = found;
      const [removed] = await removeWebhooks(call, { id });
      return removed as ReturnType<typeof toWebhook>;
    },
  }),

  webhookPreview,
  ...sendingOperations,
];
