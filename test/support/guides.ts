import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'guides');

/** The code blocks of a guide, each with its language, in their order. */
export function blocksOf(guide: string): { language: string; code: string }[] {
  const page = readFileSync(join(folder, guide), 'utf8');
  return [...page.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, code]) => ({
    language: language as string,
    code: code as string,
  }));
}

/** The block of a language in which this text is. Throws an Error unless there is one alone. */
export function blockWith(guide: string, language: string, text: string): string {
  const found = blocksOf(guide).filter((block) => block.language === language && block.code.includes(text));
  if (found.length !== 1) throw new Error(`${guide}: ${found.length} blocks of ${language} with ${text}`);
  return found[0]?.code as string;
}

/** A block with values in place of what the reader puts in: `'the id of the server'`. Throws an Error for one that it lacks. */
export function filledIn(code: string, values: Record<string, string>): string {
  let filled = code;
  for (const [words, value] of Object.entries(values)) {
    if (!filled.includes(words)) throw new Error(`the guide no longer says ${words}`);
    filled = filled.replaceAll(words, value);
  }
  return filled;
}
