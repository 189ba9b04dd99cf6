import { authorize } from '../../access/rules.ts';
import type { RowOf } from '../../db/schema.ts';
import { q, remove } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { ApiError, invalid } from '../../errors.ts';
import { isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { sampleId } from '../../operations/examples.ts';
import { body, id, reference } from '../../operations/fields.ts';
import type { Work } from '../../operations/work.ts';
import { write } from '../../operations/write.ts';
import { keepIfHeld } from '../hold/keep.ts';
import { type ChannelFacts, channelFacts } from './load.ts';
import { messageEvents, toMessage } from './messageRecord.ts';
import { removeStream } from './stream/streamRow.ts';

/** Maximum messages per request. They are deleted in one write. */
const MAX_MESSAGES = 100;
/**
 * Approximate number of dependent rows per table that are deleted with the messages of one write, and the
 * minimum per message.
 */
const ROWS_WITH_ALL = 200;
const MIN_ROWS = 4;

const deletedMessages = Type.Object(
  {
    channelId: id(),
    ids: Type.Array(id(), {
      description: 'The deleted messages, in the order of the request',
      examples: [[sampleId('message')]],
    }),
  },
  { $id: 'DeletedMessages', title: 'DeletedMessages', additionalProperties: false },
);

/**
 * Maximum dependent rows per table that are deleted along with a message. A sweep deletes the rest. Defaults
 * to the limit of `removeOrMark`.
 */
export interface Share {
  limit?: number;
}

/** Deletes a message and its dependents. Returns its record. */
export async function deleteMessage(work: Work, found: RowOf<'message'>, known: Share = {}) {
  const { db, emit } = work;
  await keepIfHeld(work, found);
  const deleted = toMessage(found);
  if (found.stream === 'open') await removeStream(db, found.id);
  await emit(messageEvents.deleted, deleted, { known });
  await db.run(remove('message', { id: found.id }));
  return deleted;
}

export const messageDeleteMany = write({
  operation: 'messageDeleteMany',
  method: 'POST',
  path: '/messages/delete',
  resource: 'message',
  verb: 'delete',
  summary: 'Delete several messages',
  description: `Permanently deletes up to ${MAX_MESSAGES} messages of a channel in one transaction. If any of them cannot be deleted, none are, and the error lists their ids in \`details.ids\`.`,
  body: body({
    channelId: reference(),
    ids: Type.Array(reference(), {
      maxItems: MAX_MESSAGES,
      description: 'The ids of the messages',
      examples: [[sampleId('message')]],
    }),
  }),
  answer: deletedMessages,
  check({ body: { ids } }) {
    if (new Set(ids).size < ids.length) throw invalid('duplicate', 'ids', 'contains a message twice');
  },
  // Messages are loaded only after checking that the caller may see the channel, because the response reveals
  // which messages the channel contains.
  async target({ db, principal }, { body }) {
    const channel = await channelFacts(db, body.channelId);
    return { serverId: channel.serverId, ownerId: principal.userId, channel };
  },
  async run(call, { body }, { channel }) {
    const { ids } = body;
    const found = await messagesIn(call, channel, ids);
    const refused = found.filter((message) => refusalOf(call, channel, message) !== undefined);
    if (refused[0]) {
      const { message, details } = refusalOf(call, channel, refused[0]) as ApiError;
      const faulty = new Set(refused.map(({ id }) => id));
      throw new ApiError('FORBIDDEN', message, {
        ...(details as object),
        ids: ids.filter((id) => faulty.has(id)),
      });
    }
    const limit = Math.max(MIN_ROWS, Math.floor(ROWS_WITH_ALL / Math.max(1, ids.length)));
    // The newest messages are deleted first, so that if a thread's replies are also deleted, the thread is
    // empty when its message is deleted.
    for (const message of found) await deleteMessage(call, message, { limit });
    return { channelId: channel.id, ids };
  },
});

/** Loads these messages, newest first. Throws NOT_FOUND, with a list of those that are not in the channel. */
async function messagesIn(
  { db }: Work,
  { id: channelId }: ChannelFacts,
  ids: readonly string[],
): Promise<RowOf<'message'>[]> {
  const known = ids.filter(isId);
  const rows = q
    .selectFrom('message')
    .selectAll()
    .where('message.id', 'in', known)
    .where('channelId', '=', channelId)
    .where(isInSight)
    .orderBy('id', 'desc');
  const found = known.length === 0 ? [] : await db.all(rows);
  const there = new Set(found.map(({ id }) => id));
  const missing = ids.filter((id) => !there.has(id));
  if (missing.length === 0) return found as RowOf<'message'>[];
  throw new ApiError('NOT_FOUND', 'some messages are not in this channel', { ids: missing });
}

/** Returns the error that forbids deleting a message; undefined if deleting it is allowed. */
function refusalOf(
  { principal }: { principal: Parameters<typeof authorize>[0] },
  channel: ChannelFacts,
  { creatorId }: RowOf<'message'>,
): ApiError | undefined {
  try {
    authorize(principal, 'message', 'delete', { serverId: channel.serverId, ownerId: creatorId, channel });
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
