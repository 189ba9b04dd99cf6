/** The pictures of a server's custom emoji, by name. */
export type CustomEmoji = ReadonlyMap<string, string>;

/** Maximum length of a custom emoji's name, in UTF-16 code units. */
const LONGEST = 64;
const code = /^:([^:\s]+):$/;

/** The form in which the server stores names. */
const keyOf = (name: string): string =>
  name
    .normalize('NFKC')
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı')
    .replaceAll('ς', 'σ')
    .normalize('NFKC');

/** The picture of the custom emoji with this name, in any spelling. */
export const pictureOf = (custom: CustomEmoji, name: string): string | undefined =>
  custom.size > 0 && name.length <= LONGEST ? (custom.get(name) ?? custom.get(keyOf(name))) : undefined;

/**
 * The picture for a reaction or suggestion such as `:party_parrot:`. Undefined for standard emoji and other
 * text.
 */
export const pictureFor = (custom: CustomEmoji, text: string): string | undefined =>
  pictureOf(custom, code.exec(text)?.[1] ?? '');

/** False for a custom emoji of another server, or one that was deleted. */
export const isUsable = (custom: CustomEmoji, text: string): boolean =>
  !code.test(text) || pictureFor(custom, text) !== undefined;
