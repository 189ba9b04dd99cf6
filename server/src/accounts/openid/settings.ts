import { isObject } from '../../lib/isObject.ts';
import { nameProblem, storedName } from '../../lib/names.ts';

/** A sign-in provider (OpenID Connect), as configured by the operator. */
export interface ProviderSettings {
  /** The provider's name in URLs: a–z 0–9 and hyphens. */
  id: string;
  /** The display name. */
  name: string;
  /** The issuer, exactly as the provider spells it. */
  issuer: string;
  clientId: string;
  /** Empty for a public client, which is protected only by PKCE. */
  clientSecret: string;
  /** Scopes, separated by spaces, including `openid`. */
  scopes: string;
  /**
   * Whether people with two-factor authentication must also enter a code when they sign in through this
   * provider.
   */
  asksCode: boolean;
}

export const EXAMPLE =
  '[{"id": "example", "name": "Example", "issuer": "https://id.example.com", "clientId": "…", "clientSecret": "…"}]';

const MAX_PROVIDERS = 20;
const ID = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const known = ['id', 'name', 'issuer', 'clientId', 'clientSecret', 'scopes', 'asksCode'];

/**
 * Parses the setting, a list of providers. Throws an Error whose message continues a sentence that starts
 * with the setting's name.
 */
export function providersFrom(value: unknown): readonly ProviderSettings[] {
  // Empty text means no providers, as in other JSON settings.
  const list = isObject(value) && Object.keys(value).length === 0 ? [] : value;
  if (!Array.isArray(list)) throw new Error(`must be a JSON array such as ${EXAMPLE}`);
  if (list.length > MAX_PROVIDERS) throw new Error(`must have at most ${MAX_PROVIDERS} providers`);
  const providers = list.map(providerFrom);
  for (const field of ['id', 'issuer'] as const)
    if (new Set(providers.map((one) => one[field])).size < providers.length)
      throw new Error(`has the same ${field} twice`);
  return providers;
}

function providerFrom(given: unknown, index: number): ProviderSettings {
  const at = `provider ${index + 1}`;
  if (!isObject(given)) throw new Error(`${at} must be an object such as ${EXAMPLE.slice(1, -1)}`);
  const strange = Object.keys(given).find((name) => !known.includes(name));
  if (strange) throw new Error(`${at}: unknown "${strange}"; use ${known.join(', ')}`);
  const text = (name: string, fallback?: string): string => {
    const value = given[name] ?? fallback;
    if (typeof value !== 'string' || (value === '' && fallback === undefined))
      throw new Error(`${at} needs "${name}", a string`);
    return value;
  };
  const id = text('id');
  if (!ID.test(id)) throw new Error(`${at}: "id" must be 1 to 32 of the characters a–z 0–9 -`);
  const name = storedName(text('name', id));
  const problem = nameProblem(name, 100);
  if (problem) throw new Error(`${at}: "name" ${problem.message}`);
  const issuer = text('issuer');
  if (!isIssuer(issuer))
    throw new Error(`${at}: "issuer" must be a URL that begins with https://, without a query`);
  const scopes = text('scopes', 'openid profile');
  if (!scopes.split(' ').includes('openid')) throw new Error(`${at}: "scopes" must include openid`);
  const asksCode = given.asksCode ?? false;
  if (typeof asksCode !== 'boolean') throw new Error(`${at}: "asksCode" must be true or false`);
  return {
    id,
    name,
    issuer,
    clientId: text('clientId'),
    clientSecret: text('clientSecret', ''),
    scopes,
    asksCode,
  };
}

/** Whether the text is an https URL without a query or fragment (OpenID Connect Core 1.0, 2). */
const isIssuer = (text: string): boolean =>
  URL.canParse(text) &&
  !/[?#\s]/.test(text) &&
  new URL(text).username === '' &&
  (text.startsWith('https://') || isLocalIssuer(text));

/** Whether the provider runs on this machine and therefore needs no TLS. */
export const isLocalIssuer = (issuer: string): boolean =>
  /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/.test(issuer);
