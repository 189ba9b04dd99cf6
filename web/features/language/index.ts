import { base } from '../../api/base.ts';

/** The tags of all languages in this build, inlined by `build.js`. */
declare const LANGUAGES: readonly string[];

const isSecure = location.protocol === 'https:';
/**
 * The language is stored in a cookie, because the server reads it to choose the page's language
 * (`server/src/http/web/language.ts`, which also renews it). It reveals nothing about the user, so it is kept
 * after signing out.
 */
const COOKIE = `${isSecure ? (base === '' ? '__Host-' : '__Secure-') : ''}palaver-language`;

/** The available languages, each with its name in that language. */
export const languages = (): { tag: string; name: string }[] =>
  LANGUAGES.map((tag) => ({ tag, name: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag }));

/** The language chosen in this browser; undefined for the browser's preference. */
export const chosenLanguage = (): string | undefined =>
  LANGUAGES.find((tag) => document.cookie.split('; ').includes(`${COOKIE}=${tag}`));

/** Sets the language of this browser, or resets it to the browser's preference, and reloads the page. */
export function chooseLanguage(tag: string | undefined): void {
  const seconds = tag === undefined ? 0 : 365 * 24 * 3600;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in many browsers and on plain HTTP
  document.cookie = `${COOKIE}=${tag ?? ''}; path=${base || '/'}; max-age=${seconds}; samesite=lax${isSecure ? '; secure' : ''}`;
  location.reload();
}
