import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

// Checks for import cycles between nouns, including cycles that do not exist between individual files.

const folder = join(import.meta.dirname, '..', 'server', 'src');
/** Files that belong to no noun. */
const shared: ReadonlySet<string> = new Set(['common', 'consequences', 'index']);

/** The noun that a file in `resources/` belongs to. All of `accounts/` is one noun. */
const nounOf = (file: string): string => {
  const [part = '', noun = ''] = file.split('/');
  return part === 'accounts' ? part : noun.replace(/\.ts$/, '');
};

/** The nouns that the files of each noun import. */
const imported = new Map<string, Set<string>>();
for (const file of globSync('{resources,accounts}/**/*.ts', { cwd: folder })) {
  const noun = nounOf(file);
  const others = imported.get(noun) ?? new Set();
  imported.set(noun, others);
  for (const [, path] of readFileSync(join(folder, file), 'utf8').matchAll(/ from '(\.[^']+)'/g)) {
    const target = normalize(join(dirname(file), path as string));
    if (/^(resources|accounts)\//.test(target) && nounOf(target) !== noun) others.add(nounOf(target));
  }
}

/** A chain of imports from a noun back to itself; undefined if there is none. */
function cycleFrom(noun: string, way: readonly string[] = [noun]): readonly string[] | undefined {
  for (const next of imported.get(way.at(-1) as string) ?? []) {
    if (next === noun) return [...way, next];
    const found = way.includes(next) ? undefined : cycleFrom(noun, [...way, next]);
    if (found) return found;
  }
  return undefined;
}

if (imported.size < 10) throw new Error(`no nouns found in ${folder}`);
for (const noun of [...imported.keys()].filter((noun) => !shared.has(noun))) {
  const cycle = cycleFrom(noun);
  if (!cycle) continue;
  console.error(`nouns import each other in a cycle: ${cycle.join(' → ')}`);
  process.exitCode = 1;
  break;
}
