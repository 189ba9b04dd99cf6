/** A text in lower case and without marks, so that case and accents make no difference. */
export function fold(text: string): string {
  // Most texts, and a fraction of the time.
  if (!/\P{ASCII}/u.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** The words of a folded text in their order: runs of letters and digits. */
export const wordsIn = (folded: string): string[] => folded.match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];

/** The words of a text, folded, in their order. */
export const wordsOf = (text: string): string[] => wordsIn(fold(text));
