import createClient, { type Client } from 'openapi-fetch';
import { type Calls, callsOver } from './calls.ts';
import type { EventOptions, PalaverEvent } from './event.ts';
import { follow } from './events.ts';
import { type FileCalls, filesOver } from './files.ts';
import { operations } from './generated/operations.ts';
import type { paths } from './generated/schema.ts';
import { type Persistence, persistentFetch } from './persistence.ts';
import { type Surroundings, wait } from './waiting.ts';

export interface PalaverOptions extends Partial<Persistence> {
  /** The URL of Palaver, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** The API key. */
  key: string;
  /** Sends requests; the global `fetch` by default. */
  fetch?: Surroundings['fetch'];
}

/**
 * The methods that return raw responses, typed by path: `palaver.GET('/api/v1/servers')` returns `{ data,
 * error, response }`.
 */
type Raw = Pick<Client<PathsForKeys>, 'GET' | 'POST' | 'PATCH' | 'DELETE'>;
type PathsForKeys = {
  [Path in keyof paths as Path extends `/api/people/${string}` ? never : Path]: paths[Path];
};

/** The API available to an API key. */
export interface Palaver extends Calls, FileCalls, Raw {
  /**
   * Yields all events in order, each once, until the caller stops. Reconnects after lost connections and
   * server restarts. Throws PalaverError on 400, 401, 403 and 404.
   */
  events(options?: EventOptions): AsyncGenerator<PalaverEvent, void, undefined>;
}

/**
 * Creates a client. It does not connect yet: each call sends its own request. Throws TypeError if the URL or
 * the key is malformed.
 */
export function createPalaver(options: PalaverOptions): Palaver {
  return palaverIn(options, {
    fetch: options.fetch ?? ((request, init) => fetch(request, init)),
    wait,
    random: Math.random,
    now: () => performance.now(),
  });
}

/** Like `createPalaver`, but with the given network, clock and randomness. */
export function palaverIn(options: PalaverOptions, around: Surroundings): Palaver {
  const { key, retries = 4, patience = 120_000, timeout = 75_000, onRetry } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const headers = { Authorization: `Bearer ${key}` };
  if (!/^https?:\/\/./.test(baseUrl)) throw new TypeError('baseUrl must begin with http:// or https://');
  // Validates the URL and the headers now. Otherwise, a mistake in them would look like an unreachable server
  // and be retried.
  new Request(baseUrl, { headers });
  const rules = { retries, patience, timeout, onRetry };
  const send = persistentFetch(rules, around);
  const client = createClient<paths>({ baseUrl, headers, fetch: send });
  const { GET, POST, PATCH, DELETE } = client;
  const calls = callsOver<Calls>(client, '/api/v1', operations);
  return {
    ...calls,
    ...filesOver({ baseUrl, headers, rules, around, messageSend: calls.messageSend }),
    ...({ GET, POST, PATCH, DELETE } as Raw),
    events: (eventOptions = {}) => follow({ baseUrl, headers, timeout, onRetry }, eventOptions, around),
  };
}
