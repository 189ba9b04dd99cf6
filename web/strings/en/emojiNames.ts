/**
 * The names of emoji by group, in the order of `features/emoji/data.ts`, a line each: the name, and after `|` further words. There they
 * are in English already; `scripts/emoji.ts` makes those of other languages.
 */
export const emojiNames: Readonly<Record<string, string>> = {};
