import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/authenticator.ts';
import { type ApiError, invalid } from '../../errors.ts';
import type { BackwardPage } from '../../feed/backward.ts';
import type { Opened } from '../../feed/everywhere.ts';
import type { LoggedEvent } from '../../feed/logged.ts';
import type { Gap } from '../../feed/positions.ts';
import { type Reading, untilMore } from '../../feed/reading.ts';
import { type FollowOperation, performFollow } from '../../operations/follow.ts';
import type { Services } from '../../operations/services.ts';
import { validInput } from '../../operations/validation.ts';
import { wantsStream } from '../admit.ts';
import { addLink, inputOf, linkTo, send } from '../request.ts';
import { framesEverywhere, framesOf, joinedFrame, leftFrame } from './frames.ts';
import type { EventStream } from './stream.ts';
import type { Streams } from './streams.ts';

/**
 * Creates the handler for an operation that follows a log. It responds with a stream if the client accepts
 * one.
 */
export function answerFollow(operation: FollowOperation, services: Services, streams: Streams) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { params, query } = validInput(operation, inputOf(request));
    const caller = request.caller as Caller;
    const asStream = wantsStream(request.headers.accept);
    const { 'last-event-id': header } = request.headers;
    if (asStream) await streams.turn(caller);
    const lastId = asStream && typeof header === 'string' && header !== '' ? header : undefined;
    const following = await performFollow(services, operation, caller, params, query, { asStream, lastId });
    const { reading, everywhere, gap, earlier, limit, wait, opensWithEvent } = following;
    let isStream = false;
    try {
      // Spreads the opening of streams over several turns of the event loop: many requests may have waited
      // for the same read, and all of them would continue in this turn.
      if (asStream) await streams.turn(caller);
      // If the client has already disconnected, no further event will report it, and the reader would leak.
      if (reply.raw.closed) return '';
      if (asStream) {
        const stream = everywhere
          ? openEverywhere(streams, caller, reply, everywhere)
          : streams.open(caller, reply, reading, framesOf(reading, gap, opensWithEvent));
        isStream = true;
        reply.server.inFlight.end(request);
        return void stream.catchUp();
      }
      if (gap) throw gapError(gap, earlier !== undefined);
      if (earlier) return backward(request, reply, earlier);
      const events = await eventPage(reading, limit, wait * 1000, streams.closing(reply.raw));
      if (!reading.isAtEnd)
        addLink(reply, linkTo(request, { ...(request.query as object), after: reading.cursor }));
      const text = `{"ok":true,"data":[${events.map(({ json }) => json)}],"nextCursor":"${reading.cursor}"}`;
      return send(reply, {}, text);
    } finally {
      if (!isStream) reading.close();
    }
  };
}

/** Responds with a page, newest first. */
function backward(
  request: FastifyRequest,
  reply: FastifyReply,
  { events, cursor, hasMore }: BackwardPage,
): unknown {
  const query = request.query as { before: string };
  const nextCursor = cursor ?? query.before;
  if (hasMore) addLink(reply, linkTo(request, { ...query, before: nextCursor }));
  return send(
    reply,
    {},
    `{"ok":true,"data":[${events.map(({ json }) => json)}],"nextCursor":${JSON.stringify(nextCursor)}}`,
  );
}

/** The number of logs that count as one stream towards a user's limit. */
const LOGS_A_STREAM = 20;

function openEverywhere(
  streams: Streams,
  caller: Caller,
  reply: FastifyReply,
  { reading, lapses }: Opened,
): EventStream {
  const weight = Math.ceil(reading.amount / LOGS_A_STREAM);
  const stream = streams.open(caller, reply, reading, framesEverywhere(reading, lapses), weight);
  reading.tellJoined = (serverId, cursor) => stream.tell(joinedFrame(serverId, cursor));
  reading.tellLeft = (serverId) => stream.tell(leftFrame(serverId));
  return stream;
}

/**
 * Returns the next events; few or none if too many other events would have to be scanned. At the end of the
 * log, waits up to `ms` milliseconds for an event (long polling).
 */
export async function eventPage(
  reader: Reading,
  limit: number,
  ms: number,
  signal: AbortSignal,
): Promise<LoggedEvent[]> {
  const start = performance.now();
  for (;;) {
    const events = await reader.next(limit);
    const elapsed = performance.now() - start;
    if (events.length > 0 || reader.hasMore || elapsed >= ms || signal.aborted) return events;
    await untilMore(reader, ms - elapsed, signal);
  }
}

/**
 * Creates an INVALID_REQUEST error for a cursor from which the log cannot continue. The error contains a
 * cursor from which it can.
 */
export function gapError({ reason, oldest, latest }: Gap, isBackward: boolean): ApiError {
  const isOther = 'does not belong to this data, for example after restoring a backup';
  if (isBackward) return invalid('other_history', 'before', `${isOther}. Start again with latest`);
  if (reason === 'expired') {
    const message = `is older than the retained events. The log starts after ${oldest}`;
    return invalid('expired', 'after', message, oldest);
  }
  const message = `${isOther}. Reload what you need, and continue from ${latest}`;
  return invalid('other_history', 'after', message, latest);
}
