import createClient from 'openapi-fetch';
import { type Calls, callsOver, type PeopleCalls } from './calls.ts';
import { type FileCalls, filesOver } from './files.ts';
import { operations } from './generated/operations.ts';
import { peopleOperations } from './generated/people.ts';
import type { paths } from './generated/schema.ts';
import { type Persistence, persistentFetch } from './persistence.ts';
import { type Surroundings, wait } from './waiting.ts';

export interface PersonOptions extends Partial<Persistence> {
  /** The URL of Palaver. In a web page, the page's origin. */
  baseUrl: string;
  /** The server that the person acts in; none by default. */
  serverId?: string;
  /** An app's token (`access_plv_…`). If it is omitted, the browser's cookie is used. */
  token?: string;
  /** Sends requests; the global `fetch` by default. */
  fetch?: Surroundings['fetch'];
  /** Called with each successful response before it is returned. May modify it. */
  received?: (answer: object) => void;
}

/** The API available to a signed-in person: the endpoints for API keys, and those for people only. */
export type Person = Calls & PeopleCalls & FileCalls;

/**
 * Creates a client for a person in one server, or in none. It does not connect yet. Requests that take no
 * Idempotency-Key and cannot be repeated, such as signing in, are retried only after a 429. Throws TypeError
 * if the token is malformed.
 */
export function personIn(options: PersonOptions): Person {
  const way = wayOf(options);
  const calls = callsOf(way);
  return { ...calls, ...filesOver({ ...way, messageSend: calls.messageSend }) };
}

/** Like `personIn`, without the calls that send or return bytes. */
export const personWithoutFiles = (options: PersonOptions): Calls & PeopleCalls => callsOf(wayOf(options));

function wayOf(options: PersonOptions) {
  const { serverId = 'none', token, retries = 4, patience = 120_000, timeout = 75_000, onRetry } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/, '');
  const headers: Record<string, string> = { 'Palaver-Server': serverId };
  if (token !== undefined) headers.Authorization = `Bearer ${token}`;
  new Request(baseUrl, { headers });
  const around: Surroundings = {
    fetch: options.fetch ?? ((request, init) => fetch(request, init)),
    wait,
    random: Math.random,
    now: () => performance.now(),
  };
  const rules = { retries, patience, timeout, onRetry };
  return { baseUrl, headers, around, rules, received: options.received };
}

function callsOf({
  baseUrl,
  headers,
  around,
  rules,
  received,
}: ReturnType<typeof wayOf>): Calls & PeopleCalls {
  const client = createClient<paths>({ baseUrl, headers, fetch: persistentFetch(rules, around) });
  const ways = { once: persistentFetch({ ...rules, retries: 0 }, around), received };
  return {
    ...callsOver<Calls>(client, '/api/v1', operations, ways),
    ...callsOver<PeopleCalls>(client, '/api/people', peopleOperations, ways),
  };
}
