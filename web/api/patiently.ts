import { PalaverError } from './index.ts';

/**
 * Retries after the delay that the server requests, because reading a long log or uploading a large file takes
 * more requests than the limit per minute allows.
 */
export async function patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PalaverError && error.code === 'RATE_LIMITED')) throw error;
      await pause((error.retryAfter ?? 1) * 1_000, signal);
    }
  }
}

/** Resolves after `time` ms, or when `signal` aborts. */
const pause = (time: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
