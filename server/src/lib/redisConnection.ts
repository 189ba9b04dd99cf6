import { Redis, ReplyError } from 'ioredis';

/** Minimum delay between connection attempts. */
const RETRY_MS = 250;
/** Interval of health probes while the connection is up. */
const PROBE_INTERVAL_MS = 1_000;
/** Connect timeout, long enough for a distant server with TLS and a password. */
const CONNECT_TIMEOUT_MS = 2_000;

export interface RedisConnectionOptions {
  /** `redis://…` or `rediss://…`. */
  url: string;
  /** Command timeout, in milliseconds. */
  timeout: number;
  /** Sends commands that prove that the server works. Rejects if it does not work. */
  probe(redis: Redis): Promise<unknown>;
  /** Called whenever `up` or `reason` may have changed. */
  changed(): void;
}

/**
 * A connection to Valkey or Redis that reconnects whenever it breaks. A command timeout is treated as a
 * broken connection: the connection is closed, and every pending command rejects.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  /** The current socket, connected or connecting. */
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

  /** Whether the server is responding. */
  get up(): boolean {
    return this.#up;
  }

  /** The reason why the server is down, described for an operator. Empty while it is up. */
  get reason(): string {
    return this.#reason;
  }

  /** Whether the server itself returned an error about the password, a permission or its state. */
  get refused(): boolean {
    return this.#refused;
  }

  /**
   * Sends a command. Rejects immediately while the connection is down. Also rejects if the command times out or
   * returns an error.
   */
  async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    const redis = this.#redis;
    if (!redis || !this.#up) throw new Error(this.#reason);
    try {
      return await within(this.#options.timeout, command(redis));
    } catch (error) {
      // Either the command or the server may have caused an error reply. A probe finds out which one.
      if (error instanceof ReplyError) this.#check(redis);
      else this.#drop(redis, error);
      throw error;
    }
  }

  /** Probes the connection now. */
  check(): void {
    if (this.#redis?.status === 'ready') this.#check(this.#redis);
  }

  /** Closes the connection permanently. Pending commands reject. */
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
      // Destroys the socket, because a server that hangs would never close the connection.
      disconnectTimeout: 1,
      // The client must not reconnect or resend commands itself. This class reconnects, and never sends a
      // command twice.
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

/** Settles like the promise, or rejects after `ms` milliseconds. */
function within<T>(ms: number, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    // If this process was busy, the response may have arrived without being read yet, so this waits for one
    // more turn of the event loop.
    const late = () => setImmediate(() => reject(new Error(`no response within ${ms} ms`)));
    const timer = setTimeout(late, ms);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function reasonOf(error: unknown): string {
  const [first = error] = error instanceof AggregateError ? error.errors : [];
  const message = first instanceof Error ? first.message : String(first);
  return message.startsWith('Protocol error') ? `not a Valkey or Redis server: ${message}` : message;
}
