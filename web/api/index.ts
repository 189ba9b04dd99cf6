import { personWithoutFiles } from '../../client/src/person.ts';
import { pathInSite, siteAddress } from './base.ts';
import { endSession, noteFactor } from './endings.ts';
import { Listeners } from './listeners.ts';
import { withSafeNames } from './names.ts';
import { loadRefusals } from './refusals/index.ts';

export { PalaverError } from '../../client/src/index.ts';
export type { Records } from './records.ts';

/** The id of the server that a request acts in, or `none` outside of all servers. */
export type ServerScope = string;

/** The API on behalf of the user, in one server or in none. */
export type Person = ReturnType<typeof personWithoutFiles>;

/** A rate-limited request. It is retried after `seconds`, unless that exceeds the client's `patience`. */
interface Limited {
  method: string;
  path: string;
  seconds: number;
}

const limits = new Listeners<[Limited]>();

/** Calls the listener when the server rate-limits a kind of request. Returns a function that unsubscribes. */
export const onLimited = (listener: (limited: Limited) => void): (() => void) => limits.add(listener);

/**
 * A `fetch` that detects the end of the session, rate limits, and errors that need translation. It returns
 * the response unchanged.
 */
async function watchfulFetch(request: Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  if (response.status === 429) {
    const { method, url } = request;
    const seconds = Number(response.headers.get('retry-after')) || 1;
    limits.tell({ method, path: pathInSite(new URL(url).pathname) ?? '', seconds });
  }
  if (response.status === 401 && !isSignIn(request.url)) endSession();
  if (response.status === 403) await noteFactor(response.clone());
  if (!response.ok) await loadRefusals();
  return response;
}

/** A wrong password also returns 401, but the session stays valid. */
const isSignIn = (url: string): boolean =>
  /^\/api\/people\/(sign-|links\/|proof|providers|password|close|second-factor)/.test(
    pathInSite(new URL(url).pathname) ?? '',
  );

const places = new Map<ServerScope, Person>();

/**
 * Every operation as a method, named as in the OpenAPI document, on behalf of the user who is signed in
 * with the browser's cookie. Each method throws PalaverError.
 */
export function api(place: ServerScope): Person {
  let person = places.get(place);
  if (!person) {
    person = personWithoutFiles({
      baseUrl: siteAddress(),
      serverId: place,
      fetch: watchfulFetch,
      received: withSafeNames,
    });
    places.set(place, person);
  }
  return person;
}

export { endSession, factorIsMissing, onFactorMissing, onSignedOut } from './endings.ts';
export { loadRefusals } from './refusals/index.ts';
