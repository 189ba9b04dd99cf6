import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { RedisConnection } from './redisConnection.ts';

/** Default command timeout, in milliseconds. */
const ANSWER_TIMEOUT_MS = 150;

/**
 * The probe is a write, because writes fail on a server that is full, is still loading its data, or is a
 * replica.
 */
const PROBE_SCRIPT = "return redis.call('SET', KEYS[1], '', 'PX', 1000)";

export interface ValkeyOptions {
  /**
   * `redis://` or `valkey://`; with TLS, `rediss://` or `valkeys://`. The URL can contain a
   * username, a password and a database number.
   */
  url: string;
  /** Command timeout in milliseconds. Defaults to 150. */
  timeout?: number;
  /** A key that probes may write to. */
  probeKey?: string;
  /**
   * Called when the server goes up or down, or the reason changes. The reason is empty if everything works.
   */
  onChange?(up: boolean, reason: string): void;
}

/** Metrics since the process started. */
export interface ValkeyFigures {
  up: boolean;
  /** Commands sent. */
  calls: number;
  /** Total time in seconds until commands completed or failed. */
  seconds: number;
  /** Commands that failed. */
  failures: number;
}

/**
 * A function that runs a Lua script atomically. Rejects like `RedisConnection.run`, but the script may have
 * run even then.
 */
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

interface Subscription {
  channel: string;
  listener(text: string): void;
  onGap(): void;
  /** The connection on which the subscription was last established. */
  begun?: Redis;
}

/**
 * A client for the Valkey or Redis server that processes share, with one connection for commands and one
 * for subscriptions. While the server is down, commands reject immediately (callers have fallbacks), and
 * both connections keep trying to reconnect.
 */
export class Valkey {
  readonly #options: ValkeyOptions;
  readonly #url: string;
  readonly #timeout: number;
  readonly #commands: RedisConnection;
  #news: RedisConnection | undefined;
  readonly #subscriptions: Subscription[] = [];
  readonly #listeners: (() => void)[] = [];
  readonly #counts = { calls: 0, seconds: 0, failures: 0 };
  /** `up` and `reason` as last passed to `onChange`. */
  #up = false;
  #reason = '';

  constructor(options: ValkeyOptions) {
    const { url, timeout = ANSWER_TIMEOUT_MS, probeKey = 'palaver:probe' } = options;
    this.#options = options;
    this.#url = url.replace(/^valkey/, 'redis');
    this.#timeout = timeout;
    this.#commands = this.#connection((redis) => redis.eval(PROBE_SCRIPT, 1, probeKey));
  }

  /** Whether commands currently get responses. */
  get up(): boolean {
    return this.#commands.up;
  }

  /**
   * The error, worded for operators, if the server is down or rejects subscriptions. Empty if everything
   * works.
   */
  get reason(): string {
    if (!this.up) return this.#commands.reason;
    return this.#news?.refused ? `no subscriptions: ${this.#news.reason}` : '';
  }

  get figures(): ValkeyFigures {
    return { up: this.up, ...this.#counts };
  }

  /** Calls `listener` whenever the server comes up, and immediately if it is already up. */
  onUp(listener: () => void): void {
    this.#listeners.push(listener);
    if (this.up) listener();
  }

  script(lua: string): Script {
    const sha = createHash('sha1').update(lua).digest('hex');
    return (keys, args) =>
      this.#run((redis) =>
        redis.evalsha(sha, keys.length, ...keys, ...args).catch((error: Error) => {
          if (!error.message.startsWith('NOSCRIPT')) throw error;
          return redis.eval(lua, keys.length, ...keys, ...args);
        }),
      );
  }

  /** Publishes to all subscribers of a channel. Rejects like `RedisConnection.run`. */
  async publish(channel: string, text: string): Promise<void> {
    await this.#run((redis) => redis.publish(channel, text));
  }

  /**
   * Subscribes to a channel. `onGap` is called whenever the subscription is established, both initially and
   * after each lost connection, because earlier messages may have been missed.
   */
  subscribe(channel: string, listener: (text: string) => void, onGap: () => void): void {
    this.#subscriptions.push({ channel, listener, onGap });
    if (this.#news) this.#news.check();
    else this.#news = this.#connection((redis) => this.#listen(redis));
  }

  /** Closes both connections permanently. Pending commands reject. */
  close(): void {
    this.#commands.close();
    this.#news?.close();
  }

  #connection(probe: (redis: Redis) => Promise<unknown>): RedisConnection {
    const changed = () => this.#changed();
    return new RedisConnection({ url: this.#url, timeout: this.#timeout, probe, changed });
  }

  async #run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    if (!this.up) return this.#commands.run(command);
    const start = performance.now();
    this.#counts.calls++;
    try {
      return await this.#commands.run(command);
    } catch (error) {
      this.#counts.failures++;
      throw error;
    } finally {
      this.#counts.seconds += (performance.now() - start) / 1000;
    }
  }

  /**
   * Subscribes to all channels. This is also the probe: when repeated, it adds new subscriptions and proves
   * that they work.
   */
  async #listen(redis: Redis): Promise<void> {
    if (redis.listenerCount('message') === 0) {
      redis.on('message', (channel, text) => {
        for (const one of this.#subscriptions) if (one.channel === channel) one.listener(text);
      });
    }
    const asked = [...this.#subscriptions];
    await redis.subscribe(...asked.map(({ channel }) => channel));
    for (const one of asked) {
      if (one.begun === redis) continue;
      one.begun = redis;
      one.onGap();
    }
  }

  #changed(): void {
    const { up, reason } = this;
    if (up === this.#up && reason === this.#reason) return;
    const cameUp = up && !this.#up;
    this.#up = up;
    this.#reason = reason;
    this.#options.onChange?.(up, reason);
    if (cameUp) for (const listener of this.#listeners) listener();
  }
}
