// @ts-expect-error: plain JavaScript, without types
import { languagesIn } from '../../web/buildLanguages.js';
import { type Data, ENGLISH, ownKeys, type Texts, textsIn, web } from './files.ts';

// Exports and imports a language's strings as one JSON file for translators.

type Lines = Record<string, Data>;

/** The strings of a section in `ownKeys`, whose keys differ between languages. */
function linesAt(texts: Texts, path: string): Lines {
  const [file = '', section = '', key = ''] = path.split('.');
  return ((texts[file]?.[section] as Lines | undefined)?.[key] as Lines | undefined) ?? {};
}

/** The English strings, replaced by translations where the language has them. */
function merged(english: Data, own: Data | undefined): Data {
  if (typeof english === 'string') return own ?? english;
  if (Array.isArray(english))
    return english.map((each, at) => merged(each, (own as Data[] | undefined)?.[at]));
  const there = own as Lines | undefined;
  return Object.fromEntries(Object.entries(english).map(([key, each]) => [key, merged(each, there?.[key])]));
}

/**
 * The JSON for translators: each string in the language, or in English if it is not translated yet.
 * Translations of server messages are empty if only other languages have them.
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

/** Prepares a translator's texts for import: removes the empty ones under `ownKeys`. */
export function imported(all: Texts): Texts {
  for (const path of ownKeys) {
    const lines = linesAt(all, path);
    for (const [key, text] of Object.entries(lines)) if (text === '') delete lines[key];
  }
  return all;
}
