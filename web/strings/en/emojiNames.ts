/**
 * The names of emoji by group, in the order of `features/emoji/data.ts`, one per line: the name, and
 * further search words after `|`. Empty in English, which `data.ts` contains. `scripts/emoji.ts` generates
 * those of other languages.
 */
export const emojiNames: Readonly<Record<string, string>> = {};
