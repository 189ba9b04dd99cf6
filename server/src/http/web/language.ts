import type { IncomingHttpHeaders } from 'node:http';
import { valuesOf } from '../site.ts';

/**
 * The cookie with the language that a person has chosen, written by the client (`web/features/language`).
 * It is not a secret.
 */
const COOKIE = 'palaver-language';
/**
 * The cookie's names. Over TLS, the name has a prefix, which prevents other hosts of the domain from setting
 * the cookie (RFC 6265bis, 4.1.3). `__Host-` requires the path `/`.
 */
const COOKIES = [`__Host-${COOKIE}`, `__Secure-${COOKIE}`, COOKIE];

/** A year, in seconds. */
const COOKIE_SECONDS = 365 * 24 * 3600;

/** Maximum number of entries in `Accept-Language` to parse. Browsers send few. */
const MAX_ENTRIES = 20;

/** The client's language for a browser, and the name of the cookie that stores the person's choice. */
export interface Language {
  tag: string;
  cookie: string | undefined;
}

/**
 * Picks the language that the person has chosen, or the one that their browser prefers (RFC 9110, 12.5.4), or
 * else the default. Regional variants fall back to their language: `de-AT` to `de`.
 */
export function languageFor(
  { cookie = '', 'accept-language': accepted = '' }: IncomingHttpHeaders,
  languages: readonly string[],
): Language {
  const [chosen] = COOKIES.flatMap((name) =>
    valuesOf(cookie, name)
      .filter((tag) => languages.includes(tag))
      .map((tag) => ({ tag, cookie: name })),
  );
  if (chosen) return chosen;
  return { tag: liked(accepted, languages) ?? languages[0] ?? '', cookie: undefined };
}

/**
 * Returns the preferred language according to `Accept-Language`; of several with the same weight, the first
 * one.
 */
function liked(header: string, languages: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const entry of header.split(',', MAX_ENTRIES)) {
    const [range = '', ...parameters] = entry.split(';').map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    // An invalid weight counts as zero.
    const own = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
    const found = languages.find((tag) => `${range}-`.startsWith(`${tag.toLowerCase()}-`));
    if (found === undefined || own <= most) continue;
    best = found;
    most = own;
  }
  return best;
}

/**
 * Renews the cookie for another year with each page. Safari deletes cookies after a week if a script wrote
 * them, but not if a response set them.
 */
export const renewed = (cookie: string, tag: string, path: string): string =>
  `${cookie}=${tag}; Path=${path}; Max-Age=${COOKIE_SECONDS}; SameSite=Lax${cookie === COOKIE ? '' : '; Secure'}`;
