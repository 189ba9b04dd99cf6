import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Data, flat, type Texts, web } from './files.ts';

// Finds the strings that the client shows, from the imports and property names in its sources.

const IMPORT = /import \{([^}]*)\} from '[^']*strings\/en\/(\w+)\.ts';/g;
/** Strings that the build reads instead of a page. */
const ofBuild = ['shell'];

/** Describes how a string is used: by name, or as an entry in a table that a page selects from. */
export type Use = 'name' | 'table';

const sources = (): string[] =>
  readdirSync(web, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/^(dist|node_modules|strings)\b/.test(name))
    .map((name) => readFileSync(join(web, name), 'utf8'));

/** The strings that the sources use, by path. */
export function usesOf(english: Texts, code: readonly string[] = sources()): Map<string, Use> {
  const uses = new Map<string, Use>();
  const mark = (path: string, data: Data, use: Use) => {
    for (const each of flat(data, path).keys()) if (uses.get(each) !== 'name') uses.set(each, use);
  };
  for (const source of code)
    for (const [statement, specifiers = '', file = ''] of source.matchAll(IMPORT))
      for (const [, section = '', alias = section] of specifiers.matchAll(/(\w+)(?: as (\w+))?/g))
        for (const names of namesBehind(alias, source.replace(statement, '')))
          markPath(english[file]?.[section], `${file}.${section}`, names, mark);
  for (const file of ofBuild) mark(file, english[file] ?? {}, 'name');
  return uses;
}

/** The property names after an alias: in `t.users.lead`, `users` and `lead` follow `t`. */
function namesBehind(alias: string, source: string): string[][] {
  const found = source.matchAll(
    new RegExp(`(?<![\\w.'"\`-])${alias}\\b(?!:)((?:\\s*\\??\\.\\s*\\w+)*)`, 'g'),
  );
  return [...found].map(([, behind = '']) => [...behind.matchAll(/\w+/g)].map(([name]) => name));
}

function markPath(
  data: Data | undefined,
  path: string,
  [name, ...rest]: string[],
  mark: (path: string, data: Data, use: Use) => void,
): void {
  if (data === undefined) return;
  const isThere = name !== undefined && typeof data !== 'string' && Object.hasOwn(data, name);
  const next = isThere ? (data as Record<string, Data>)[name] : undefined;
  if (next === undefined) mark(path, data, typeof data === 'string' ? 'name' : 'table');
  else markPath(next, `${path}.${name}`, rest, mark);
}
