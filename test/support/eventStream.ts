import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { until } from './process.ts';
import type { Json } from './world.ts';

/** A block of an event stream. */
export interface Block {
  id?: string;
  event?: string;
  /** The block's data, parsed as JSON. */
  data?: Json;
  comment?: string;
}

/** An event stream as a client reads it. */
export class EventStream {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly blocks: Block[] = [];
  /** True once the server or the test has ended the stream. */
  isOver = false;
  readonly #request: ClientRequest;
  readonly #response: IncomingMessage;
  #rest = '';

  private constructor(request: ClientRequest, response: IncomingMessage) {
    this.#request = request;
    this.#response = response;
    this.status = response.statusCode as number;
    this.headers = response.headers;
    response.setEncoding('utf8');
    response.on('data', (text: string) => this.#take(text));
    response.on('error', () => {});
    response.on('close', () => {
      this.isOver = true;
    });
  }

  /** Opens a stream, without a key if `key` is empty. The default path is `/api/v1/events`. */
  static open(
    { url }: { url: string },
    key: string,
    query: Record<string, string> = {},
    headers: Record<string, string> = {},
    path = '/api/v1/events',
  ): Promise<EventStream> {
    return new Promise((resolve, reject) => {
      const asking = request(`${url}${path}?${new URLSearchParams(query)}`, {
        agent: false,
        headers: {
          ...(key && { authorization: `Bearer ${key}` }),
          accept: 'text/event-stream',
          ...headers,
        },
      });
      asking.on('error', reject);
      asking.on('response', (response) => resolve(new EventStream(asking, response)));
      asking.end();
    });
  }

  /** The data of all blocks with this name so far. */
  named(name: string): Json[] {
    return this.blocks.filter(({ event }) => event === name).map(({ data }) => data);
  }

  /** Resolves with the data of the first block with this name that `isIt` accepts. */
  async told(name: string, isIt: (data: Json) => boolean = () => true): Promise<Json> {
    await until(() => this.named(name).some(isIt));
    return this.named(name).find(isIt);
  }

  /** All events so far, including live ones. */
  get events(): Json[] {
    return this.blocks.filter(({ data, event }) => data && !event).map(({ data }) => data);
  }

  /** The types of the events so far, such as `message.created`. */
  get types(): string[] {
    return this.events.map(({ type }) => type);
  }

  /** Resolves with the first event that `isIt` accepts. */
  async event(isIt: (event: Json) => boolean): Promise<Json> {
    await until(() => this.events.some(isIt));
    return this.events.find(isIt);
  }

  /** Resolves once the stream has ended. */
  over(): Promise<void> {
    return until(() => this.isOver);
  }

  pause(): void {
    this.#response.pause();
  }

  resume(): void {
    this.#response.resume();
  }

  close(): void {
    this.#request.destroy();
  }

  #take(text: string): void {
    const parts = (this.#rest + text).split('\n\n');
    this.#rest = parts.pop() as string;
    for (const part of parts) this.blocks.push(toBlock(part));
  }
}

export function toBlock(text: string): Block {
  const block: Block = {};
  for (const line of text.split('\n')) {
    const [, name = '', value = ''] = /^(\w*): ?(.*)$/.exec(line) ?? [];
    if (name === '') block.comment = value;
    else if (name === 'data') block.data = JSON.parse(value);
    else if (name === 'id' || name === 'event') block[name] = value;
  }
  return block;
}
