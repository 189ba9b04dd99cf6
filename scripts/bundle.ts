import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';

const root = join(import.meta.dirname, '..');
const server = join(root, 'server', 'src');

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

/**
 * Escapes the non-ASCII characters that esbuild leaves in comments, regular expressions and tagged templates.
 * With one of them, V8 keeps the whole script at two bytes per character, which takes 5 ms longer at each
 * start.
 */
export const inAscii = (code: string): string =>
  code.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

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

/** The modules that each start loads, relative to `server/src`. */
const STARTED = ['cli/program.ts', 'node/serve.ts', 'db/open.ts'];

/**
 * Puts everything that each start loads into one file instead of 150, each of which takes half a millisecond. esbuild
 * puts modules into one file if the same entry points need them, and the target of a dynamic import is an entry point.
 * Therefore, each target also imports the modules of a start, which are always loaded before it.
 */
const startInOneFile: Plugin = {
  name: 'start in one file',
  setup({ onResolve, onLoad }) {
    const namespace = 'late';
    onResolve({ filter: /^\..*\.ts$/ }, ({ path, kind, resolveDir }) =>
      kind === 'dynamic-import' ? { path: join(resolveDir, path), namespace } : undefined,
    );
    onLoad({ filter: /^/, namespace }, ({ path }) => {
      const exported = /^export default /m.test(readFileSync(path, 'utf8')) ? ['*', '{ default }'] : ['*'];
      const lines = [
        ...STARTED.map((file) => `import ${JSON.stringify(`./${file}`)};`),
        ...exported.map((names) => `export ${names} from ${JSON.stringify(path)};`),
      ];
      return { resolveDir: server, contents: lines.join('\n') };
    });
  },
};

/** The age at which files of earlier bundles are deleted. */
const OLD_MS = 30 * 24 * 3600_000;

/**
 * Bundles the program into a few files. Starting them takes two thirds of the CPU time of loading hundreds of
 * source files. Page assets, and native and lazily loaded packages, are loaded from the checkout. An
 * unchanged file keeps its name, and therefore its entry in Node's compile cache. Files of earlier bundles
 * stay for a month, because a running server loads some of them later. Returns the path of the start script.
 */
export async function bundleInPlace(folder: string): Promise<string> {
  const { outputFiles } = await build({
    ...asProgram,
    target: 'node24',
    entryPoints: ['server/src/main.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    plugins: [latePackages, startInOneFile, inPlace],
    write: false,
  });
  mkdirSync(folder, { recursive: true });
  // The entry comes last, so it never imports a missing file.
  const isEntry = ({ path }: { path: string }) => basename(path) === 'main.mjs';
  const inOrder = [...outputFiles.filter((file) => !isEntry(file)), ...outputFiles.filter(isEntry)];
  for (const { path, text } of inOrder) writeWhole(path, inAscii(text));
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
function writeWhole(path: string, contents: string): void {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}
