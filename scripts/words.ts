import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error: plain JavaScript, without types
import { languagesIn } from '../web/buildLanguages.js';
import { flat, root, textsIn, web } from './strings/files.ts';

// Checks texts for the words that docs/glossary.md avoids. A new kind of text is a row in `kinds`.

interface Pattern {
  avoid: string;
  say: string;
}

/** Texts of one kind, each with where to find it. */
interface Kind {
  /** The lists of docs/words-to-avoid.json it is checked against. */
  lists: readonly string[];
  texts: () => Promise<Iterable<readonly [place: string, text: string]>>;
}

const kinds: readonly Kind[] = languagesIn(web).map((language: string) => ({
  lists: [language, `${language} interface`],
  texts: async () => [...flat(await textsIn(language))].map(([path, text]) => [`${language}: ${path}`, text]),
}));

const patterns: Record<string, Pattern[]> = JSON.parse(
  readFileSync(join(root, 'docs/words-to-avoid.json'), 'utf8'),
);

for (const { lists, texts } of kinds) {
  const avoided = lists.flatMap((list) => patterns[list] ?? []);
  for (const [place, text] of await texts())
    for (const { avoid, say } of avoided) {
      const [found] = new RegExp(avoid, 'iu').exec(text) ?? [];
      if (found === undefined) continue;
      console.error(`${place} says “${found}”, say: ${say}\n    ${text}`);
      process.exitCode = 1;
    }
}
