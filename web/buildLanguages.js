// The client's languages. Sources import the English texts, and the build of another language replaces them
// with its own files, so a page loads the texts of only one language.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { PSEUDO, pseudoOf } from './pseudo.js';

const ENGLISH = 'en';
/** The generated file with the names of emoji. */
const MADE = 'emojiNames.ts';
const folderOf = (folder, language) => join(folder, 'strings', language);

/** The available languages as BCP 47 tags, with English, the default, first. */
export function languagesIn(folder) {
  const found = readdirSync(join(folder, 'strings'), { withFileTypes: true });
  const tags = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [ENGLISH, ...tags.filter((tag) => tag !== ENGLISH).sort()];
}

/** The names of a language's text files, without the generated one. */
export const filesOfTexts = (folder, language) =>
  readdirSync(folderOf(folder, language)).filter((name) => name.endsWith('.ts') && name !== MADE);

/** The texts of a file by export name, as written: plain strings, nested in objects and arrays. */
export async function textsOf(path) {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'ts', format: 'esm' });
  const plain = code.replace(/^import .*texts\.ts";$/m, 'const texts = (data) => data;');
  const module = await import(`data:text/javascript;base64,${Buffer.from(plain).toString('base64')}`);
  return { ...module };
}

/** The file that translates an English text file. */
const fileOf = (folder, language, english) =>
  language === PSEUDO ? english : join(folderOf(folder, language), basename(english));

/** A file's texts in the pseudo-language, as code. */
async function pseudoFile(path) {
  const sections = Object.entries(await textsOf(path));
  const lines = sections.map(
    ([name, data]) => `export const ${name} = texts(${JSON.stringify(pseudoOf(data))});`,
  );
  return ["import { texts } from '../texts.ts';", ...lines].join('\n');
}

/** A plugin that replaces imports of English texts. A missing file fails the build. */
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
          errors: [{ text: `Missing "${language}" texts for ${wanted}. Create ${own}` }],
        };
      });
      if (language === PSEUDO)
        onLoad({ filter: /\/strings\/en\/\w+\.ts$/ }, async ({ path }) =>
          basename(path) === MADE ? undefined : { contents: await pseudoFile(path), loader: 'ts' },
        );
    },
  };
}

function directionOf(language) {
  const locale = new Intl.Locale(language);
  return (locale.getTextInfo?.() ?? locale.textInfo).direction;
}

/** The HTML shell's texts in a language, and its text direction: `strings/<language>/shell.ts`. */
export async function shellTextsOf(folder, language) {
  const { shell } = await textsOf(fileOf(folder, language, join(folderOf(folder, ENGLISH), 'shell.ts')));
  return { ...(language === PSEUDO ? pseudoOf(shell) : shell), direction: directionOf(language) };
}

/** All text files of all languages. A change in any of them requires a new build. */
export const textFiles = (folder) =>
  languagesIn(folder).flatMap((language) =>
    readdirSync(folderOf(folder, language)).map((name) => join(folderOf(folder, language), name)),
  );
