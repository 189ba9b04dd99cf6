import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../access/authenticator.ts';
import { type ApiError, invalid } from '../../errors.ts';
import type { Gap } from '../../feed/places.ts';
import { type Reading, untilMore } from '../../feed/reading.ts';
import { type FollowOperation, performFollow } from '../../operations/follow.ts';
import type { Services } from '../../operations/services.ts';
import { validInput } from '../../operations/validation.ts';
import { inputOf, linkTo } from '../request.ts';
import type { Streams } from './streams.ts';

/** A page of which little is wanted is looked for in a long log for at most this time, in milliseconds. */
const SEARCH_MS = 2_000;

/** Answers with events: as a stream where the client accepts one, else as a page, which may be waited for. */
export function answerFollow(operation: FollowOperation, services: Services, streams: Streams) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { params, query } = validInput(operation, inputOf(request));
    const caller = request.caller as Caller;
    const asStream = wantsStream(request.headers.accept);
    const { 'last-event-id': header } = request.headers;
    const lastId = asStream && typeof header === 'string' && header !== '' ? header : undefined;
    const following = await performFollow(services, operation, caller, params, query, lastId);
    const { reader, gap, after, limit, wait } = following;
    try {
      if (gap && asStream) await (gap.reason === 'expired' ? reader.seekOldest() : reader.seekLatest());
      if (after === undefined && !asStream) await reader.seekOldest();
      // A client that has left by now would never be noticed again.
      if (reply.raw.closed) return '';
      if (asStream) {
        const stream = streams.open(caller, reply, reader);
        if (gap) stream.reset(gap);
        return void stream.catchUp();
      }
      if (gap) throw cannotGoOn(gap);
      const events = await page(reader, limit, wait * 1000, streams.closing(reply.raw));
      if (!reader.isAtEnd)
        reply.header('link', linkTo(request, { ...(request.query as object), after: reader.cursor }));
      reply.header('content-type', 'application/json; charset=utf-8');
      return `{"ok":true,"data":[${events.map(({ json }) => json)}],"nextCursor":"${reader.cursor}"}`;
    } finally {
      if (!reply.sent) reader.close();
    }
  };
}

/** True if the client asks for a stream of server-sent events. */
const wantsStream = (accept = ''): boolean =>
  /(^|[\s,])text\/event-stream\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept);

/** The next events, waited for `ms` milliseconds where there is none yet. */
async function page(reader: Reading, limit: number, ms: number, signal: AbortSignal) {
  const start = performance.now();
  for (;;) {
    const events = await reader.next(limit);
    const elapsed = performance.now() - start;
    if (events.length > 0 || signal.aborted) return events;
    if (elapsed >= (reader.isAtEnd ? ms : Math.max(ms, SEARCH_MS))) return events;
    await untilMore(reader, ms - elapsed, signal);
  }
}

function cannotGoOn({ reason, oldest, latest }: Gap): ApiError {
  return invalid(
    'after',
    reason === 'expired'
      ? `is older than what is kept: the log begins after ${oldest}`
      : `is of a history that is gone, as after a restored backup: read anew what you need, and go on from ${latest}`,
  );
}
