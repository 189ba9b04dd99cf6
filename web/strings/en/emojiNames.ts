/**
 * The names of emoji by group, in the order of `features/emoji/data.ts`. Each line is a name, followed by
 * additional search terms after `|`. Empty in English, because `data.ts` contains the English names.
 * `scripts/emoji.ts` generates the names in other languages.
 */
export const emojiNames: Readonly<Record<string, string>> = {};
