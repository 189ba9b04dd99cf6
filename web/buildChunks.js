// Decides which modules share a chunk. By default, esbuild creates a chunk for each set of entries with
// common modules: some thirty small files for the first page, each with its own headers and compressed
// separately.
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** The entry of all pages, and the entry of pages for signed-in users, which it lazy-loads. */
export const MAIN = 'main.tsx';
export const SIGNED_IN = 'features/frame/SignedIn.tsx';

const ALWAYS = 'always-there:';

/** Returns these modules and all modules that they import statically; with `isAll`, dynamically too. */
function modulesOf(inputs, from, isAll = false) {
  const found = new Set();
  const visit = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? [])
      if (isAll || kind !== 'dynamic-import') visit(next);
  };
  for (const path of from) visit(path);
  return found;
}

/** The chunks that modules import dynamically. */
const partsOf = (inputs, modules) =>
  [...modules].flatMap((path) =>
    (inputs[path]?.imports ?? [])
      .filter(({ kind }) => kind === 'dynamic-import')
      .map(({ path: part }) => part),
  );

/**
 * A plugin for the build described by `metafile`: each lazily loaded chunk also imports everything that is loaded
 * before it. All modules of the main entry then share one file, and those for signed-in users another.
 */
export function togetherPlugin(folder, { inputs }) {
  const own = partsOf(inputs, modulesOf(inputs, [MAIN]));
  const others = own.filter((path) => path !== SIGNED_IN);
  const ofOthers = modulesOf(inputs, others, true);
  const atOnce = modulesOf(inputs, [MAIN, SIGNED_IN]);
  const beforeOf = new Map(own.map((path) => [path, [MAIN]]));
  for (const path of partsOf(inputs, modulesOf(inputs, [SIGNED_IN], true)))
    if (!atOnce.has(path)) beforeOf.set(path, ofOthers.has(path) ? [MAIN] : [MAIN, SIGNED_IN]);
  return {
    name: 'together',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^always-there:/ }, ({ path }) => ({
        path: join(folder, path.slice(ALWAYS.length)),
      }));
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        const before = [...beforeOf].find(([part]) => join(folder, part) === path)?.[1];
        if (before === undefined) return undefined;
        const imports = before.map((part) => `import '${ALWAYS}${part}';`);
        const contents = `${await readFile(path, 'utf8')}\n${imports.join('\n')}\n`;
        return { contents, loader: extname(path).slice(1) };
      });
    },
  };
}

/** The names of the files that a chunk needs before it can run, starting with its own. */
export function filesOf({ outputs }, entry) {
  const own = Object.keys(outputs).find((path) => outputs[path].entryPoint === entry);
  const found = new Set();
  const visit = (path) => {
    if (found.has(path)) return;
    found.add(path);
    for (const { path: next, kind } of outputs[path].imports) if (kind === 'import-statement') visit(next);
  };
  visit(own);
  return [...found].map((path) => path.slice(path.lastIndexOf('/') + 1));
}
