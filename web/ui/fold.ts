/** Normalizes a text for search: removes accents and converts it to lowercase. */
export const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
