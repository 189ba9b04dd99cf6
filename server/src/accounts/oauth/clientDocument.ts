import { invalid } from '../../errors.ts';
import { nameProblem, storedName } from '../../lib/names.ts';
import { MAX_NAME_CHARACTERS } from '../../operations/fields.ts';
import type { ClientDocument } from '../../operations/services.ts';
import { isLikeOwnName } from './clientNames.ts';

/** Maximum characters of a `client_id`. */
export const MAX_CLIENT_CHARACTERS = 300;
/** Maximum redirect URIs per app, and maximum characters in each. */
const MAX_REDIRECTS = 50;
export const MAX_REDIRECT_CHARACTERS = 500;

/** Whether a `client_id` is the URL of a metadata document. Otherwise, it is a name. */
export const isClientUrl = (client: string): boolean => /^https?:/i.test(client);

/**
 * Throws INVALID_REQUEST unless a `client_id` may be the URL of a metadata document. The URL must be in
 * normalized form, so that an app has only one `client_id`. URLs without TLS are accepted only with
 * `allowHttp`.
 */
export function requireClientUrl(client: string, allowHttp: boolean): void {
  const wrong = (message: string) => invalid('wrong_form', 'client', message);
  const url = URL.canParse(client) ? new URL(client) : undefined;
  if (!url || !(url.protocol === 'https:' || (allowHttp && url.protocol === 'http:')))
    throw wrong('must be an https URL');
  if (url.username !== '' || url.password !== '')
    throw invalid('refused_address', 'client', 'must not contain a username or password');
  if (client.includes('#')) throw wrong('must not have a fragment');
  if (url.pathname === '/') throw wrong('must have a path');
  if (url.href !== client) throw wrong(`must be written as ${url.href.slice(0, MAX_CLIENT_CHARACTERS)}`);
}

/**
 * Parses an app's metadata document (draft-ietf-oauth-client-id-metadata-document). Throws INVALID_REQUEST if
 * it does not contain the URL it was loaded from, has no valid name or redirect URIs, or describes an app
 * with a secret.
 */
export function clientDocumentOf(url: string, body: Uint8Array): ClientDocument {
  const wrong = (message: string) => invalid('wrong_form', 'client', `its metadata document ${message}`);
  const found = parsed(body);
  if (!found) throw wrong('is not a JSON object');
  if (found.client_id !== url) throw wrong('must have this URL as its client_id');
  const { client_name: given, redirect_uris: redirectUris, grant_types: types } = found;
  if (typeof given !== 'string') throw wrong('has no client_name');
  const name = storedName(given);
  const problem = nameProblem(name, MAX_NAME_CHARACTERS);
  if (problem) throw wrong(`has a client_name that ${problem.message}`);
  if (isLikeOwnName(name)) throw wrong('has a client_name that looks like the name of Palaver itself');
  if (!isRedirects(redirectUris))
    throw wrong(`needs 1 to ${MAX_REDIRECTS} redirect_uris of up to ${MAX_REDIRECT_CHARACTERS} characters`);
  if ((found.token_endpoint_auth_method ?? 'none') !== 'none')
    throw wrong('must have the token_endpoint_auth_method none: apps have no secret here');
  if (types !== undefined && !(Array.isArray(types) && types.includes('authorization_code')))
    throw wrong('must list authorization_code in its grant_types');
  return { url, name, host: new URL(url).host, redirectUris };
}

function parsed(body: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRedirects = (value: unknown): value is string[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.length <= MAX_REDIRECTS &&
  value.every((uri) => typeof uri === 'string' && uri.length <= MAX_REDIRECT_CHARACTERS);
