import { errorOf, noAnswer, type PalaverError, secondsToWait } from './error.ts';
import { parsed } from './json.ts';
import { backOff, type Surroundings, within } from './waiting.ts';

/** Retry settings. */
export interface Persistence {
  /**
   * The maximum number of retries after failures: no connection, a timeout, or status 500, 502, 503 or 504.
   */
  retries: number;
  /**
   * The total number of milliseconds that a call may wait between attempts, including the waits after a
   * 429.
   */
  patience: number;
  /** The timeout for one attempt, including reading its response, in milliseconds; 0 for none. */
  timeout: number;
  /** Called after each failure that is retried, with the number of milliseconds until the next attempt. */
  onRetry?: ((error: PalaverError, ms: number) => void) | undefined;
}

/** Statuses that are retried, in addition to 429. */
const transient: ReadonlySet<number> = new Set([500, 502, 503, 504]);

const attemptsOf = new WeakMap<Response, number>();

/** Returns the number of attempts it took to get this response. */
export const attemptsFor = (response: Response): number => attemptsOf.get(response) ?? 1;

/**
 * Creates a `fetch` with retries. Every request can be repeated: reads and deletes are idempotent, a PATCH
 * sets the same values again, and all attempts of a POST have the same Idempotency-Key. To detect and retry
 * truncated responses, it reads each response to its end before returning it; with `isStreamed`, only
 * unsuccessful ones. Throws NO_ANSWER, or the signal's reason if the request is aborted.
 */
export function persistentFetch(rules: Persistence, around: Surroundings, isStreamed = false) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
      request.headers.set('idempotency-key', randomKey());
    }
    let failures = 0;
    let waited = 0;
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(request, rules, around, attempt, isStreamed);
      const { response } = outcome;
      if (response && response.status !== 429 && !transient.has(response.status)) return response;
      const asked = response && secondsToWait(response);
      // A 429 with a Retry-After does not count as a failure, because the server says when to retry.
      const isTurn = response?.status === 429 && asked;
      const pause = Math.max(isTurn ? 0 : backOff(failures, around), (asked ?? 0) * 1000);
      if (!isTurn) failures++;
      if (failures > rules.retries || waited + pause > rules.patience) {
        if (response) return response;
        throw outcome.error;
      }
      rules.onRetry?.(outcome.error ?? (await errorIn(outcome.response, attempt)), pause);
      await around.wait(pause, request.signal);
      waited += pause;
    }
  };
}

type Outcome = { response: Response; error?: undefined } | { response?: undefined; error: PalaverError };

async function attemptOnce(
  request: Request,
  { timeout }: Persistence,
  around: Surroundings,
  attempt: number,
  isStreamed: boolean,
): Promise<Outcome> {
  const { signal } = request;
  signal.throwIfAborted();
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  signal.addEventListener('abort', onAbort);
  let isOpen = false;
  try {
    const answer = around
      .fetch(request.clone(), { signal: stop.signal })
      .then((response) => (isStreamed && response.ok ? response : readToEnd(response)));
    const late = () => noAnswer(`there was no response within ${timeout} ms`, { attempts: attempt });
    const response = await within(answer, timeout, late, around);
    attemptsOf.set(response, attempt);
    isOpen = isStreamed && response.ok;
    return { response };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof Error && cause.name === 'PalaverError') return { error: cause as PalaverError };
    const why = cause instanceof Error ? cause.message : String(cause);
    return { error: noAnswer(`${new URL(request.url).origin}: ${why}`, { attempts: attempt, cause }) };
  } finally {
    // The signal can still abort a body that is being received.
    if (!isOpen) {
      signal.removeEventListener('abort', onAbort);
      stop.abort();
    }
  }
}

async function readToEnd(response: Response): Promise<Response> {
  const bytes = await response.arrayBuffer();
  const { status, statusText, headers } = response;
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers });
}

const errorIn = async (response: Response, attempt: number): Promise<PalaverError> =>
  errorOf(response, parsed(await response.clone().text()), attempt);

/** Generates a key of 128 random bits. `crypto.randomUUID` is missing on pages served without HTTPS. */
const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
