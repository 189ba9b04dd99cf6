import { entityOf } from './entities.ts';

/** Matches a backslash escape or an entity. */
const special = /\\([!-/:-@[-`{-~])|&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/g;
/** Matches an entity at `lastIndex`. */
const entityAt = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z][a-zA-Z\d]{1,31}));/y;

/** Returns the character for a code point, or U+FFFD for an invalid one, as CommonMark requires. */
const characterOf = (code: number): string =>
  code === 0 || code > 0x10_ff_ff || (code >= 0xd8_00 && code <= 0xdf_ff)
    ? '\u{fffd}'
    : String.fromCodePoint(code);

const resolved = (decimal?: string, hex?: string, name?: string): string | undefined =>
  decimal !== undefined
    ? characterOf(Number.parseInt(decimal, 10))
    : hex !== undefined
      ? characterOf(Number.parseInt(hex, 16))
      : entityOf(name as string);

/** Returns the entity at this position, with its length. Undefined if there is none. */
export function readEntity(text: string, at: number): { text: string; length: number } | undefined {
  entityAt.lastIndex = at;
  const match = entityAt.exec(text);
  if (!match) return undefined;
  const character = resolved(match[1], match[2], match[3]);
  return character === undefined ? undefined : { text: character, length: match[0].length };
}

/** Resolves the escapes and entities in a text, such as the target of a link. */
export function unescaped(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(
    special,
    (whole, escaped?: string, decimal?: string, hex?: string, name?: string) =>
      escaped ?? resolved(decimal, hex, name) ?? whole,
  );
}
