/** A text as searches compare it: without accents, and in small letters. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
