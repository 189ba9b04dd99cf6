/** The client's access to the network, the clock and chance, so that tests can replace them. */
export interface Surroundings {
  fetch(request: Request, init?: RequestInit): Promise<Response>;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** A random number from 0 up to, not including, 1. */
  random(): number;
  /** Milliseconds of a clock that never goes back. */
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

/** The result of `work`. If that takes longer than `ms` milliseconds (0: no limit), throws the error from `late`. */
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
 * Milliseconds to wait after so many earlier failures: a random time up to a bound that doubles with each failure
 * ("full jitter"), so that clients that failed together do not return together.
 */
export const backOff = (failures: number, around: Pick<Surroundings, 'random'>): number =>
  around.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** failures);
