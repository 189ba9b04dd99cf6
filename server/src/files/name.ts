import { cleanName } from '../lib/names.ts';

/** Maximum characters of a file name. */
export const MAX_NAME = 200;
/** Of a longer name, only this many characters at the start and at the end are used. */
const LOOKED_AT = 1_000;

/**
 * Cleans a client's file name for display. Keeps the last part of a path, and removes invisible characters,
 * which could make `photo\u202Egnp.exe` look like an image. Files are never stored under this name.
 */
export function nameFrom(given: string | undefined): string {
  const whole = given ?? '';
  const text = whole.length > 2 * LOOKED_AT ? whole.slice(0, LOOKED_AT) + whole.slice(-LOOKED_AT) : whole;
  const [last = ''] = text.toWellFormed().split(/[/\\]/).slice(-1);
  const name = cleanName(last.replace(/\p{Cc}/gu, ''), last.length);
  if (/^\.*$/.test(name)) return 'file';
  const characters = [...name];
  if (characters.length <= MAX_NAME) return name;
  const ending = /\.[^.]{1,16}$/.exec(name)?.[0] ?? '';
  return cleanName(characters.slice(0, MAX_NAME - [...ending].length).join(''), MAX_NAME) + ending;
}

/**
 * Formats a `Content-Disposition` header (RFC 6266, 4.3) with the name both in ASCII and in UTF-8 (RFC 8187).
 */
export function dispositionOf(kind: 'inline' | 'attachment', name: string): string {
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
