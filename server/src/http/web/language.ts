import type { IncomingHttpHeaders } from 'node:http';
import { valuesOf } from '../site.ts';

/** The cookie with the language that a person has chosen, which the client writes (`web/features/language`). It is no secret. */
const COOKIE = 'palaver-language';

/** A year, in seconds. */
const COOKIE_SECONDS = 365 * 24 * 3600;

/** Entries of `Accept-Language` that are read, at most: browsers send few. */
const MAX_ENTRIES = 20;

/** The language of the client for a browser, and whether its person has chosen it. */
export interface Language {
  tag: string;
  isChosen: boolean;
}

/**
 * Of the languages that there are, the one that the person has chosen, else the one that their browser likes best (RFC 9110, 12.5.4),
 * else the first. A variety counts as its language: who likes `de-AT` gets `de`.
 */
export function languageFor(
  { cookie = '', 'accept-language': accepted = '' }: IncomingHttpHeaders,
  languages: readonly string[],
): Language {
  const chosen = valuesOf(cookie, COOKIE).find((value) => languages.includes(value));
  const tag = chosen ?? liked(accepted, languages) ?? languages[0] ?? '';
  return { tag, isChosen: chosen !== undefined };
}

/** The best of the languages by a header `Accept-Language`; of two that are liked equally, the one that is named first. */
function liked(header: string, languages: readonly string[]): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const entry of header.split(',', MAX_ENTRIES)) {
    const [range = '', ...parameters] = entry.split(';').map((word) => word.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    // A weight that is none is taken for a refusal.
    const own = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
    const found = languages.find((tag) => `${range}-`.startsWith(`${tag.toLowerCase()}-`));
    if (found === undefined || own <= most) continue;
    best = found;
    most = own;
  }
  return best;
}

/**
 * The cookie for another year. Safari forgets cookies that a script has written after a week, but not those of answers, so each page
 * renews it.
 */
export const renewed = (tag: string): string =>
  `${COOKIE}=${tag}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
