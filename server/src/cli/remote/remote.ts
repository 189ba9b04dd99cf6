import { setTimeout as sleep } from 'node:timers/promises';
import { remoteFrom } from '../../config/environment.ts';
import { CommandError } from '../commandError.ts';
import type { TellStep } from '../terminal.ts';

const USUAL_URL = 'http://127.0.0.1:8080';
/** Response timeout. It is longer for requests with large bodies. */
export const ANSWER_MS = 30_000;
/**
 * The bounds of the backoff (`pauseAfter`): the maximum pause after no failures, which doubles with each
 * failure, and its limit.
 */
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 20_000;

/** The options of every command that talks to a running server over HTTP. */
export const remoteOptions = {
  '--url <url>': `Address of the server (default: PALAVER_URL or ${USUAL_URL})`,
  '--key <key>': 'API key (default: PALAVER_KEY, which does not appear in process lists)',
} as const;

/** A running server, and the API key for it. */
export interface Remote {
  url: string;
  key: string;
}

/** Thrown if there was no response, or if a retry may get a different one. */
export class TryAgain extends CommandError {
  /** Milliseconds that the server asked the client to wait. */
  readonly pause: number;
  /** Whether the address did not respond. */
  readonly isSilent: boolean;
  constructor(message: string, { pause = 0, isSilent = false } = {}) {
    super(message);
    this.pause = pause;
    this.isSilent = isSilent;
  }
}

/** Thrown if the server rejected the request, with its error code. */
export class Refused extends CommandError {
  readonly code: string;
  constructor(code: string, message: string | undefined) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

/** Returns the server specified by the options and the environment. Throws CommandError. */
export function remoteOf(given: { url?: string; key?: string }): Remote {
  const set = remoteFrom();
  const url = given.url ?? set.url ?? USUAL_URL;
  const key = given.key ?? set.key;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(
      `${given.url === undefined ? 'PALAVER_URL' : '--url'} must be a URL such as ${USUAL_URL}`,
    );
  if (!key) throw new CommandError('missing API key: set PALAVER_KEY');
  if (!/^[\x21-\x7e]+$/.test(key)) throw new CommandError('the API key contains invalid characters');
  return { url: url.replace(/\/+$/, ''), key };
}

/**
 * Sends a request, and returns the response once its headers have arrived. Throws TryAgain if there was no
 * response within `answerMs` or its status was 429 or 5xx, and CommandError if the server rejected the
 * request.
 */
export async function ask(
  { url, key }: Remote,
  path: string,
  { headers = {}, signal, ...init }: RequestInit & { headers?: Record<string, string> } = {},
  { prefix = '/api/v1', answerMs = ANSWER_MS }: { prefix?: string; answerMs?: number } = {},
): Promise<Response> {
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(), answerMs);
  try {
    const answer = await fetch(`${url}${prefix}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${key}`, ...headers },
      // A redirect could turn a POST into a GET, and the key is meant only for this address.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
    });
    if (answer.ok) return answer;
    throw await refusalOf(answer, url);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const reason = stop.signal.aborted
      ? 'no response in time'
      : (cause?.code ?? cause?.message ?? 'no response');
    throw new TryAgain(
      `${url} does not respond (${reason}): start the server, or pass another address with --url`,
      {
        isSilent: true,
      },
    );
  } finally {
    clearTimeout(late);
  }
}

/**
 * Returns the `data` of a response. Throws TryAgain if the response is incomplete, or CommandError if it does
 * not come from Palaver.
 */
export async function dataOf<T>(answer: Response): Promise<T> {
  let text: string;
  try {
    text = await answer.text();
  } catch {
    throw new TryAgain('the connection was lost before the response was complete');
  }
  try {
    return (JSON.parse(text) as { data: T }).data;
  } catch {
    throw noPalaver(answer.url);
  }
}

/**
 * Calls `send` until it does not throw TryAgain, up to `most` times, with backoff. Rethrows the error of
 * the last call.
 */
export async function retried<T>(
  most: number,
  tell: TellStep,
  send: (attempt: number) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(attempt);
    } catch (error) {
      if (!(error instanceof TryAgain) || attempt === most) throw error;
      tell(`${error.message}; trying again`);
      await sleep(Math.max(error.pause, pauseAfter(attempt)));
    }
  }
}

/** Backoff with full jitter: returns a random number of milliseconds to wait after this many failures. */
export const pauseAfter = (failures: number): number =>
  Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures);

async function refusalOf(answer: Response, url: string): Promise<CommandError> {
  const { status } = answer;
  const text = await answer.text().catch(() => '');
  const { code, message } = errorIn(text);
  if (status === 429 || status >= 500) {
    const seconds = Number(answer.headers.get('retry-after') ?? 0);
    return new TryAgain(`${url} returned ${code ?? status}${message ? `: ${message}` : ''}`, {
      pause: Number.isFinite(seconds) ? seconds * 1000 : 0,
    });
  }
  if (status === 401)
    return new CommandError(`${message ?? 'the key was refused'}; set PALAVER_KEY to a valid key`);
  if (code) return new Refused(code, message);
  const place = answer.headers.get('location');
  return new CommandError(
    place ? `${url} redirects to ${place}: pass that address with --url` : noPalaver(url).message,
  );
}

/** Creates the error for an address at which something other than Palaver responds. */
export const noPalaver = (url: string): CommandError =>
  new CommandError(`${url} is not a Palaver server: pass another address with --url`);

function errorIn(text: string): { code?: string; message?: string } {
  try {
    return (JSON.parse(text) as { error?: { code: string; message: string } }).error ?? {};
  } catch {
    return {};
  }
}
