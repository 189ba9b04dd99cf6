import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** Kysely as CommonJS is asked for by a `require` that a bundler knows, all of it. */
const kyselyWhole = (code: string): string => code.replace(/= parts\(\);.*/s, "= require('kysely');");
const isKysely = /[\\/]db[\\/]kysely\.ts$/;

export const kysely: Plugin = {
  name: 'kysely',
  setup({ onLoad }) {
    onLoad({ filter: isKysely }, ({ path }) => ({
      loader: 'ts',
      contents: kyselyWhole(readFileSync(path, 'utf8')),
    }));
  },
};

/** How the server is bundled. */
export const asProgram = {
  absWorkingDir: root,
  metafile: true,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node26',
  // Packages in CommonJS ask for Node's modules with it.
  banner: {
    js: `import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url);`,
  },
  // pg tries the first, and does without.
  external: ['pg-native', 'sharp'],
  logLevel: 'error',
} as const satisfies BuildOptions;

/** Code finds the files beside it, and its threads, where the sources are. */
const inPlace: Plugin = {
  name: 'in place',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      return {
        loader: 'ts',
        contents: (isKysely.test(path) ? kyselyWhole(code) : code)
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      };
    });
  },
};

/** Packages that are loaded late are loaded as they are: a file of its own would not have the names of one in CommonJS. */
const latePackages: Plugin = {
  name: 'late packages',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || path.startsWith('node:') || pluginData === latePackages) return;
      const found = await resolve(path, { kind, resolveDir, pluginData: latePackages });
      return found.external ? found : { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

/**
 * Writes the program to a folder as a few files, which start in half the processor time of its hundreds of sources. The rest of the
 * checkout stays in use, as the pages and the packages that are no JavaScript. A file that is as it was keeps its name, and what Node has
 * compiled of it. Returns the path of the script that starts it.
 */
export async function bundleInPlace(folder: string): Promise<string> {
  const { metafile } = await build({
    ...asProgram,
    entryPoints: ['server/src/main.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [latePackages, inPlace],
  });
  const checkout = pathToFileURL(join(root, 'server', 'bin', 'checkout.js')).href;
  const script = join(folder, 'palaver.mjs');
  const made = new Set([...Object.keys(metafile.outputs), script].map((path) => basename(path)));
  for (const file of readdirSync(folder)) if (!made.has(file)) rmSync(join(folder, file));
  writeFileSync(
    script,
    `import { run } from ${JSON.stringify(checkout)};
await run(import.meta.filename, () => import('./main.mjs'));
`,
  );
  return script;
}
