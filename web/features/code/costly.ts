/** Longer code, in UTF-16 code units, is not highlighted, because that would take too long. */
const MOST = 10_000;

/**
 * For C-like languages, the highlighter takes quadratic time on long runs of words without punctuation, so
 * such text is not highlighted either. Real code has no runs this long.
 */
const LONG_RUN = /[^;{}()=,.]{400}/;
const LIKE_C = /^(?:c|h|cs|csharp|cc|hh|[ch](?:pp|\+\+|xx)|arduino|ino)$/i;

/** Whether highlighting the code would block the page. */
export const isCostly = (text: string, language: string): boolean =>
  text.length > MOST || (LIKE_C.test(language) && LONG_RUN.test(text));
