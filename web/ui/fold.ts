/** Normalizes a text for search: no accents, lowercase. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
