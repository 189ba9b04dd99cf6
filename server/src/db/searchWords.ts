/** Lower case without diacritics, so searches ignore case and accents. */
export function fold(text: string): string {
  // A much faster path for most texts.
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of a folded text in order: runs of letters and digits. */
export const wordsIn = (folded: string): string[] => folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];

/** The words of a text, folded, in order. */
export const wordsOf = (text: string): string[] => wordsIn(fold(text));
