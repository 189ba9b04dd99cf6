import { type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { toBlock } from './eventStream.ts';
import type { Running } from './process.ts';
import type { Json } from './world.ts';

/** How a client follows the feed: by streams, by waiting for pages, or by either in turn. */
export type Way = 'stream' | 'pages' | 'both';

export interface FollowerOptions {
  key: string;
  way: Way;
  /** The node that it asks the `number`-th time; it goes on to the next whenever a connection has ended. */
  nodeAt(number: number): Pick<Running, 'url'>;
  /** `types`, `channelId`. */
  query?: Record<string, string>;
  /** The cursor to begin at; streams begin at what happens next, and pages at the oldest event, unless given. */
  from?: string;
  /** How long a connection lives on average before the client cuts it, in milliseconds; for ever unless given. */
  cutAfter?: number;
}

/** An event that a client was told of. */
export interface Seen {
  seq: number;
  id: string;
  type: string;
  /** Of the record, where it has one. */
  channelId: string | undefined;
  /** By the monotonic clock, in milliseconds. */
  at: number;
}

/** How long a client waits before it comes back, at most, in milliseconds. */
const PAUSE_MS = 300;
/** The longest that a page is waited for, in seconds, and the most that it holds. */
const MAX_WAIT = 5;
const MAX_PAGE = 100;

/** A client of the feed that goes from node to node, each time from where it was, and notes what it is told. */
export class Follower {
  readonly seen: Seen[] = [];
  /** Events of the moment, which have no cursor. */
  readonly live: Json[] = [];
  /** The cursor that its first connection began at; empty where it began at the oldest event. */
  begun: string | undefined;
  /** Statuses of answers that were none, 0 where nothing was answered; and how often. */
  readonly refusals = new Map<number, number>();
  /** What no client should meet. */
  readonly faults: string[] = [];
  /** Connections that were answered. */
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

  /** Follows until it is stopped, beginning with the node of this number. */
  start(first: number): this {
    this.#running = this.#run(first);
    return this;
  }

  /** From now on it cuts no connection. */
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
      const asStream = way === 'both' ? Math.random() < 0.5 : way === 'stream';
      const isWhole = await this.#ask(this.#options.nodeAt(number), asStream);
      if (!isWhole) await sleep(Math.random() * PAUSE_MS);
    }
  }

  /** One connection to its end. True if it brought a whole page. */
  #ask({ url }: Pick<Running, 'url'>, asStream: boolean): Promise<boolean> {
    const { key, query = {}, cutAfter } = this.#options;
    const parameters = new URLSearchParams(query);
    const headers: Record<string, string> = { authorization: `Bearer ${key}` };
    if (asStream) headers.accept = 'text/event-stream';
    else {
      parameters.set('wait', String(Math.floor(Math.random() * (MAX_WAIT + 1))));
      parameters.set('limit', String(1 + Math.floor(Math.random() * MAX_PAGE)));
    }
    if (this.#cursor && asStream && Math.random() < 0.5) headers['last-event-id'] = this.#cursor;
    else if (this.#cursor) parameters.set('after', this.#cursor);

    return new Promise((resolve) => {
      const asking = request(`${url}/api/v1/events?${parameters}`, { agent: false, headers });
      let isAnswered = false;
      let isWhole = false;
      let timer: NodeJS.Timeout | undefined;
      this.#hangUp = () => asking.destroy();
      if (cutAfter !== undefined && this.#isCutting) {
        timer = setTimeout(() => asking.destroy(), -Math.log(1 - Math.random()) * cutAfter);
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
        // What it was not told of is behind it too.
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

/** In what two lists first differ, in words; undefined if in nothing. */
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
