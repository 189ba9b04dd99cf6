import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
// @ts-expect-error: plain JavaScript, without types
import { filesOfTexts, textsOf } from '../../web/buildLanguages.js';

// Reads and writes the files with the web client's strings.

export const root = join(import.meta.dirname, '../..');
export const web = join(root, 'web');
export const ENGLISH = 'en';

/** The web client's strings as stored in their files, nested in objects and lists. */
export type Data = string | Data[] | { [key: string]: Data };
/** All strings in one language, by file name, then by export name. */
export type Texts = Record<string, Record<string, Data>>;

const folderOf = (language: string): string => join(web, 'strings', language);

/**
 * Sections in which each language has its own keys: translations of server messages, most of which the English client
 * shows unchanged.
 */
export const ownKeys = ['refusals.refusals.words', 'refusals.refusals.reasons', 'refusals.refusals.codes'];

/** The strings in one language. Empty if it has no folder yet. */
export async function textsIn(language: string): Promise<Texts> {
  const found: Texts = {};
  if (!existsSync(folderOf(language))) return found;
  for (const name of filesOfTexts(web, language).toSorted())
    found[name.slice(0, -'.ts'.length)] = await textsOf(join(folderOf(language), name));
  return found;
}

/** The individual strings by path, such as `panels.thread.lock`. */
export function flat(data: Data | Texts, path = '', found = new Map<string, string>()): Map<string, string> {
  if (typeof data === 'string') return found.set(path, data);
  for (const [key, each] of Object.entries(data)) flat(each, path === '' ? key : `${path}.${key}`, found);
  return found;
}

/** Generates the code of a file in a language other than English. */
function codeOf(file: string, sections: Record<string, Data>): string {
  const parts = Object.entries(sections).map(([name, data]) => {
    const isOwn = ownKeys.some((path) => path.startsWith(`${file}.${name}.`));
    return `export const ${name}${isOwn ? '' : `: typeof english.${name}`} = texts(${JSON.stringify(data, null, 2)});`;
  });
  const english = `import type * as english from '../en/${file}.ts';\n`;
  const needsEnglish = parts.some((part) => part.includes('typeof english'));
  return `${needsEnglish ? english : ''}import { texts } from '../texts.ts';\n\n${parts.join('\n\n')}\n`;
}

/** A file without emoji names, which then stay English. */
const noEmoji = `import type { emojiNames as english } from '../en/emojiNames.ts';

export const emojiNames: typeof english = {};
`;

/** Writes and formats the files for a language other than English. */
export function write(language: string, texts: Texts, folder = folderOf(language)): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, sections] of Object.entries(texts))
    writeFileSync(join(folder, `${file}.ts`), codeOf(file, sections));
  const emoji = join(folder, 'emojiNames.ts');
  if (!existsSync(emoji)) writeFileSync(emoji, noEmoji);
  const biome = join(root, 'node_modules/.bin/biome');
  const args = ['format', '--write', `--config-path=${root}`, folder];
  const { status, stderr } = spawnSync(biome, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
