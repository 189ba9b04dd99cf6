import { PalaverError } from './index.ts';

/** Asks again after the time that the server names: a long log takes more requests than are taken in a minute. */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PalaverError && error.code === 'RATE_LIMITED')) throw error;
      await pause((error.retryAfter ?? 1) * 1_000, signal);
    }
  }
}

/** Resolves after some time, in ms, or once `signal` ends it. */
const pause = (time: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, time);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
