/** Network, clock and randomness, which tests can replace. */
export interface Surroundings {
  fetch(request: Request, init?: RequestInit): Promise<Response>;
  /** Resolves after `ms` milliseconds. Rejects with the signal's reason as soon as the signal is aborted. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Returns the time on a monotonic clock, in milliseconds. */
  now(): number;
}

/** Waits with `setTimeout`. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Resolves with the result of `work`. If that takes longer than `ms` milliseconds (0 for no limit), rejects
 * with the error from `late`.
 */
export async function within<T>(
  work: Promise<T>,
  ms: number,
  late: () => Error,
  around: Pick<Surroundings, 'wait'>,
): Promise<T> {
  if (ms === 0) return work;
  const done = new AbortController();
  const tooLate = around.wait(ms, done.signal).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    done.abort();
  }
}

const FIRST_MS = 500;
const LONGEST_MS = 20_000;

/**
 * Backoff with full jitter: returns a random number of milliseconds, up to a limit that doubles with each
 * failure. Clients that failed together then do not retry together.
 */
export const backOff = (failures: number, around: Pick<Surroundings, 'random'>): number =>
  around.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
