/** What the outside world gives, so that tests own it. */
export interface Surroundings {
  fetch(request: Request, init?: RequestInit): Promise<Response>;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as it says stop. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
  /** Milliseconds, by a clock that never goes back. */
  now(): number;
}

/** As of `setTimeout`. */
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

/** What `work` gives, unless it takes longer than `ms` milliseconds, 0 for any time: then throws what `late` makes. */
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

const FIRST = 500;
const LONGEST = 20_000;

/**
 * Milliseconds to wait after so many failures, 0 for the first: anything up to a bound that doubles each time ("full
 * jitter"), so that those who failed together do not come back together.
 */
export const backOff = (failures: number, around: Pick<Surroundings, 'random'>): number =>
  around.random() * Math.min(LONGEST, FIRST * 2 ** failures);
