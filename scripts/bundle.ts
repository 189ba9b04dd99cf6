import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** The esbuild options for the server. */
export const asProgram = {
  absWorkingDir: root,
  metafile: true,
  entryNames: '[name]',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node26',
  // CommonJS packages use `require` to load Node's modules.
  banner: {
    js: `import { createRequire as $createRequire } from 'node:module';
const require = $createRequire(import.meta.url);`,
  },
  // pg tries pg-native first, but works without it.
  external: ['pg-native', 'sharp'],
  logLevel: 'error',
} as const satisfies BuildOptions;

/** Makes the bundled code find adjacent files and worker threads in the source folders. */
const inPlace: Plugin = {
  name: 'in place',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]server[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const code = readFileSync(path, 'utf8');
      return {
        loader: 'ts',
        contents: code
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
          .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
      };
    });
  },
};

/** Lazily loaded packages stay external: as separate chunks, CommonJS packages would lose their named exports. */
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
 * Bundles the program into a few files, which start with half the CPU time of its hundreds of sources. Pages
 * and packages that are not JavaScript are still loaded from the checkout. An unchanged file keeps its name,
 * and therefore its entry in Node's compile cache. Returns the path of the start script.
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
