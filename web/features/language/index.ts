/** The tags of all languages that this client was built in. `build.js` writes them here. */
declare const LANGUAGES: readonly string[];

/**
 * The server reads it as it answers with the page, so it is a cookie: `server/src/http/web/language.ts`, which also makes it last. It tells
 * nothing of the person, and stays when they sign out.
 */
const COOKIE = 'palaver-language';

/** The languages to choose from, each with its own name for itself. */
export const languages = (): { tag: string; name: string }[] =>
  LANGUAGES.map((tag) => ({ tag, name: new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag }));

/** The language that was chosen in this browser; undefined for the one that the browser itself asks for. */
export const chosenLanguage = (): string | undefined =>
  LANGUAGES.find((tag) => document.cookie.split('; ').includes(`${COOKIE}=${tag}`));

/** Chooses a language in this browser, or the browser's own, and loads the page anew, at the same place. */
export function chooseLanguage(tag: string | undefined): void {
  const seconds = tag === undefined ? 0 : 365 * 24 * 3600;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in many browsers, and over plain HTTP
  document.cookie = `${COOKIE}=${tag ?? ''}; path=/; max-age=${seconds}; samesite=lax`;
  location.reload();
}
