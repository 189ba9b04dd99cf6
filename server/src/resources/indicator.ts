import type { Principal } from '../access/principal.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { INDICATOR_MS } from '../db/tables/indicator.ts';
import { invalid, notFound } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import type { Call } from '../operations/call.ts';
import { sampleId } from '../operations/examples.ts';
import { body, id, nullable, optional, record, reference, text, time } from '../operations/fields.ts';
import { write } from '../operations/write.ts';
import { channelTarget } from './channel/load.ts';
import { load, recordOf, requireSameServer, sent, serverIdOf, touched } from './common.ts';
import { threadTarget } from './message/load.ts';
import { requireReachable } from './reachable.ts';

const type = text({
  min: 1,
  max: 32,
  description: '`typing`, `online`, `thinking` or `working` (for agents), or a custom type',
  examples: ['typing'],
});
const lastActiveAt = time('Now by default');

const activity = text({
  max: 80,
  description: 'The activity of an agent. Only agents can set it',
  examples: ['Reading the harbour log'],
});

const indicator = record('Indicator', {
  type,
  text: nullable(activity),
  userId: id(),
  serverId: id(),
  channelId: nullable(id(), sampleId('channel')),
  threadId: nullable(id()),
  lastActiveAt,
});
const toIndicator = recordOf(indicator);

export const indicatorEvents = eventsOf(
  'indicator',
  { data: indicator, audience: 'channel', live: 'indicator' },
  {
    created: 'A user started typing or came online',
    updated: 'An indicator was renewed',
    deleted: 'An indicator was removed, or not renewed for 10 seconds',
  },
);

/** Throws INVALID_REQUEST if a person sets the text of an indicator. */
function requireAgent({ userType }: Pick<Principal, 'userType'>, activity: string | null | undefined): void {
  if (activity != null && userType !== 'agent') throw invalid('wrong_kind', 'text', 'is only for agents');
}

/** Indicators have only live events, and expire unless they are renewed. */
export const indicatorOperations = [
  write({
    operation: 'indicatorInsert',
    path: '/indicators',
    resource: 'indicator',
    verb: 'insert',
    summary: 'Show that you are typing or online',
    description: 'Replaces your indicator of the same type in the same channel or thread.',
    body: body({
      type,
      text: optional(nullable(activity)),
      serverId: optional(reference()),
      channelId: optional(nullable(reference())),
      threadId: optional(nullable(reference())),
      lastActiveAt: optional(lastActiveAt),
    }),
    examples: {
      Example: { type: 'typing', channelId: sampleId('channel') },
      'For an agent': { type: 'working', text: 'Reading the harbour log', channelId: sampleId('channel') },
    },
    answer: indicator,
    async target(call, { body }) {
      const { db, principal } = call;
      const thread = body.threadId == null ? undefined : (await threadTarget(db, body.threadId)).thread;
      if (thread && body.channelId != null && body.channelId !== thread.channelId) {
        await load(db, 'channel', body.channelId);
        throw invalid('mismatch', 'channelId', 'is not the channel of the thread');
      }
      const channelId = thread?.channelId ?? body.channelId ?? null;
      const place =
        channelId === null
          ? { serverId: await serverIdOf(call, body.serverId), channel: undefined }
          : await channelTarget(db, channelId);
      await requireSameServer(call, body.serverId, place.serverId);
      return { ...place, ownerId: principal.userId, channelId, threadId: thread?.id ?? null };
    },
    async run({ db, newRow, now, principal, tell }, { body }, { serverId, channel, channelId, threadId }) {
      const { userId } = principal;
      requireAgent(principal, body.text);
      if (channel) await requireReachable(db, principal, channel);
      const place = { type: body.type, userId, serverId, channelId, threadId };
      await db.run(
        q
          .deleteFrom('indicator')
          .where('userId', '=', userId)
          .where('type', '=', body.type)
          .where('serverId', '=', serverId)
          .where('channelId', 'is not distinct from', channelId)
          .where('threadId', 'is not distinct from', threadId),
      );
      const row = { ...newRow(), ...place, text: body.text ?? null, lastActiveAt: body.lastActiveAt ?? now };
      await db.run(insert('indicator', row));
      tell(indicatorEvents.created, toIndicator(row));
      return toIndicator(row);
    },
  }),

  write({
    operation: 'indicatorUpdate',
    path: '/indicators/:id',
    resource: 'indicator',
    verb: 'update',
    summary: 'Renew an indicator',
    body: body({
      id: optional(reference()),
      text: optional(nullable(activity)),
      lastActiveAt: optional(lastActiveAt),
    }),
    answer: indicator,
    target: (call, { params }) => indicatorTarget(call, params.id),
    async run({ db, now, principal, tell }, { body }, { channel, indicator: found }) {
      requireAgent(principal, body.text);
      if (channel) await requireReachable(db, principal, channel);
      const set = {
        ...sent(body, 'text'),
        lastActiveAt: body.lastActiveAt ?? now,
        updatedAt: touched(found, now),
      };
      await db.run(update('indicator', found.id, set));
      const renewed = toIndicator({ ...found, ...set });
      tell(indicatorEvents.updated, renewed);
      return renewed;
    },
  }),

  write({
    operation: 'indicatorDelete',
    path: '/indicators/:id',
    resource: 'indicator',
    verb: 'delete',
    summary: 'Remove an indicator',
    answer: indicator,
    target: (call, { params }) => indicatorTarget(call, params.id),
    async run({ db, tell }, _input, { indicator: found }) {
      await db.run(remove('indicator', { id: found.id }));
      tell(indicatorEvents.deleted, toIndicator(found));
      return toIndicator(found);
    },
  }),
];

/**
 * Returns the target of a write to an indicator. Throws NOT_FOUND if the indicator does not exist or has
 * expired, or if its channel or thread was deleted.
 */
async function indicatorTarget({ db, now }: Call, indicatorId: string) {
  const found = await load(db, 'indicator', indicatorId);
  if (now - found.updatedAt >= INDICATOR_MS) throw notFound('indicator');
  const { channelId, threadId } = found;
  const [channel, thread] = await Promise.all([
    channelId === null ? undefined : db.first(find('channel', { id: channelId })),
    threadId === null ? undefined : db.first(find('thread', { id: threadId })),
  ]);
  if ((channelId !== null && !channel) || (threadId !== null && !thread)) throw notFound('indicator');
  return { serverId: found.serverId, ownerId: found.userId, channel, indicator: found };
}
