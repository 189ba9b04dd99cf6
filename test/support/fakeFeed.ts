import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Surroundings } from '../../client/src/waiting.ts';

/** Answers one connection to the feed; `after` is the cursor that it was asked to go on from. */
type Serve = (answer: ServerResponse, after: string | null, request: IncomingMessage) => void;

/** Something on a port that answers whatever is asked, each connection with the next of what it was given. */
export interface FakeFeed extends AsyncDisposable {
  url: string;
  /** The `after` of every connection so far. */
  asked: (string | null)[];
}

/** The last of `serve` answers all that come after it, too. */
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

/** Sends this much of a stream, and leaves it open; with `end`, ends it, or cuts it off. */
export const stream =
  (text: string | ((after: string | null) => string | Buffer), end?: 'end' | 'cut', id?: string): Serve =>
  (answer, after) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream', ...(id && { 'last-event-id': id }) });
    answer.write(typeof text === 'string' ? text : text(after), () => {
      if (end === 'cut') answer.destroy();
      else if (end === 'end') answer.end();
    });
  };

/** Refuses, as Palaver does. */
export const refuse =
  (status: number, code: string, headers: Record<string, string> = {}): Serve =>
  (answer) => {
    answer.writeHead(status, { 'content-type': 'application/json', ...headers });
    answer.end(JSON.stringify({ ok: false, error: { code, message: 'refused', requestId: 'r' } }));
  };

/** An event of the log as it is sent; its id is `e` and its number. */
export const logged = (seq: number, data: object = { id: 'm', content: `number ${seq} …` }): string => {
  const event = { id: `e${seq}`, seq, type: 'message.created', serverId: 's', actorId: null, at: seq, data };
  return `id: e${seq}\ndata: ${JSON.stringify(event)}\n\n`;
};

/** Surroundings in which waiting for another attempt takes no time, and nothing is ever too late unless `silent`. */
export function patient({ silent = false } = {}): Surroundings & { waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    fetch: (request, init) => fetch(request, init),
    wait: async (ms, signal) => {
      signal?.throwIfAborted();
      if (ms === SILENCE || ms === TIMEOUT) {
        if (silent && ms === SILENCE) await new Promise((resolve) => setTimeout(resolve, 30));
        else await new Promise((_resolve, reject) => signal?.addEventListener('abort', reject));
      } else waits.push(ms);
      signal?.throwIfAborted();
    },
    random: () => 0.5,
    now: () => 0,
  };
}

/** What the client is told to take for silence, and for too late, in milliseconds. */
export const SILENCE = 41_234;
export const TIMEOUT = 61_234;
