import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Surroundings } from '../../client/src/waiting.ts';

/** Serves one connection to the feed. `after` is the cursor in the request. */
type Serve = (answer: ServerResponse, after: string | null, request: IncomingMessage) => void;

/** A server that replaces Palaver's feed. Each connection is served by the next given function. */
export interface FakeFeed extends AsyncDisposable {
  url: string;
  /** The `after` cursors of all connections so far. */
  asked: (string | null)[];
}

/** Starts a fake feed. The last function in `serve` also serves all later connections. */
export async function fakeFeed(...serve: [Serve, ...Serve[]]): Promise<FakeFeed> {
  const asked: (string | null)[] = [];
  const server = createServer((request, answer) => {
    const after = new URL(request.url as string, 'http://localhost').searchParams.get('after');
    const next = serve[Math.min(asked.length, serve.length - 1)] as Serve;
    asked.push(after);
    next(answer, after, request);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** Sends this part of a stream and leaves the stream open. With `end`, ends the stream or cuts the connection. */
export const stream =
  (text: string | ((after: string | null) => string | Buffer), end?: 'end' | 'cut', id?: string): Serve =>
  (answer, after) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream', ...(id && { 'last-event-id': id }) });
    answer.write(typeof text === 'string' ? text : text(after), () => {
      if (end === 'cut') answer.destroy();
      else if (end === 'end') answer.end();
    });
  };

/** Responds with Palaver's error envelope. */
export const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Serve =>
  (answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers });
    answer.end(JSON.stringify({ ok: false, error: { code, message: 'refused', requestId: 'r' } }));
  };

/** A logged event as the feed sends it. Its id is `e` followed by its number. */
export const logged = (seq: number, data: object = { id: 'm', content: `number ${seq} …` }): string => {
  const event = { id: `e${seq}`, seq, type: 'message.created', serverId: 's', actorId: null, at: seq, data };
  return `id: e${seq}\ndata: ${JSON.stringify(event)}\n\n`;
};

/** An environment in which waits take no time. No timeout fires, except the heartbeat timeout if `silent` is set. */
export function patient({ silent = false } = {}): Surroundings & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    fetch: (request, init) => fetch(request, init),
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms === SILENCE_MS || ms === TIMEOUT_MS) {
        if (silent && ms === SILENCE_MS) await new Promise((resolve) => setTimeout(resolve, 30));
        else await new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
      } else waits.push(ms);
      signal?.throwIfAborted();
    },
    random: () => 0.5,
    now: () => 0,
  };
}

/** The client's heartbeat timeout and response timeout, set to unique numbers. */
export const SILENCE_MS = 41_234;
export const TIMEOUT_MS = 61_234;
