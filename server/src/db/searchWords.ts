/** A text in lower case and without marks, so that case and accents make no difference. */
const fold = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();

/** The words of a text, folded, in their order: runs of letters and digits. */
export const wordsOf = (text: string): string[] => fold(text).match(/[\p{L}\p{N}\p{Co}]+/gu) ?? [];
