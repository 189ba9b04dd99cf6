import { connect, type Socket } from 'node:net';
import { until } from './process.ts';
import type { Json } from './world.ts';

/** An abusive client. It counts the responses by status. */
export class Hostile {
  readonly counts = new Map<number, number>();
  readonly #url: URL;
  readonly #sockets: Socket[] = [];

  constructor({ url }: { url: string }) {
    this.#url = new URL(url);
  }

  /** Sends a request under /api/v1 with a key. Returns the parsed `data` of the response, if there is any. */
  async ask(method: string, path: string, key: string, body?: unknown): Promise<Json> {
    const response = await fetch(new URL(`/api/v1${path}`, this.#url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    this.#count(response.status);
    const text = await response.text();
    return text === '' ? undefined : JSON.parse(text).data;
  }

  /** Sends `amount` identical GET requests concurrently. */
  async getAtOnce(amount: number, path: string, key: string): Promise<void> {
    await Promise.all(Array.from({ length: amount }, () => this.ask('GET', path, key)));
  }

  /**
   * Sends the same GET request over `amount` connections, which stay open until `close`. With `reads`, it reads and
   * discards the responses, as for an event stream; otherwise, it leaves them unread. Resolves once all are connected
   * or, with `reads`, once all have responses.
   */
  async hold(amount: number, path: string, key?: string, reads = false): Promise<void> {
    const { hostname, port, host } = this.#url;
    const headers = `Host: ${host}\r\n${key === undefined ? '' : `Authorization: Bearer ${key}\r\n`}`;
    const accept = reads ? 'Accept: text/event-stream\r\n' : '';
    let ready = 0;
    for (let index = 0; index < amount; index++) {
      const socket = connect(Number(port), hostname);
      this.#sockets.push(socket);
      socket.on('error', () => {});
      if (!reads) socket.pause().once('connect', () => ready++);
      else
        socket.once('data', (first) => {
          this.#count(Number(String(first).split(' ')[1]));
          ready++;
          socket.on('data', () => {});
        });
      socket.write(`GET ${path} HTTP/1.1\r\n${headers}${accept}\r\n`);
    }
    await until(() => ready === amount, 60_000);
  }

  /** Closes the connections opened by `hold`. */
  close(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  #count(status: number): void {
    this.counts.set(status, (this.counts.get(status) ?? 0) + 1);
  }
}

/** Calls `work` with each number from 0 to `amount` - 1, at most `width` calls concurrently. */
export async function inParallel(
  amount: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const run = async () => {
    while (next < amount) await work(next++);
  };
  await Promise.all(Array.from({ length: width }, run));
}
