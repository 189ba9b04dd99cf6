import { type Person, personIn } from '../../client/src/index.ts';
import { endSession } from './endings.ts';
import { loadRefusals } from './refusals/index.ts';

export { PalaverError, type Person } from '../../client/src/index.ts';
export type { Records } from './records.ts';

/** The server in which a request acts; `none` outside of all. */
export type ServerScope = string;

/** A request that the server has refused for now: it is sent again by itself after so many seconds. */
interface Limited {
  method: string;
  path: string;
  seconds: number;
}

const limits = new Set<(limited: Limited) => void>();

/** Calls the listener when the server takes requests of a kind no more for a while. Returns what takes it away. */
export function onLimited(listener: (limited: Limited) => void): () => void {
  limits.add(listener);
  return () => limits.delete(listener);
}

/** `fetch`, which notices when the session has ended, when a limit is reached, and what has to be explained. The answer is handed on as it is. */
async function watchfulFetch(request: Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(request, init);
  if (response.status === 429) {
    const { method, url } = request;
    const seconds = Number(response.headers.get('retry-after')) || 1;
    for (const tell of [...limits]) tell({ method, path: new URL(url).pathname, seconds });
  }
  if (response.status === 401 && !isSignIn(request.url)) endSession();
  if (!response.ok) await loadRefusals();
  return response;
}

/** A wrong password is answered by 401, too, and ends nothing. */
const isSignIn = (url: string): boolean =>
  /^\/api\/people\/(sign-|links\/|proof|providers|password|close|second-factor)/.test(new URL(url).pathname);

const places = new Map<ServerScope, Person>();

/**
 * Every operation as a method, by its name in the OpenAPI document, for the person whose cookie the browser keeps. Each
 * throws PalaverError.
 */
export function api(place: ServerScope): Person {
  let person = places.get(place);
  if (!person) {
    person = personIn({ baseUrl: location.origin, serverId: place, fetch: watchfulFetch });
    places.set(place, person);
  }
  return person;
}

export { endSession, onSignedOut } from './endings.ts';
export { loadRefusals } from './refusals/index.ts';
