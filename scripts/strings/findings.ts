// @ts-expect-error: plain JavaScript, without types
import { partsOf, valuesOf } from '../../web/messages.js';
import { flat, ownKeys, type Texts } from './files.ts';
import type { Use } from './used.ts';

// Lints strings. Each finding names the path of its string.

type Part = string | { name: string; kind: string; forms?: Record<string, Part[]> };

const isOwn = (path: string): boolean => ownKeys.some((own) => path.startsWith(`${own}.`));

/**
 * The plural forms that a language uses for counts. French has a separate form for millions, which no text
 * needs.
 */
const formsOf = (language: string): Set<string> => {
  const rules = new Intl.PluralRules(language);
  return new Set(Array.from({ length: 201 }, (_, count) => rules.select(count)));
};

/** Missing and superfluous plural forms in a string. */
function pluralFindings(parts: readonly Part[], forms: ReadonlySet<string>): string[] {
  return parts.flatMap((part) => {
    if (typeof part === 'string' || part.kind !== 'plural') return [];
    const there = Object.keys(part.forms ?? {}).filter((form) => !form.startsWith('='));
    const lacking = [...forms]
      .filter((form) => !there.includes(form))
      .map((form) => `without the form "${form}"`);
    const unknown = there
      .filter((form) => form !== 'other' && !forms.has(form))
      .map((form) => `with the form "${form}", which the language does not use`);
    return [...lacking, ...unknown].map((finding) => `has {${part.name}} ${finding}`);
  });
}

/** Problems in the strings of one language. */
export function textFindings(language: string, texts: Texts): string[] {
  const forms = formsOf(language);
  return [...flat(texts)].flatMap(([path, text]) => {
    try {
      if (text.trim() === '') return [`${path} is empty`];
      return pluralFindings(partsOf(text), forms).map((finding) => `${path} ${finding}`);
    } catch (error) {
      return [`${path} ${(error as Error).message}`];
    }
  });
}

/** Differences between a translation and English: missing or additional strings, and different placeholders. */
export function translationFindings(english: Texts, texts: Texts): string[] {
  const [wanted, there] = [flat(english), flat(texts)];
  const lacking = [...wanted.keys()].filter((path) => !isOwn(path) && !there.has(path));
  const unknown = [...there.keys()].filter((path) => !isOwn(path) && !wanted.has(path));
  const different = [...wanted].flatMap(([path, text]) => {
    const own = there.get(path);
    if (own === undefined) return [];
    const [needed, used] = [valuesIn(text), valuesIn(own)];
    return needed === used ? [] : [`${path} has ${used || 'no values'}, and English has ${needed || 'none'}`];
  });
  return [
    ...lacking.map((path) => `${path} is missing`),
    ...unknown.map((path) => `${path} is not in English`),
    ...different,
  ];
}

function valuesIn(text: string): string {
  try {
    const values: Set<string> = valuesOf(partsOf(text));
    return [...values]
      .toSorted()
      .map((value) => `{${value}}`)
      .join(' ');
  } catch {
    return '';
  }
}

/** A text that occurs in more files than this belongs in `common`. */
const MOST_FILES = 2;

/**
 * Strings that no page shows, and texts that are repeated in too many files. `languages` contains the individual
 * strings of each language.
 */
export function useFindings(
  english: Texts,
  languages: readonly ReadonlyMap<string, string>[],
  uses: ReadonlyMap<string, Use>,
): string[] {
  const unused = [...flat(english).keys()].filter((path) => !uses.has(path));
  const same = new Map<string, string[]>();
  for (const [path, use] of uses) {
    const said = languages.map((texts) => texts.get(path)).join('\n');
    if (use === 'name') same.set(said, [...(same.get(said) ?? []), path]);
  }
  const fileOf = (path: string) => path.slice(0, path.indexOf('.'));
  const repeated = [...same.values()].filter((paths) => new Set(paths.map(fileOf)).size > MOST_FILES);
  return [
    ...unused.map((path) => `en: ${path} is unused`),
    ...repeated.map((paths) => `en: ${paths.join(', ')} have the same text: move it to \`common\``),
  ];
}
