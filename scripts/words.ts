import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mailWords } from '../server/src/mail/words.ts';
// @ts-expect-error: plain JavaScript, without types
import { languagesIn } from '../web/buildLanguages.js';
import { flat, root, textsIn, web } from './strings/files.ts';

// Checks texts for the patterns in docs/words-to-avoid.json. To check a new kind of text, add a row to `kinds`.

interface Pattern {
  avoid: string;
  say: string;
}

type Texts = Iterable<readonly [place: string, text: string]>;

/** Texts of one kind, each with its location. */
interface Kind {
  /** The lists in docs/words-to-avoid.json that the texts are checked against. */
  lists: readonly string[];
  texts: () => Texts | Promise<Texts>;
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const kinds: readonly Kind[] = [
  ...languagesIn(web).map(
    (language: string): Kind => ({
      lists: [language, `${language} openings`, `${language} interface`],
      texts: async () =>
        [...flat(await textsIn(language))].map(([path, text]) => [`${language}: ${path}`, text]),
    }),
  ),
  ...Object.entries(mailWords).map(
    ([language, mails]): Kind => ({
      lists: [language, `${language} openings`, `${language} interface`],
      texts: () => {
        const written = {
          greeting: mails.greeting('', ''),
          confirm: mails.confirm('', '').paragraphs,
          reset: mails.reset('', '', '').paragraphs,
        };
        return [...flat(written)].map(([path, text]) => [`mails, ${language}: ${path}`, text]);
      },
    }),
  ),
  { lists: ['en', 'en openings', 'en docs'], texts: () => described(JSON.parse(read('docs/openapi.json'))) },
  {
    // docs/operate/commands.md contains the help texts of the command line.
    lists: ['en', 'en openings', 'en docs'],
    texts: () =>
      execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
        .trim()
        .split('\n')
        .flatMap(proseOf),
  },
];

/** The descriptions, summaries and titles in the OpenAPI document, by path. */
function* described(value: unknown, path = 'openapi.json'): Generator<[string, string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) {
    if (/^examples?$/.test(key)) continue;
    if (typeof each === 'string' && /^(description|summary|title)$/.test(key)) yield [`${path}/${key}`, each];
    else yield* described(each, `${path}/${key}`);
  }
}

/** The paragraphs, list items and rows of a Markdown file, without code. */
function proseOf(file: string): [place: string, text: string][] {
  const isGlossary = file === 'docs/glossary.md';
  const lines = read(file)
    .replaceAll(/^( *)```.*?^\1```$/gms, (block) => block.replace(/[^\n]+/g, ''))
    .split('\n')
    // The glossary quotes the words to avoid, both in its text and in the columns after the first.
    .map((line) => (isGlossary ? line.replace(/(?<=^\|[^|]*\|).*|".*?"/g, '') : line));
  const found: [string, string][] = [];
  for (const [index, line] of lines.entries()) {
    const text = line.replaceAll(/`[^`]*`/g, '`…`').trim();
    const isContinued = text !== '' && lines[index - 1]?.trim() !== '' && !/^([-*|#>]|\d+\.) ?/.test(text);
    const last = found.at(-1);
    if (isContinued && last) last[1] += ` ${text}`;
    else found.push([`${file}:${index + 1}`, text.replace(/^([-*#>]+|\d+\.) (\*\*)?/, '')]);
  }
  return found;
}

const patterns: Record<string, Pattern[]> = JSON.parse(read('docs/words-to-avoid.json'));

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
