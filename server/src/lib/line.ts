import { Redis, ReplyError } from 'ioredis';

/** How often one that is down is tried, at most, and one that is up is asked whether it still answers, in milliseconds. */
const RETRY_MS = 250;
const CHECK_MS = 1_000;
/** How long it may take to connect, in milliseconds: to a distant server, with TLS and a password. */
const CONNECT_MS = 2_000;

export interface LineOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  /** How long an answer may take, in milliseconds. */
  timeout: number;
  /** Asks what shows that all is well; rejects where it is not. */
  probe(redis: Redis): Promise<unknown>;
  /** Told whenever `up` or `reason` may have changed. */
  changed(): void;
}

/**
 * One connection to Valkey or Redis that is made anew, on its own, whenever it breaks. One that does not answer in time
 * counts as broken: it is given up with all that waits for it, so that no late answer is taken for another.
 */
export class Line {
  readonly #options: LineOptions;
  /** The connection that is up or being made. */
  #redis: Redis | undefined;
  #up = false;
  #reason = 'not connected yet';
  #refused = false;
  #triedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#connect();
  }

  /** True while the server answers. */
  get up(): boolean {
    return this.#up;
  }

  /** Why it is not up, in words for an operator; empty while it is. */
  get reason(): string {
    return this.#reason;
  }

  /** True if it is the server that said no: the password, a permission, its state. */
  get refused(): boolean {
    return this.#refused;
  }

  /** Sends a command. Rejects at once while the line is down, and where the answer is late, missing or an error. */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#redis;
    if (!redis || !this.#up) throw new Error(this.#reason);
    try {
      return await within(this.#options.timeout, command(redis));
    } catch (error) {
      // What the server refuses may be the command's fault or its own.
      if (error instanceof ReplyError) this.#check(redis);
      else this.#drop(redis, error);
      throw error;
    }
  }

  /** Asks now whether all is well. */
  check(): void {
    if (this.#redis?.status === 'ready') this.#check(this.#redis);
  }

  /** Ends the connection, and what waits for it, for good. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    if (this.#redis) this.#drop(this.#redis, new Error('closed'));
  }

  #connect(): void {
    this.#triedAt = performance.now();
    const redis = new Redis(this.#options.url, {
      lazyConnect: true,
      connectionName: 'palaver',
      disableClientInfo: true,
      connectTimeout: CONNECT_MS,
      // A server that has stopped answers no goodbye either.
      disconnectTimeout: 1,
      // Each connection is used until it breaks, and nothing is ever sent twice.
      retryStrategy: null,
      enableOfflineQueue: false,
      enableReadyCheck: false,
    });
    this.#redis = redis;
    redis.on('error', (error) => this.#drop(redis, error));
    redis.on('end', () => this.#drop(redis, new Error('the connection was closed')));
    within(CONNECT_MS, redis.connect()).then(
      () => this.#check(redis),
      (error) => this.#drop(redis, error),
    );
  }

  #check(redis: Redis): void {
    within(this.#options.timeout, this.#options.probe(redis)).then(
      () => this.#answered(redis),
      (error) => this.#drop(redis, error),
    );
  }

  #answered(redis: Redis): void {
    if (redis !== this.#redis) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(redis), CHECK_MS);
    if (this.#up) return;
    this.#up = true;
    this.#reason = '';
    this.#refused = false;
    this.#options.changed();
  }

  #drop(redis: Redis, error: unknown): void {
    if (redis !== this.#redis) return;
    this.#redis = undefined;
    this.#up = false;
    this.#reason = reasonOf(error);
    this.#refused = error instanceof ReplyError;
    clearTimeout(this.#timer);
    redis.disconnect();
    if (this.#closed) return;
    const wait = Math.max(0, this.#triedAt + RETRY_MS - performance.now());
    this.#timer = setTimeout(() => this.#connect(), wait);
    this.#options.changed();
  }
}

/** What a promise gives if it does so within `ms` milliseconds; else rejects. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // An answer that lies there unread, because this process was busy for long, is read before the time is called up.
    const late = () => setImmediate(() => reject(new Error(`no answer within ${ms} ms`)));
    const timer = setTimeout(late, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  const message = first instanceof Error ? first.message : String(first);
  return message.startsWith('Protocol error') ? `this is no Valkey or Redis: ${message}` : message;
}
