/** Maximum characters of a file name. */
export const MAX_NAME = 200;

/**
 * Control characters, and those that change the writing direction: with them, `photo\u202Egnp.exe` looks like
 * a picture.
 */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A client's file name, cleaned for display: the last part of a path, without invisible characters. Files are
 * never stored under it.
 */
export function nameFrom(given: string | undefined): string {
  const [last = ''] = (given ?? '').toWellFormed().split(/[/\\]/).slice(-1);
  const name = last.normalize('NFC').replace(UNSEEN, '').trim();
  if (/^\.*$/.test(name)) return 'file';
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return characters.slice(0, MAX_NAME - [...ending].length).join('') + ending;
}

/** A `Content-Disposition` header (RFC 6266, 4.3) with the name in ASCII, and in UTF-8 as in RFC 8187. */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
