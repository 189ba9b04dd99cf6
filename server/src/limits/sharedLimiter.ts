import type { Script, Valkey } from '../lib/valkey.ts';
import { type Ceiling, type Limiter, MemoryLimiter, type Verdict } from './slidingWindow.ts';

/** Requests in one call, at most, each with one or two windows: a script blocks the server while it runs. */
const MAX_CALL_SUBJECTS = 256;
/** Begins the argument of a ceiling, whose key follows the key that it is for. */
const CEILING_MARK = '+';

/**
 * Takes a slot for each key, by the server's own clock. A key holds the times, in microseconds and ascending, at which
 * requests were accepted. ARGV[1] is the window in milliseconds. Each further argument belongs to a key: its limit (0
 * takes no slot), then, separated by spaces, the ages in milliseconds of requests accepted by nodes while Valkey was
 * down. With a plus sign before it, the key is a ceiling of the key before: a slot is taken of both or of neither.
 * Returns two numbers for each key: the slots left, or -1 if it has none to give, and the milliseconds until one is free.
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

local function isCeiling(i) return i <= #KEYS and string.sub(ARGV[i + 1], 1, 1) == '${CEILING_MARK}' end

-- The limit of a key, the number of its slots taken, and the time of the oldest.
local function read(i)
  local key = KEYS[i]
  local given = isCeiling(i) and string.sub(ARGV[i + 1], 2) or ARGV[i + 1]
  local limit = tonumber(given)
  if not limit then
    local ages = {}
    for word in string.gmatch(given, '%S+') do table.insert(ages, tonumber(word)) end
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
  return limit, oldest and redis.call('LLEN', key) or 0, oldest
end

local function settle(i, limit, size, oldest, isTaken)
  local left = -1
  if size < limit then
    left = limit - size
    if isTaken then
      left = left - 1
      redis.call('RPUSH', KEYS[i], now)
      -- Longer than the window: keys expire by another clock of the server.
      redis.call('PEXPIRE', KEYS[i], ARGV[1] + 1000)
    end
  elseif size > limit then
    oldest = tonumber(redis.call('LINDEX', KEYS[i], size - limit) or now)
  end
  answers[2 * i - 1] = left
  answers[2 * i] = math.ceil(((oldest or now) + window - now) / 1000)
end

for i = 1, #KEYS do
  if not isCeiling(i) then
    local limit, size, oldest = read(i)
    if isCeiling(i + 1) then
      local most, all, first = read(i + 1)
      local isTaken = size < limit and all < most
      settle(i, limit, size, oldest, isTaken)
      settle(i + 1, most, all, first, isTaken)
    else
      settle(i, limit, size, oldest, true)
    end
  end
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

/** The verdict of a window with its ceiling, from the script's answers for the two. */
function verdictOf(left: number, resetMs: number, over?: { left: number; resetMs: number }): Verdict {
  const isUnder = !over || over.left >= 0;
  const verdict = { accepted: left >= 0 && isUnder, remaining: Math.max(0, left), resetMs };
  return isUnder ? verdict : { ...verdict, ceilingMs: over.resetMs };
}

interface Take extends Ceiling {
  ceiling: Ceiling | undefined;
  resolve(verdict: Verdict): void;
}

/** A window in a call. */
interface Called extends Ceiling {
  isCeiling?: true;
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

  take(subject: string, limit: number, ceiling?: Ceiling): Verdict | Promise<Verdict> {
    if (!this.#valkey.up) return this.#takeHere(subject, limit, ceiling);
    return new Promise((resolve) => {
      if (this.#takes.length === 0) setImmediate(() => this.#takeAll());
      this.#takes.push({ subject, limit, ceiling, resolve });
    });
  }

  #takeHere(subject: string, limit: number, ceiling: Ceiling | undefined): Verdict {
    const partOf = (limit: number) => Math.ceil(limit / this.#options.nodes());
    const over = ceiling && { subject: ceiling.subject, limit: partOf(ceiling.limit) };
    const verdict = this.#own.take(subject, partOf(limit), over);
    if (!verdict.accepted) return verdict;
    this.#keep(subject, [this.#options.now()]);
    if (ceiling) this.#keep(ceiling.subject, [this.#options.now()]);
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
    const windows = takes.flatMap(({ subject, limit, ceiling }): Called[] =>
      ceiling
        ? [
            { subject, limit },
            { ...ceiling, isCeiling: true },
          ]
        : [{ subject, limit }],
    );
    const answers = await this.#call(windows);
    let at = 0;
    const next = () => ({ left: answers?.[at++] as number, resetMs: answers?.[at++] as number });
    for (const { subject, limit, ceiling, resolve } of takes) {
      if (!answers) {
        resolve(this.#takeHere(subject, limit, ceiling));
        continue;
      }
      const { left, resetMs } = next();
      resolve(verdictOf(left, resetMs, ceiling && next()));
    }
  }

  /** Reports accepted requests in batches, until all are reported or Valkey fails again. */
  async #reportAll(): Promise<void> {
    while (this.#unreported.size > 0) {
      const subjects = [...this.#unreported.keys().take(MAX_CALL_SUBJECTS)];
      if (!(await this.#call(subjects.map((subject) => ({ subject, limit: 0 }))))) return;
    }
  }

  /** One call for some windows, with the unreported requests of each. Undefined if Valkey fails. */
  async #call(windows: readonly Called[]): Promise<number[] | undefined> {
    const { prefix, window, now } = this.#options;
    const time = now();
    const reported: [subject: string, times: number[]][] = [];
    const args = windows.map(({ subject, limit: most, isCeiling }) => {
      const times = this.#unreported.get(subject);
      const limit = isCeiling ? `${CEILING_MARK}${most}` : most;
      if (!times) return limit;
      this.#unreported.delete(subject);
      reported.push([subject, times]);
      const ages = times.map((accepted) => Math.max(0, time - accepted)).filter((age) => age < window);
      return [limit, ...ages].join(' ');
    });
    try {
      const keys = windows.map(({ subject }) => prefix + subject);
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
