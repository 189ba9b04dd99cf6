// @ts-expect-error: plain JavaScript, without types
import { languagesIn } from '../../web/buildLanguages.js';
import { type Data, ENGLISH, ownKeys, type Texts, textsIn, web } from './files.ts';

// The texts of a language as one JSON for a translator, and back.

type Lines = Record<string, Data>;

/** The lines of which each language has keys of its own, at one of the `ownKeys`. */
function linesAt(texts: Texts, path: string): Lines {
  const [file = '', section = '', key = ''] = path.split('.');
  return ((texts[file]?.[section] as Lines | undefined)?.[key] as Lines | undefined) ?? {};
}

/** English texts, with those of the language in their places where it has them. */
function merged(english: Data, own: Data | undefined): Data {
  if (typeof english === 'string') return own ?? english;
  if (Array.isArray(english))
    return english.map((each, at) => merged(each, (own as Data[] | undefined)?.[at]));
  const there = own as Lines | undefined;
  return Object.fromEntries(Object.entries(english).map(([key, each]) => [key, merged(each, there?.[key])]));
}

/**
 * What a translator gets: each text in the language, or in English where it has none yet. Lines by what the server says are empty where only
 * other languages have them.
 */
export async function exported(language: string): Promise<Texts> {
  const [english, own] = [await textsIn(ENGLISH), await textsIn(language)];
  const all = merged(english, own) as Texts;
  for (const path of ownKeys) {
    const lines = linesAt(all, path);
    for (const key of Object.keys(lines)) delete lines[key];
    Object.assign(lines, linesAt(own, path));
    for (const other of languagesIn(web))
      for (const key of Object.keys(linesAt(await textsIn(other), path))) lines[key] ??= '';
  }
  return all;
}

/** What a translator gives back, without lines that stayed empty. */
export function imported(all: Texts): Texts {
  for (const path of ownKeys) {
    const lines = linesAt(all, path);
    for (const [key, text] of Object.entries(lines)) if (text === '') delete lines[key];
  }
  return all;
}
