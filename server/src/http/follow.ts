import type { FastifyReply, FastifyRequest } from 'fastify';
import { requireVisible } from '../access/visibility.ts';
import { type ApiError, invalid } from '../errors.ts';
import { placeOfEventId } from '../feed/eventId.ts';
import type { Gap } from '../feed/places.ts';
import type { Reader } from '../feed/reader.ts';
import { inspectText } from './body.ts';
import type { Endpoint, Followed } from './endpoint.ts';
import { callOf, type Services } from './services.ts';

/** How long a page is looked for in a long log of which little is wanted, in milliseconds. */
const PATIENCE = 2_000;

/** Answers with events: as a stream where the client accepts one, else as a page, which may be waited for. */
export function followHandler(row: NonNullable<Endpoint['read']>, services: Services) {
  const { authenticator, db, feed, streams } = services;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const query = request.query as Record<string, unknown> & { limit: number };
    for (const name in query) if (typeof query[name] === 'string') inspectText(query[name], name);
    const asStream = wantsStream(request.headers.accept);
    const input = { params: request.params, query, body: undefined, after: undefined };
    const call = callOf(services, request.principal, db.read);
    const { filter, after, limit, wait } = (await row.run(call, input, Promise.resolve())) as Followed;
    const { authorization, 'last-event-id': lastId } = request.headers;
    const cursor = asStream && typeof lastId === 'string' && lastId !== '' ? lastId : after;
    const target = await row.target(call, input);
    requireVisible(call.principal, row.visible, target);
    if (cursor !== undefined && !placeOfEventId(target.serverId, cursor)) {
      throw invalid(cursor === after ? 'after' : 'Last-Event-ID', 'is not the id of an event of this server');
    }
    const reader = await feed.reader(target.serverId, filter, () =>
      authenticator.authenticate(authorization),
    );
    try {
      const gap = cursor === undefined ? undefined : await reader.seek(cursor);
      if (gap && asStream) await (gap.reason === 'expired' ? reader.seekOldest() : reader.seekLatest());
      if (cursor === undefined && !asStream) await reader.seekOldest();
      // Nobody would notice any more that a client has left which has left by now.
      if (reply.raw.closed) return '';
      if (asStream) {
        const stream = streams.open(request, reply, reader);
        if (gap) stream.reset(gap);
        return void stream.catchUp();
      }
      if (gap) throw cannotGoOn(gap);
      const events = await page(reader, limit, wait * 1000, streams.closing(reply.raw));
      if (!reader.isAtEnd) reply.header('link', linkTo(request.url, reader.cursor));
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

/** The next events, waited for `ms` milliseconds where there is none. */
async function page(reader: Reader, limit: number, ms: number, signal: AbortSignal) {
  const start = performance.now();
  for (;;) {
    const events = await reader.next(limit);
    const elapsed = performance.now() - start;
    if (events.length > 0 || signal.aborted) return events;
    if (elapsed >= (reader.isAtEnd ? ms : Math.max(ms, PATIENCE))) return events;
    await reader.wait(ms - elapsed, signal);
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

function linkTo(url: string, cursor: string): string {
  const [path = '', search = ''] = url.split('?', 2);
  const parameters = new URLSearchParams(search);
  parameters.set('after', cursor);
  return `<${path}?${parameters}>; rel="next"`;
}
