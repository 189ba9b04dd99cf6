import type { Script, Valkey } from '../lib/valkey.ts';
import { type Limiter, MemoryLimiter, type Verdict } from './slidingWindow.ts';

/** At most so many subjects share a call, so that none holds the server up for long. */
const MAX_TAKES = 256;

/**
 * Takes a slot for each key, by the server's own clock. A key holds the moments, in microseconds and in order, at which
 * requests were accepted. ARGV is the window in milliseconds, then for each key its limit, 0 to take none; after it may
 * stand the ages, in milliseconds, of requests that were accepted elsewhere. Answers for each key with the slots that
 * are left, or -1 if refused, and the milliseconds until one is free.
 */
export const takeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local window = ARGV[1] * 1000
local answers = {}

local function rewrite(key, ages)
  local moments = {}
  for _, moment in ipairs(redis.call('LRANGE', key, 0, -1)) do table.insert(moments, tonumber(moment)) end
  for _, age in ipairs(ages) do table.insert(moments, now - age * 1000) end
  table.sort(moments)
  -- Where the clock was set back, it counts on from the latest moment.
  local ahead = math.max(0, moments[#moments] - now)
  redis.call('DEL', key)
  for _, moment in ipairs(moments) do redis.call('RPUSH', key, moment - ahead) end
  redis.call('PEXPIRE', key, ARGV[1] + 1000)
end

for i, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[i + 1])
  if not limit then
    local ages = {}
    for word in string.gmatch(ARGV[i + 1], '%S+') do table.insert(ages, tonumber(word)) end
    limit = table.remove(ages, 1)
    rewrite(key, ages)
  end
  local oldest = tonumber(redis.call('LINDEX', key, 0) or nil)
  if oldest and oldest > now then
    rewrite(key, {})
    oldest = tonumber(redis.call('LINDEX', key, 0))
  end
  while oldest and oldest <= now - window do
    redis.call('LPOP', key)
    oldest = tonumber(redis.call('LINDEX', key, 0) or nil)
  end
  local size = oldest and redis.call('LLEN', key) or 0
  local left = -1
  if size < limit then
    left = limit - size - 1
    redis.call('RPUSH', key, now)
    -- Longer than the window: the server's clock for this need not be the one above.
    redis.call('PEXPIRE', key, ARGV[1] + 1000)
  elseif size > limit then
    oldest = tonumber(redis.call('LINDEX', key, size - limit) or now)
  end
  answers[2 * i - 1] = left
  answers[2 * i] = math.ceil(((oldest or now) + window - now) / 1000)
end
return answers
`;

export interface SharedLimiterOptions {
  /** Begins the name of every key. */
  prefix: string;
  /** In milliseconds. */
  window: number;
  /** How many processes share the limits; at least 1. */
  nodes(): number;
  /** The clock for while Valkey is down, in milliseconds. */
  now(): number;
}

const verdictOf = (left: number, resetMs: number): Verdict => ({
  accepted: left >= 0,
  remaining: Math.max(0, left),
  resetMs,
});

interface Take {
  subject: string;
  limit: number;
  resolve(verdict: Verdict): void;
}

/**
 * The limiter that all nodes on one Valkey share: the same sliding window as a process's own, exact over all of them.
 * All that is asked within one turn of the event loop is one call. While Valkey is down, each node gives its part of the
 * limit by itself, and tells what it gave as soon as Valkey is back.
 */
export class SharedLimiter implements Limiter {
  readonly #valkey: Valkey;
  readonly #options: SharedLimiterOptions;
  readonly #script: Script;
  readonly #own: MemoryLimiter;
  #takes: Take[] = [];
  /** By subject, the moments of requests accepted here that Valkey has yet to be told. */
  readonly #untold = new Map<string, number[]>();
  #sweptAt = 0;

  constructor(valkey: Valkey, options: SharedLimiterOptions) {
    this.#valkey = valkey;
    this.#options = options;
    this.#script = valkey.script(takeScript);
    this.#own = new MemoryLimiter(options.window, options.now);
    valkey.onUp(() => this.#tellAll());
  }

  take(subject: string, limit: number): Verdict | Promise<Verdict> {
    if (!this.#valkey.up) return this.#takeHere(subject, limit);
    return new Promise((resolve) => {
      if (this.#takes.length === 0) setImmediate(() => this.#takeAll());
      this.#takes.push({ subject, limit, resolve });
    });
  }

  #takeHere(subject: string, limit: number): Verdict {
    const verdict = this.#own.take(subject, Math.ceil(limit / this.#options.nodes()));
    if (verdict.accepted) this.#owe(subject, [this.#options.now()]);
    return verdict;
  }

  #takeAll(): void {
    const takes = this.#takes;
    this.#takes = [];
    for (let start = 0; start < takes.length; start += MAX_TAKES) {
      void this.#takeSome(takes.slice(start, start + MAX_TAKES));
    }
  }

  async #takeSome(takes: Take[]): Promise<void> {
    const answers = await this.#call(takes);
    for (const [index, { subject, limit, resolve }] of takes.entries()) {
      if (answers) resolve(verdictOf(answers[2 * index] as number, answers[2 * index + 1] as number));
      else resolve(this.#takeHere(subject, limit));
    }
  }

  /** Tells what is untold, bit by bit, until all is told or Valkey fails again. */
  async #tellAll(): Promise<void> {
    while (this.#untold.size > 0) {
      const subjects = [...this.#untold.keys().take(MAX_TAKES)];
      if (!(await this.#call(subjects.map((subject) => ({ subject, limit: 0 }))))) return;
    }
  }

  /** One call for some subjects, each with what is untold of it. Undefined where Valkey gave no good answer. */
  async #call(takes: Pick<Take, 'subject' | 'limit'>[]): Promise<number[] | undefined> {
    const { prefix, window, now } = this.#options;
    const time = now();
    const told: [subject: string, moments: number[]][] = [];
    const args = takes.map(({ subject, limit }) => {
      const moments = this.#untold.get(subject);
      if (!moments) return limit;
      this.#untold.delete(subject);
      told.push([subject, moments]);
      const ages = moments.map((moment) => Math.max(0, time - moment)).filter((age) => age < window);
      return [limit, ...ages].join(' ');
    });
    try {
      const keys = takes.map(({ subject }) => prefix + subject);
      return (await this.#script(keys, [window, ...args])) as number[];
    } catch {
      for (const [subject, moments] of told) this.#owe(subject, moments);
      return undefined;
    }
  }

  /** Keeps moments to be told, as long as they matter. */
  #owe(subject: string, moments: number[]): void {
    const { window, now } = this.#options;
    const known = this.#untold.get(subject);
    if (known) known.push(...moments);
    else this.#untold.set(subject, moments);
    const time = now();
    if (Math.abs(time - this.#sweptAt) < window) return;
    this.#sweptAt = time;
    for (const [other, moments] of this.#untold) {
      const kept = moments.filter((moment) => time - moment < window);
      if (kept.length > 0) this.#untold.set(other, kept);
      else this.#untold.delete(other);
    }
  }
}
