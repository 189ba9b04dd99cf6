import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { toBlock } from './eventStream.ts';
import type { Running } from './process.ts';
import { seeded } from './seeded.ts';
import type { Json } from './world.ts';

const random = seeded();

/** The way a client follows the feed: streams, long polling, or a random choice of the two. */
export type Way = 'stream' | 'pages' | 'both';

export interface FollowerOptions {
  key: string;
  way: Way;
  /** The node for the `number`-th connection. Each new connection goes to the next node. */
  nodeAt(number: number): Pick<Running, 'url'>;
  /** The filters `types` and `channelId`. */
  query?: Record<string, string>;
  /** The first cursor. By default, streams start with the next event, and pages with the oldest. */
  from?: string;
  /** The average time, in milliseconds, after which the client cuts a connection. By default, it cuts none. */
  cutAfter?: number;
}

/** An event that a client received. */
export interface Seen {
  seq: number;
  id: string;
  type: string;
  /** The record's channel, if it has one. */
  channelId: string | undefined;
  /** When the event arrived, in milliseconds on the monotonic clock. */
  at: number;
}

/** The longest time that a client waits before it reconnects. */
const PAUSE_MS = 300;
/** The longest wait for a page, in seconds, and the maximum page size. */
const MAX_WAIT_SECONDS = 5;
const MAX_PAGE_EVENTS = 100;

/**
 * A client that follows the feed from node to node, each time from its last cursor, and records the events it
 * receives.
 */
export class Follower {
  readonly seen: Seen[] = [];
  /** Live events, which have no cursor. */
  readonly live: Json[] = [];
  /** The cursor at which its first connection started; empty for the oldest event. */
  begun: string | undefined;
  /** The number of error responses by status; 0 means that there was no response. */
  readonly refusals = new Map<number, number>();
  /** Descriptions of behaviour that no client should observe. */
  readonly faults: string[] = [];
  /** The number of connections that got a response. */
  connections = 0;
  readonly #options: FollowerOptions;
  #cursor: string | undefined;
  #isOver = false;
  #isCutting = true;
  #hangUp: () => void = () => {};
  #running: Promise<void> | undefined;

  constructor(options: FollowerOptions) {
    this.#options = options;
    this.#cursor = this.begun = options.from;
  }

  /**
   * Follows the feed until `stop` is called, starting at the node with this number. Each connection goes to the
   * next node.
   */
  start(first: number): this {
    this.#running = this.#run(first);
    return this;
  }

  /** Stops cutting connections. */
  settle(): void {
    this.#isCutting = false;
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    this.#hangUp();
    await this.#running;
  }

  async #run(first: number): Promise<void> {
    for (let number = first; !this.#isOver; number++) {
      const { way } = this.#options;
      const asStream = way === 'both' ? random.next() < 0.5 : way === 'stream';
      const isWhole = await this.#ask(this.#options.nodeAt(number), asStream);
      if (!isWhole) await sleep(random.next() * PAUSE_MS);
    }
  }

  /** Runs one connection until it ends. Returns true if it delivered a complete page. */
  #ask({ url }: Pick<Running, 'url'>, asStream: boolean): Promise<boolean> {
    const { key, query = {}, cutAfter } = this.#options;
    const parameters = new URLSearchParams(query);
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (asStream) headers.accept = 'text/event-stream';
    else {
      parameters.set('wait', String(Math.floor(random.next() * (MAX_WAIT_SECONDS + 1))));
      parameters.set('limit', String(1 + Math.floor(random.next() * MAX_PAGE_EVENTS)));
    }
    if (this.#cursor && asStream && random.next() < 0.5) headers['last-event-id'] = this.#cursor;
    else if (this.#cursor) parameters.set('after', this.#cursor);

    return new Promise((resolve) => {
      const asking = request(`${url}/api/v1/events?${parameters}`, { agent: false, headers });
      let isAnswered = false;
      let isWhole = false;
      let timer: NodeJS.Timeout | undefined;
      this.#hangUp = () => asking.destroy();
      if (cutAfter !== undefined && this.#isCutting) {
        timer = setTimeout(() => asking.destroy(), -Math.log(1 - random.next()) * cutAfter);
      }
      asking.on('error', () => {});
      asking.on('response', (response) => {
        response.on('error', () => {});
        isAnswered = true;
        this.connections++;
        if (response.statusCode !== 200) this.#refuse(response);
        else if (asStream) this.#takeStream(response);
        else this.#takePage(response, () => (isWhole = true));
      });
      asking.on('close', () => {
        clearTimeout(timer);
        if (!isAnswered) this.#count(0);
        resolve(isWhole);
      });
      asking.end();
    });
  }

  #refuse(response: IncomingMessage): void {
    const status = response.statusCode as number;
    this.#count(status);
    if (status === 503 && response.headers['retry-after'] === undefined)
      this.faults.push('503 without Retry-After');
    let text = '';
    response.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    response.on('end', () => {
      if (![401, 403, 503].includes(status)) this.faults.push(`${status} ${text}`);
    });
  }

  #count(status: number): void {
    this.refusals.set(status, (this.refusals.get(status) ?? 0) + 1);
  }

  #takeStream(response: IncomingMessage): void {
    const at = response.headers['last-event-id'] as string;
    if (this.#cursor !== undefined && at !== this.#cursor)
      this.faults.push(`it begins at ${at}, not at ${this.#cursor}`);
    this.#goTo(at);
    let rest = '';
    response.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n\n');
      rest = parts.pop() as string;
      for (const { id, event, data } of parts.map(toBlock)) {
        if (event) this.faults.push(`${event}: ${JSON.stringify(data)}`);
        else if (id !== undefined && data) this.#take(data, id);
        // The cursor also advances past events that are hidden from this client.
        else if (id !== undefined) this.#goTo(id);
        else if (data) this.live.push({ ...data, seenAt: performance.now() });
      }
    });
  }

  #takePage(response: IncomingMessage, done: () => void): void {
    let text = '';
    response.setEncoding('utf8').on('data', (piece) => {
      text += piece;
    });
    response.on('end', () => {
      if (!response.complete) return;
      const { data, nextCursor } = JSON.parse(text);
      this.begun ??= '';
      for (const event of data) this.#take(event, event.id);
      this.#goTo(nextCursor);
      done();
    });
  }

  #take({ id, seq, type, data }: Json, cursor: string): void {
    if (id !== cursor) this.faults.push(`the event ${id} comes with the cursor ${cursor}`);
    this.seen.push({ seq, id, type, channelId: data.channelId, at: performance.now() });
    this.#goTo(cursor);
  }

  #goTo(cursor: string): void {
    this.begun ??= cursor;
    this.#cursor = cursor;
  }
}

/** Describes the first difference between two lists. Undefined if they are equal. */
export function differenceOf(
  seen: readonly Pick<Seen, 'seq' | 'id' | 'type'>[],
  expected: readonly Pick<Seen, 'seq' | 'id' | 'type'>[],
): string | undefined {
  const textOf = (event: Pick<Seen, 'seq' | 'id' | 'type'> | undefined) =>
    event ? `${event.seq} ${event.type} ${event.id}` : 'nothing';
  for (let index = 0; index < Math.max(seen.length, expected.length); index++) {
    const [one, other] = [textOf(seen[index]), textOf(expected[index])];
    if (one !== other) return `${one} instead of ${other}, after ${textOf(seen[index - 1])}`;
  }
  return undefined;
}
