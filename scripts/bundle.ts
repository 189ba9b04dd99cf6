import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** The age at which files of earlier bundles are deleted, because no process can still need them. */
const OLD_MS = 30 * 24 * 3600_000;

/**
 * Bundles the program into a few files, whose start takes two thirds of the CPU time of loading hundreds of source
 * files. Pages and packages that are not JavaScript are still loaded from the checkout. An unchanged file keeps its
 * name, and therefore its entry in Node's compile cache. Files of earlier bundles stay for a month, because a running
 * server loads some of them later. Returns the path of the start script.
 */
export async function bundleInPlace(folder: string): Promise<string> {
  const { outputFiles } = await build({
    ...asProgram,
    target: 'node24',
    entryPoints: ['server/src/main.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [latePackages, inPlace],
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  // The entry comes last, so it never imports a missing file.
  const isEntry = ({ path }: { path: string }) => basename(path) === 'main.mjs';
  const inOrder = [...outputFiles.filter((file) => !isEntry(file)), ...outputFiles.filter(isEntry)];
  for (const { path, contents } of inOrder) writeWhole(path, contents);
  const checkout = pathToFileURL(join(root, 'server', 'bin', 'checkout.js')).href;
  const script = join(folder, 'palaver.mjs');
  writeWhole(
    script,
    `import { run } from ${JSON.stringify(checkout)};
await run(import.meta.filename, () => import('./main.mjs'));
`,
  );
  for (const file of readdirSync(folder)) {
    const path = join(folder, file);
    if (statSync(path).mtimeMs < Date.now() - OLD_MS) rmSync(path);
  }
  return script;
}

/** Replaces a file atomically, because another process may be starting from it. */
function writeWhole(path: string, contents: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}
