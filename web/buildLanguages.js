// The languages of the client. Its sources import the English texts; a build of another language has its own files in their place. So a
// page loads the texts of one language, and none of them costs anything while it runs.
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { transform } from 'esbuild';
import { PSEUDO, pseudoOf } from './pseudo.js';

const ENGLISH = 'en';
const folderOf = (folder, language) => join(folder, 'strings', language);

/** The languages that have texts, by their tags (BCP 47): English first, which everybody gets who wants none of the others. */
export function languagesIn(folder) {
  const found = readdirSync(join(folder, 'strings'), { withFileTypes: true });
  const tags = found.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return [ENGLISH, ...tags.filter((tag) => tag !== ENGLISH).sort()];
}

/** The file with the texts of a language that stands for one with English texts. */
const fileOf = (folder, language, english) =>
  language === PSEUDO ? english : join(folderOf(folder, language), basename(english));

/** The code of a file of texts. */
async function codeOf(language, path) {
  const text = await readFile(path, 'utf8');
  return language === PSEUDO ? pseudoOf(text, basename(path)) : text;
}

/** A plugin that puts the texts of a language where English ones are imported. A file that the language lacks fails the build. */
export function languagePlugin(folder, language) {
  const english = folderOf(folder, ENGLISH);
  return {
    name: 'language',
    setup({ onResolve, onLoad }) {
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
        onLoad({ filter: /\/strings\/en\/\w+\.ts$/ }, async ({ path }) => ({
          contents: await codeOf(language, path),
          loader: 'ts',
        }));
    },
  };
}

/** What the shell itself says in a language: `strings/<language>/shell.ts`. */
export async function shellTextsOf(folder, language) {
  const path = fileOf(folder, language, join(folderOf(folder, ENGLISH), 'shell.ts'));
  const { code } = await transform(await codeOf(language, path), { loader: 'ts', format: 'esm' });
  const { shell } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return shell;
}

/** All files of texts, in any language: a build has to be made anew after a change in one of them. */
export const textFiles = (folder) =>
  languagesIn(folder).flatMap((language) =>
    readdirSync(folderOf(folder, language)).map((name) => join(folderOf(folder, language), name)),
  );
