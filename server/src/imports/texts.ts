import { isVisible } from '../lib/names.ts';
import { MAX_CHARACTERS } from '../resources/message/messageRecord.ts';

/** Maximum messages into which a text is split. A longer text becomes a file. */
const MAX_PARTS = 5;

/** A text split into messages, with a file if it is too long for them. */
export interface Parts {
  parts: string[];
  /** The whole text, if `parts` contains only its beginning. */
  whole: string | undefined;
}

/** Makes text valid for the API: removes U+0000, and replaces unpaired surrogates with U+FFFD. */
export const cleanText = (text: string): string => text.toWellFormed().replaceAll('\0', '');

/** Whether a message needs a file because its text is not visible. */
export const isBlank = (text: string): boolean => !isVisible(text);

/** Splits a text into messages, preferably at line breaks or spaces. */
export function partsOf(text: string): Parts {
  // The limit is in code points, as in the API. Parts are split by UTF-16 code units: a text has at least as
  // many of those as code points.
  if (text.length <= MAX_CHARACTERS || [...text].length <= MAX_CHARACTERS)
    return { parts: [text], whole: undefined };
  const parts: string[] = [];
  let rest = text;
  while (rest.length > MAX_CHARACTERS && parts.length < MAX_PARTS) {
    const end = cutOf(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^\s+/, '');
  }
  if (parts.length < MAX_PARTS || rest === '') {
    if (rest !== '') parts.push(rest);
    return { parts: parts.filter((part) => !isBlank(part)), whole: undefined };
  }
  return { parts: [`${text.slice(0, cutOf(text, MAX_CHARACTERS - 2))} …`], whole: text };
}

/**
 * Returns the end of the first part: after the last line break or space in its second half, without splitting
 * a character.
 */
function cutOf(text: string, most = MAX_CHARACTERS): number {
  for (const mark of ['\n', ' ']) {
    const at = text.lastIndexOf(mark, most - 1);
    if (at > most / 2) return at + 1;
  }
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code < 0xdc00 ? most - 1 : most;
}
