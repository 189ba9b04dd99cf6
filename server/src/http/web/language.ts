import type { IncomingHttpHeaders } from 'node:http';
import { valuesOf } from '../site.ts';

/**
 * The cookie with the language that a person has chosen, written by the client (`web/features/language`).
 * Not a secret.
 */
const COOKIE = 'palaver-language';

/** A year, in seconds. */
const COOKIE_SECONDS = 365 * 24 * 3600;

/** Entries of `Accept-Language` to parse; browsers send few. */
const MAX_ENTRIES = 20;

/** The client's language for a browser, and whether the person has chosen it. */
export interface Language {
  tag: string;
  isChosen: boolean;
}

/**
 * Picks the language that the person has chosen, or the one their browser prefers (RFC 9110, 12.5.4), or the
 * first. Regional variants fall back to their language: `de-AT` to `de`.
 */
export function languageFor(
  { cookie = '', 'accept-language': accepted = '' }: IncomingHttpHeaders,
  languages: readonly string[],
): Language {
  const chosen = valuesOf(cookie, COOKIE).find((value) => languages.includes(value));
  const tag = chosen ?? liked(accepted, languages) ?? languages[0] ?? '';
  return { tag, isChosen: chosen !== undefined };
}

/** The preferred language by `Accept-Language`; of two with equal weight, the first. */
function liked(header: string, languages: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const entry of header.split(',', MAX_ENTRIES)) {
    const [range = '', ...parameters] = entry.split(';').map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    // Treat an invalid weight as a refusal.
    const own = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
    const found = languages.find((tag) => `${range}-`.startsWith(`${tag.toLowerCase()}-`));
    if (found === undefined || own <= most) continue;
    best = found;
    most = own;
  }
  return best;
}

/**
 * Renews the cookie for another year with each page: Safari deletes cookies written by scripts after a week,
 * but not those set by responses.
 */
export const renewed = (tag: string, path: string): string =>
  `${COOKIE}=${tag}; Path=${path}; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
