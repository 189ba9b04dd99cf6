import { Redis, ReplyError } from 'ioredis';

/** The shortest time from one attempt to connect to the next. */
const RETRY_MS = 250;
/** The time between two probes of a connection that is up. */
const PROBE_INTERVAL_MS = 1_000;
/** The time limit for connecting: enough for a distant server, with TLS and a password. */
const CONNECT_TIMEOUT_MS = 2_000;

export interface RedisConnectionOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  /** The time limit for an answer, in milliseconds. */
  timeout: number;
  /** Sends commands that show whether the server works. Rejects if it does not. */
  probe(redis: Redis): Promise<unknown>;
  /** Called whenever `up` or `reason` may have changed. */
  changed(): void;
}

/**
 * A connection to Valkey or Redis that reconnects whenever it breaks. One that does not answer in time counts as
 * broken: it is closed, and every command that waits on it rejects.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  /** The socket in use: connected, or connecting. */
  #redis: Redis | undefined;
  #up = false;
  #reason = 'not connected yet';
  #refused = false;
  #triedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#connect();
  }

  /** True while the server answers. */
  get up(): boolean {
    return this.#up;
  }

  /** The reason why it is down, in words for an operator. Empty while it is up. */
  get reason(): string {
    return this.#reason;
  }

  /** True if the server itself answered with an error: about the password, a permission or its state. */
  get refused(): boolean {
    return this.#refused;
  }

  /** Sends a command. Rejects at once while the connection is down; rejects if the answer is late or an error. */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#redis;
    if (!redis || !this.#up) throw new Error(this.#reason);
    try {
      return await within(this.#options.timeout, command(redis));
    } catch (error) {
      // An error reply may be the fault of the command or of the server: a probe tells.
      if (error instanceof ReplyError) this.#check(redis);
      else this.#drop(redis, error);
      throw error;
    }
  }

  /** Probes the connection now. */
  check(): void {
    if (this.#redis?.status === 'ready') this.#check(this.#redis);
  }

  /** Closes the connection for good. Commands under way reject. */
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
      connectTimeout: CONNECT_TIMEOUT_MS,
      // Do not wait for a server that hangs to close the connection.
      disconnectTimeout: 1,
      // Reconnecting is done here, and no command is ever sent twice.
      retryStrategy: null,
      enableOfflineQueue: false,
      enableReadyCheck: false,
    });
    this.#redis = redis;
    redis.on('error', (error) => this.#drop(redis, error));
    redis.on('end', () => this.#drop(redis, new Error('the connection was closed')));
    within(CONNECT_TIMEOUT_MS, redis.connect()).then(
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
    this.#timer = setTimeout(() => this.#check(redis), PROBE_INTERVAL_MS);
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

/** Settles as the promise does; rejects if it takes longer than `ms` milliseconds. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // If this process was busy, the answer may have arrived unread: give it one turn of the event loop to be read.
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
