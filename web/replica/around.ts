/** Clock, timers and randomness, which tests replace. */
export interface Around {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Calls `run` after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** A random UUID. */
  id(): string;
}

/** A UUID. Falls back to `getRandomValues` on plain HTTP, where `crypto.randomUUID` is missing. */
function randomId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

export const realAround: Around = {
  now: Date.now,
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
  id: randomId,
};

/** Adds `end`, which cancels all timers, so nothing is retried afterwards. */
export function ending(given: Around): Around & { end(): void } {
  const pending = new Set<() => void>();
  let isOver = false;
  return {
    now: () => given.now(),
    after(ms, run) {
      if (isOver) return () => {};
      const cancel = given.after(ms, () => {
        pending.delete(cancel);
        run();
      });
      pending.add(cancel);
      return () => {
        pending.delete(cancel);
        cancel();
      };
    },
    random: () => given.random(),
    id: () => given.id(),
    end() {
      isOver = true;
      for (const cancel of pending) cancel();
    },
  };
}

/**
 * Debounces `run`: it runs `ms` milliseconds after the last call, and at most `most` milliseconds after the
 * first. `now()` runs it immediately.
 */
export function soon(around: Around, ms: number, most: number, run: () => void) {
  let cancel: (() => void) | undefined;
  let since = 0;
  const now = () => {
    cancel?.();
    if (cancel === undefined) return;
    cancel = undefined;
    run();
  };
  const call = () => {
    if (cancel === undefined) since = around.now();
    cancel?.();
    cancel = around.after(Math.max(0, Math.min(ms, since + most - around.now())), now);
  };
  const stop = () => {
    cancel?.();
    cancel = undefined;
  };
  return Object.assign(call, { now, stop });
}
