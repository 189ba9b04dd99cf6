// The languages of the client. Its sources import the English texts; a build of another language has its own files in their place. So a
// page loads the texts of one language.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { PSEUDO, pseudoOf } from './pseudo.js';

const ENGLISH = 'en';
/** The names of emoji, which a script makes. */
const MADE = 'emojiNames.ts';
const folderOf = (folder, language) => join(folder, 'strings', language);

/** The languages that have texts, by their tags (BCP 47): English first, which everybody gets who wants none of the others. */
export function languagesIn(folder) {
  const found = readdirSync(join(folder, 'strings'), { withFileTypes: true });
  const tags = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [ENGLISH, ...tags.filter((tag) => tag !== ENGLISH).sort()];
}

/** The names of the files with texts of a language, but that which a script makes. */
export const filesOfTexts = (folder, language) =>
  readdirSync(folderOf(folder, language)).filter((name) => name.endsWith('.ts') && name !== MADE);

/** The texts of a file by the names of its exports, as they stand there: plain strings, in objects and lists. */
export async function textsOf(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'esm' });
  const plain = code.replace(/^import .*texts\.ts";$/m, 'const texts = (data) => data;');
  const module = await import(`data:text/javascript;base64,${Buffer.from(plain).toString('base64')}`);
  return { ...module };
}

/** The file with the texts of a language that stands for one with English texts. */
const fileOf = (folder, language, english) =>
  language === PSEUDO ? english : join(folderOf(folder, language), basename(english));

/** The texts of a file in the language of tests, as code. */
async function pseudoFile(path) {
  const sections = Object.entries(await textsOf(path));
  const lines = sections.map(
    ([name, data]) => `export const ${name} = texts(${JSON.stringify(pseudoOf(data))});`,
  );
  return ["import { texts } from '../texts.ts';", ...lines].join('\n');
}

/** A plugin that puts the texts of a language where English ones are imported. A file that the language lacks fails the build. */
export function languagePlugin(folder, language) {
  const english = folderOf(folder, ENGLISH);
  return {
    name: 'language',
    setup({ initialOptions, onResolve, onLoad }) {
      initialOptions.define = { ...initialOptions.define, LANGUAGE: JSON.stringify(language) };
      if (language === ENGLISH) return;
      onResolve({ filter: /\/en\/\w+\.ts$/ }, ({ path, resolveDir }) => {
        const wanted = join(resolveDir, path);
        if (dirname(wanted) !== english) return undefined;
        const own = fileOf(folder, language, wanted);
        if (existsSync(own)) return { path: own };
        return {
          errors: [{ text: `There are no texts in the language "${language}" for ${wanted}: ${own}` }],
        };
      });
      if (language === PSEUDO)
        onLoad({ filter: /\/strings\/en\/\w+\.ts$/ }, async ({ path }) =>
          basename(path) === MADE ? undefined : { contents: await pseudoFile(path), loader: 'ts' },
        );
    },
  };
}

/** The side on which lines of a language begin. */
function directionOf(language) {
  const locale = new Intl.Locale(language);
  return (locale.getTextInfo?.() ?? locale.textInfo).direction;
}

/** What the shell itself says in a language, and its direction: `strings/<language>/shell.ts`. */
export async function shellTextsOf(folder, language) {
  const { shell } = await textsOf(fileOf(folder, language, join(folderOf(folder, ENGLISH), 'shell.ts')));
  return { ...(language === PSEUDO ? pseudoOf(shell) : shell), direction: directionOf(language) };
}

/** All files of texts, in any language: a build has to be made anew after a change in one of them. */
export const textFiles = (folder) =>
  languagesIn(folder).flatMap((language) =>
    readdirSync(folderOf(folder, language)).map((name) => join(folderOf(folder, language), name)),
  );
