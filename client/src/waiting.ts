/** Network, clock and randomness, so that tests can replace them. */
export interface Surroundings {
  fetch(request: Request, init?: RequestInit): Promise<Response>;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number in [0, 1). */
  random(): number;
  /** A monotonic clock, in milliseconds. */
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

/** The result of `work`. Throws the error from `late` after a timeout of `ms` milliseconds (0: none). */
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
 * Backoff with full jitter, in milliseconds: a random time up to a bound that doubles with each failure, so clients
 * that failed together do not retry together.
 */
export const backOff = (failures: number, around: Pick<Surroundings, 'random'>): number =>
  around.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
