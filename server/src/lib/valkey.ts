import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { Line } from './line.ts';

/** How long an answer may take, in milliseconds, unless the options say otherwise. */
const TIMEOUT_MS = 150;

/** What a server must be able to do: run a script that writes. One that is full, loading or a replica fails. */
const PROBE = "return redis.call('SET', KEYS[1], '', 'PX', 1000)";

export interface ValkeyOptions {
  /** `redis://`, `valkey://`, or with TLS `rediss://`, `valkeys://`; with user, password and database as usual. */
  url: string;
  /** How long an answer may take, in milliseconds. */
  timeout?: number;
  /** A key that may be written to, to see whether that works. */
  probeKey?: string;
  /** Told when it goes up or down, and when the reason changes; the reason is empty when all is well. */
  onChange?(up: boolean, reason: string): void;
}

/** What is counted, since the start. */
export interface ValkeyFigures {
  up: boolean;
  /** Commands that were sent, the seconds until each was answered or given up, and those without a good answer. */
  calls: number;
  seconds: number;
  failures: number;
}

/** Runs a Lua script, atomically. Rejects as `Line.run` does; it may have been run even so. */
export type Script = (keys: readonly string[], args: readonly (string | number)[]) => Promise<unknown>;

interface Subscription {
  channel: string;
  listener(text: string): void;
  onGap(): void;
  /** The connection that it was begun on. */
  begun?: Redis;
}

/**
 * What processes share on a Valkey or Redis server: one connection for commands, one for subscriptions. While the server
 * does not answer, no command waits for it, and it is tried anew until it does.
 */
export class Valkey {
  readonly #options: ValkeyOptions;
  readonly #url: string;
  readonly #timeout: number;
  readonly #commands: Line;
  #news: Line | undefined;
  readonly #subscriptions: Subscription[] = [];
  readonly #listeners: (() => void)[] = [];
  readonly #counts = { calls: 0, seconds: 0, failures: 0 };
  /** What was told last. */
  #up = false;
  #reason = '';

  constructor(options: ValkeyOptions) {
    const { url, timeout = TIMEOUT_MS, probeKey = 'palaver:probe' } = options;
    this.#options = options;
    this.#url = url.replace(/^valkey/, 'redis');
    this.#timeout = timeout;
    this.#commands = this.#line((redis) => redis.eval(PROBE, 1, probeKey));
  }

  /** True while commands are answered. */
  get up(): boolean {
    return this.#commands.up;
  }

  /** Why it is down, or that subscriptions are refused, in words for an operator; empty when all is well. */
  get reason(): string {
    if (!this.up) return this.#commands.reason;
    return this.#news?.refused ? `no subscriptions: ${this.#news.reason}` : '';
  }

  get figures(): ValkeyFigures {
    return { up: this.up, ...this.#counts };
  }

  /** Sets what is called each time it has come up. */
  onUp(listener: () => void): void {
    this.#listeners.push(listener);
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

  /** Tells all who listen to the channel. Rejects as `Line.run` does. */
  async publish(channel: string, text: string): Promise<void> {
    await this.#run((redis) => redis.publish(channel, text));
  }

  /**
   * Listens to a channel. `onGap` is called whenever listening has begun, the first time and each time after the
   * connection was lost: what was told before may have been missed.
   */
  subscribe(channel: string, listener: (text: string) => void, onGap: () => void): void {
    this.#subscriptions.push({ channel, listener, onGap });
    if (this.#news) this.#news.check();
    else this.#news = this.#line((redis) => this.#listen(redis));
  }

  /** Ends both connections for good; commands under way are given up. */
  close(): void {
    this.#commands.close();
    this.#news?.close();
  }

  #line(probe: (redis: Redis) => Promise<unknown>): Line {
    return new Line({ url: this.#url, timeout: this.#timeout, probe, changed: () => this.#changed() });
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

  /** Asks for all channels, again and again: that is how new ones are begun, and how it shows that they are heard. */
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
