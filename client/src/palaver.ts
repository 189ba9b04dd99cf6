import createClient, { type Client } from 'openapi-fetch';
import { type Calls, callsOver } from './calls.ts';
import type { EventOptions, PalaverEvent } from './event.ts';
import { follow } from './events.ts';
import type { paths } from './generated/schema.ts';
import { type Persistence, persistentFetch } from './persistence.ts';
import { type Surroundings, wait } from './waiting.ts';

export interface PalaverOptions extends Partial<Persistence> {
  /** Where Palaver is: `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** The API key. */
  key: string;
  /** What sends requests; the global `fetch` if left out. */
  fetch?: Surroundings['fetch'];
}

/** The methods for raw answers, typed by path: `palaver.GET('/api/v1/servers')` gives `{ data, error, response }`. */
type Raw = Pick<Client<paths>, 'GET' | 'POST' | 'PATCH' | 'DELETE'>;

/** A Palaver, seen with one key. */
export interface Palaver extends Calls, Raw {
  /**
   * Everything that happens, in order and once, for as long as one listens: through lost connections and restarts of the
   * server. Throws PalaverError when the server refuses (400, 401, 403, 404).
   */
  events(options?: EventOptions): AsyncGenerator<PalaverEvent, void, undefined>;
}

/**
 * Connects to nothing yet: every call is a request of its own. Throws TypeError for an address or a key that cannot be
 * one.
 */
export function createPalaver(options: PalaverOptions): Palaver {
  return palaverIn(options, {
    fetch: options.fetch ?? ((request, init) => fetch(request, init)),
    wait,
    random: Math.random,
    now: () => performance.now(),
  });
}

/** The same in other surroundings. */
export function palaverIn(options: PalaverOptions, around: Surroundings): Palaver {
  const { key, retries = 4, patience = 120_000, timeout = 75_000, onRetry } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const headers = { Authorization: `Bearer ${key}` };
  if (!/^https?:\/\/./.test(baseUrl)) throw new TypeError('baseUrl must begin with http:// or https://');
  // Otherwise such a mistake would look like a server that cannot be reached, and be tried again and again.
  new Request(baseUrl, { headers });
  const send = persistentFetch({ retries, patience, timeout, onRetry }, around);
  const client = createClient<paths>({ baseUrl, headers, fetch: send });
  const { GET, POST, PATCH, DELETE } = client;
  return {
    ...callsOver(client),
    GET,
    POST,
    PATCH,
    DELETE,
    events: (eventOptions = {}) => follow({ baseUrl, headers, timeout, onRetry }, eventOptions, around),
  };
}
