import type { Script, Valkey } from '../lib/valkey.ts';
import { type Limiter, MemoryLimiter, type Verdict } from './slidingWindow.ts';

/** Subjects in one call, at most: a script blocks the server while it runs. */
const MAX_CALL_SUBJECTS = 256;

/**
 * Takes a slot for each key, by the server's own clock. A key holds the times, in microseconds and ascending, at which
 * requests were accepted. ARGV[1] is the window in milliseconds. Each further argument belongs to a key: its limit (0
 * takes no slot), then, separated by spaces, the ages in milliseconds of requests accepted by nodes while Valkey was
 * down. Returns two numbers for each key: the slots left, or -1 if refused, and the milliseconds until one is free.
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
  -- If the clock was set back, shift all times so that the latest is now.
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
    -- Longer than the window: keys expire by another clock of the server.
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
  /** The prefix of every key. */
  prefix: string;
  /** In milliseconds. */
  window: number;
  /** The number of nodes that share the limits; at least 1. */
  nodes(): number;
  /** The clock in use while Valkey is down, in milliseconds. */
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
 * A limiter that all nodes on one Valkey share: a sliding window, exact over all nodes. All requests of one turn of the
 * event loop share a call. While Valkey is down, each node applies its share of the limit on its own, and reports the
 * requests that it accepted as soon as Valkey is back.
 */
export class SharedLimiter implements Limiter {
  readonly #valkey: Valkey;
  readonly #options: SharedLimiterOptions;
  readonly #script: Script;
  readonly #own: MemoryLimiter;
  #takes: Take[] = [];
  /** By subject, the times of the requests that this node accepted and has not reported to Valkey. */
  readonly #unreported = new Map<string, number[]>();
  #sweptAt = 0;

  constructor(valkey: Valkey, options: SharedLimiterOptions) {
    this.#valkey = valkey;
    this.#options = options;
    this.#script = valkey.script(takeScript);
    this.#own = new MemoryLimiter(options.window, options.now);
    valkey.onUp(() => this.#reportAll());
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
    if (verdict.accepted) this.#keep(subject, [this.#options.now()]);
    return verdict;
  }

  #takeAll(): void {
    const takes = this.#takes;
    this.#takes = [];
    for (let start = 0; start < takes.length; start += MAX_CALL_SUBJECTS) {
      void this.#takeSome(takes.slice(start, start + MAX_CALL_SUBJECTS));
    }
  }

  async #takeSome(takes: Take[]): Promise<void> {
    const answers = await this.#call(takes);
    for (const [index, { subject, limit, resolve }] of takes.entries()) {
      if (answers) resolve(verdictOf(answers[2 * index] as number, answers[2 * index + 1] as number));
      else resolve(this.#takeHere(subject, limit));
    }
  }

  /** Reports accepted requests in batches, until all are reported or Valkey fails again. */
  async #reportAll(): Promise<void> {
    while (this.#unreported.size > 0) {
      const subjects = [...this.#unreported.keys().take(MAX_CALL_SUBJECTS)];
      if (!(await this.#call(subjects.map((subject) => ({ subject, limit: 0 }))))) return;
    }
  }

  /** One call for some subjects, with the unreported requests of each. Undefined if Valkey fails. */
  async #call(takes: Pick<Take, 'subject' | 'limit'>[]): Promise<number[] | undefined> {
    const { prefix, window, now } = this.#options;
    const time = now();
    const reported: [subject: string, times: number[]][] = [];
    const args = takes.map(({ subject, limit }) => {
      const times = this.#unreported.get(subject);
      if (!times) return limit;
      this.#unreported.delete(subject);
      reported.push([subject, times]);
      const ages = times.map((accepted) => Math.max(0, time - accepted)).filter((age) => age < window);
      return [limit, ...ages].join(' ');
    });
    try {
      const keys = takes.map(({ subject }) => prefix + subject);
      return (await this.#script(keys, [window, ...args])) as number[];
    } catch {
      for (const [subject, times] of reported) this.#keep(subject, times);
      return undefined;
    }
  }

  /** Keeps the times of accepted requests to be reported. Drops all that have left the window, once a window. */
  #keep(subject: string, times: number[]): void {
    const { window, now } = this.#options;
    const earlier = this.#unreported.get(subject);
    if (earlier) earlier.push(...times);
    else this.#unreported.set(subject, times);
    const time = now();
    if (Math.abs(time - this.#sweptAt) < window) return;
    this.#sweptAt = time;
    for (const [other, times] of this.#unreported) {
      const kept = times.filter((accepted) => time - accepted < window);
      if (kept.length > 0) this.#unreported.set(other, kept);
      else this.#unreported.delete(other);
    }
  }
}
