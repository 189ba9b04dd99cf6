import type { Caller } from '../../../access/authenticator.ts';
import { conditions, requireCondition } from '../../../access/conditions.ts';
import { authorize } from '../../../access/rules.ts';
import type { RowOf } from '../../../db/schema.ts';
import { ApiError, invalid, invalidWith, problem } from '../../../errors.ts';
import type { ActCall } from '../../../operations/act.ts';
import { actorOf, type WriteCall } from '../../../operations/call.ts';
import { requireReachable } from '../../reachable.ts';
import { heldBy, wordRulesVersion } from '../../wordRule/rules.ts';
import { type ChannelFacts, isInLockedThread, messageTarget } from '../load.ts';
import { toMessage } from '../messageRecord.ts';
import { finish } from './finish.ts';
import { OpenStreams } from './openStreams.ts';
import { type StreamRow, streamRow, streamTarget } from './streamRow.ts';

// Implements the operations on streams. This module is loaded on first use.

/** Maximum attempts to end a stream while other nodes also receive text for it. */
const MAX_TRIES = 3;

interface Piece {
  offset: number;
  text: string;
  done?: boolean;
}

/**
 * Responds to text for a stream that has ended. Accepts a repetition of the last piece. Throws
 * INVALID_REQUEST for other text.
 */
function afterEnd({ id, stream, content }: RowOf<'message'>, piece: Piece): { id: string; offset: number } {
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

/**
 * Throws FORBIDDEN for words that a word rule refuses or holds, because members see streamed text
 * immediately.
 */
async function requireWords(
  { db, principal }: ActCall,
  { memberIds }: ChannelFacts,
  before: string,
  { offset, text }: Piece,
): Promise<void> {
  const version = memberIds ? undefined : await wordRulesVersion(db, principal.serverId);
  await heldBy({ db, principal }, { version, text: before.slice(0, offset) + text }, 'message insert');
}

/** Appends text as the author. */
export async function append(
  call: ActCall,
  id: string,
  piece: Piece,
  { message, channel, row }: Awaited<ReturnType<typeof streamTarget>>,
): Promise<{ id: string; offset: number }> {
  const { db, principal, services } = call;
  const { serverId, channelId, threadId } = message;
  // The stream may have ended in the meantime.
  if (!row) return afterEnd((await messageTarget(db, id)).message, piece);
  const isLocked = await isInLockedThread(db, message);
  requireCondition(principal, conditions.lockedThread, { isLocked, operation: 'message insert' });
  await requireReachable(db, principal, channel);
  await requireWords(call, channel, services.feed.deltas.continued(id, row.content), piece);
  const { id: actorId, kind: actor } = actorOf(call.caller as Caller);
  const place = { messageId: id, serverId, channelId, threadId, actorId, actor };
  const length = await OpenStreams.of(services).append(place, row, piece);
  if (piece.done) await complete(call, id, length);
  return { id, offset: length };
}

/** Ends a stream early, as anyone who may send messages in the channel. */
export async function stop(call: ActCall, serverId: string, { id }: StreamRow): Promise<object> {
  const streams = OpenStreams.of(call.services);
  const found = await call.db.first(streamRow({ id }));
  const whole = found && (await streams.settle(found));
  const stopped = await call.write(async (work) => {
    const { message, channel, row, serverId } = await streamTarget(work, id);
    if (!row) return toMessage(message);
    authorize(work.principal, 'message', 'insert', { serverId, channel });
    await requireReachable(work.db, work.principal, channel);
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
