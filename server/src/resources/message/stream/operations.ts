import type { Caller } from '../../../access/authenticator.ts';
import { conditions, requireCondition } from '../../../access/conditions.ts';
import { authorize } from '../../../access/rules.ts';
import type { RowOf } from '../../../db/schema.ts';
import { ApiError, invalid, invalidWith, problem } from '../../../errors.ts';
import { type ActCall, act } from '../../../operations/act.ts';
import { actorOf, type WriteCall } from '../../../operations/call.ts';
import { body, flag, optional, text } from '../../../operations/fields.ts';
import { requireReachable } from '../../conversation/reach.ts';
import { isInLockedThread, messageTarget } from '../load.ts';
import { message as messageRecord, toMessage } from '../messageRecord.ts';
import { appended, MAX_TEXT, offset } from './deltaRecord.ts';
import { finish } from './finish.ts';
import { OpenStreams } from './openStreams.ts';
import { type StreamRow, streamRow } from './streamRow.ts';

/** How often the end of a stream is tried while other nodes receive text for it, too. */
const MAX_TRIES = 3;

/** A message and its stream. Both are read together, which shares a round trip to PostgreSQL. */
async function streamTarget({ db }: Pick<ActCall, 'db'>, id: string) {
  const [target, row] = await Promise.all([messageTarget(db, id), db.first(streamRow({ id }))]);
  return { ...target, row };
}

/** The answer to text for a stream that has ended. The last piece may be sent twice. Throws INVALID_REQUEST. */
function afterEnd(
  { id, stream, content }: RowOf<'message'>,
  piece: { offset: number; text: string; done?: boolean },
): { id: string; offset: number } {
  const { length } = content;
  const isLast = piece.offset + piece.text.length === length && content.startsWith(piece.text, piece.offset);
  if (stream === 'done' && piece.done && isLast) return { id, offset: length };
  if (stream !== 'done' && stream !== 'stopped') throw invalid('wrong_kind', 'id', 'is not being streamed');
  const words = stream === 'done' ? 'is complete' : 'was stopped';
  throw invalidWith({ ...problem('ended', 'id', words), offset: length, stream });
}

/** Ends a stream as its author. */
async function complete(call: ActCall, id: string, atLeast: number): Promise<void> {
  const streams = OpenStreams.of(call.services);
  for (let tries = 1; ; tries++) {
    const { row, serverId } = await streamTarget(call, id);
    if (!row) return;
    const content = await streams.settle(row, atLeast);
    const task = async (work: WriteCall): Promise<boolean> => {
      const { message, channel, row, ...target } = await streamTarget(work, id);
      if (!row) return true;
      if (row.holder !== streams.self) return false;
      authorize(work.principal, 'messageDelta', 'insert', { ...target, channel });
      const { principal, services } = work;
      await finish(work, services, { message, channel, content, stream: 'done', principal });
      return true;
    };
    if (await call.write(task, serverId)) return streams.forget(id);
    if (tries === MAX_TRIES) throw new ApiError('INTERNAL_ERROR', 'another node has the stream. Try again');
  }
}

const messageAppend = act({
  operation: 'messageAppend',
  method: 'POST',
  path: '/messages/:id/append',
  resource: 'messageDelta',
  verb: 'insert',
  summary: 'Append text to a streamed message',
  description:
    'Members who see the channel get the text at once, as the live event `messageDelta.appended`. If `offset` is not the length of the text so far, the error has the right one; text that is there already counts once. A stream ends with `done`, or as `stopped` after 60 seconds without an append, and a message that is empty then is deleted. Only its end notifies anyone.',
  body: body({
    offset,
    text: text({
      max: MAX_TEXT,
      description: 'May be empty, to keep the stream open',
      examples: [' in the harbour'],
    }),
    done: optional(flag('Whether the message is complete')),
  }),
  examples: {
    Example: { offset: 12, text: ' in the harbour' },
    'The end': { offset: 27, text: '.', done: true },
  },
  answer: appended,
  target: (call, { params }) => streamTarget(call, params.id),
  async run(call, { params: { id }, body }, { message, channel, row }) {
    const { db, principal, services } = call;
    const { serverId, channelId, threadId } = message;
    // It may have ended between the two reads.
    if (!row) return { data: afterEnd((await messageTarget(db, id)).message, body) };
    const isLocked = await isInLockedThread(db, message);
    requireCondition(principal, conditions.lockedThread, { isLocked, operation: 'message insert' });
    await requireReachable(db, principal, channel);
    const { id: actorId, kind: actor } = actorOf(call.caller as Caller);
    const place = { messageId: id, serverId, channelId, threadId, actorId, actor };
    const length = await OpenStreams.of(services).append(place, row, body);
    if (body.done) await complete(call, id, length);
    return { data: { id, offset: length } };
  },
});

const messageStop = act({
  operation: 'messageStop',
  method: 'POST',
  path: '/messages/:id/stop',
  resource: 'message',
  verb: 'insert',
  summary: 'Stop a streamed message',
  description:
    'Ends the stream with the text so far; a message without any is deleted. Everyone who may send messages in the channel may do this. The author gets the event `message.updated`, and INVALID_REQUEST with the reason `ended` for further text. A message that has ended already stays as it is.',
  answer: messageRecord,
  target: (call, { params }) => streamTarget(call, params.id),
  async run(call, _input, { serverId, message, row }) {
    if (message.stream === null) throw invalid('wrong_kind', 'id', 'was not streamed');
    if (!row) return { data: toMessage(message) };
    return { data: await stop(call, serverId, row) };
  },
});

/** Ends a stream that somebody else writes. */
async function stop(call: ActCall, serverId: string, { id }: StreamRow): Promise<object> {
  const streams = OpenStreams.of(call.services);
  const found = await call.db.first(streamRow({ id }));
  const whole = found && (await streams.settle(found));
  const stopped = await call.write(async (work) => {
    const { message, channel, row, serverId } = await streamTarget(work, id);
    if (!row) return toMessage(message);
    authorize(work.principal, 'message', 'insert', { serverId, channel });
    const content = row.holder === streams.self && whole !== undefined ? whole : row.content;
    return finish(work, work.services, {
      message,
      channel,
      content,
      stream: 'stopped',
      principal: undefined,
    });
  }, serverId);
  streams.forget(id);
  return stopped;
}

export const streamOperations = [messageAppend, messageStop];
