import { sql } from 'kysely';
import { insert, prepare, q, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { cursorBefore } from '../../feed/positions.ts';
import type { WriteCall } from '../../operations/call.ts';
import { SAMPLE_EVENT_ID } from '../../operations/examples.ts';
import { body, optional, reference, text } from '../../operations/fields.ts';
import { write } from '../../operations/write.ts';
import { PING } from '../../webhooks/asked.ts';
import { load, touched } from '../common.ts';
import { requireRoleOf, senderTarget } from './load.ts';
import { progressAfter, unclaimed } from './place.ts';
import { delivery, toDelivery, toWebhook, webhook, webhookEvents } from './webhookRecord.ts';

/** Maximum number of pending deliveries per webhook that were requested manually. */
const MAX_ASKED = 10;

/** Operations that trigger deliveries: replaying events, sending a ping, and redelivering an event. */
export const sendingOperations = [
  write({
    operation: 'webhookReplay',
    method: 'POST',
    path: '/webhooks/:id/replay',
    resource: 'webhook',
    verb: 'update',
    summary: 'Replay events',
    description:
      'Resends all events that match the webhook and come after a cursor, in order and with the same ids.',
    body: body({
      id: optional(reference()),
      after: text({ max: 100, description: 'An event id', examples: [SAMPLE_EVENT_ID] }),
    }),
    answer: webhook,
    async target({ db }, { params, body }) {
      const target = await senderTarget(db, params.id);
      return { ...target, place: await progressAfter(db, target.serverId, body.after) };
    },
    async run(call, _input, { webhook: found, place }) {
      const { db, emit, now } = call;
      await requireRoleOf(call, found);
      const set = { updatedAt: touched(found, now) };
      await db.run(update('webhook', found.id, set));
      await db.run(update('webhookState', found.id, { ...place, ...unclaimed }));
      const changed = toWebhook({ ...found, ...set });
      await emit(webhookEvents.updated, changed);
      return changed;
    },
  }),

  write({
    operation: 'webhookPing',
    method: 'POST',
    path: '/webhooks/:id/ping',
    resource: 'webhook',
    verb: 'update',
    summary: 'Send a ping',
    description:
      'Sends an event of the type `ping` once, within a second, with the webhook as its data, even if the webhook is disabled. Returns the pending delivery; the list of deliveries shows the outcome.',
    answer: delivery,
    target: ({ db }, { params }) => senderTarget(db, params.id),
    async run(call, _input, { webhook: found }) {
      const row = call.newRow();
      return ask(call, found.id, { row, eventId: row.id, type: PING });
    },
  }),

  write({
    operation: 'webhookRedeliver',
    method: 'POST',
    path: '/webhook-deliveries/:id/redeliver',
    resource: 'webhook',
    verb: 'update',
    summary: 'Redeliver an event',
    description:
      'Resends the event of a delivery within a second, with the same id, ahead of other events and even if the webhook is disabled. Returns the pending delivery; the list of deliveries shows the outcome. Other events are not affected.',
    answer: delivery,
    async target({ db }, { params }) {
      const earlier = await load(db, 'webhookDelivery', params.id);
      const target = await senderTarget(db, earlier.webhookId);
      if (earlier.type === 'gap') throw invalid('wrong_kind', 'id', 'is a gap in the log, not an event');
      if (earlier.type !== PING && !(await cursorBefore(db, target.serverId, earlier.eventId)))
        throw invalid('expired', 'id', 'is the delivery of an event that is no longer kept');
      return { ...target, earlier };
    },
    async run(call, _input, { webhook: found, earlier: { eventId, type } }) {
      await requireRoleOf(call, found);
      return ask(call, found.id, { row: call.newRow(), eventId, type });
    },
  }),
];

const askedOf = prepare(
  (p: { webhookId: string }) =>
    q
      .selectFrom('webhookDelivery')
      .select('id')
      .where('webhookId', '=', p.webhookId)
      // The value is a literal, because SQLite would not use the partial index with a parameter.
      .where('attempt', '=', sql.lit(0))
      .where('nextAt', 'is not', null)
      .limit(sql.lit(MAX_ASKED)),
  { webhookDelivery: { webhookId: 'webhookId' } },
);

interface Asked {
  row: ReturnType<WriteCall['newRow']>;
  eventId: string;
  type: string;
}

/**
 * Requests a delivery, which a node sends soon afterwards. Throws INVALID_REQUEST if too many are pending.
 */
async function ask({ db, now }: WriteCall, webhookId: string, { row, eventId, type }: Asked) {
  if ((await db.all(askedOf({ webhookId }))).length >= MAX_ASKED)
    throw invalid('too_many', '', `${MAX_ASKED} deliveries of this webhook are pending. Try again later`);
  const asked = {
    ...row,
    webhookId,
    eventId,
    type,
    attempt: 0,
    status: null,
    error: null,
    ms: 0,
    nextAt: now,
  };
  await db.run(insert('webhookDelivery', asked));
  return toDelivery(asked);
}
