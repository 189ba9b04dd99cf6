// Builds the client into `dist/`, which the server serves. Plain JavaScript, because Node 20 runs it.
//
//   npm run web                builds once
//   npm run web -- --watch     rebuilds after each change; a running server serves the new build
//   npm run web -- --pseudo    also builds the pseudo language for tests (docs/guides/translating.md)
//   npm run web -- --into=…    builds into another folder
//   npm run web -- --react     builds with React instead of Preact into `dist-react/`, to compare the two;
//                              first run npm install --no-save react react-dom
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { togetherPlugin } from './buildChunks.js';
import { writeBuild } from './buildFiles.js';
import { languagePlugin, languagesIn, shellTextsOf, textFiles } from './buildLanguages.js';
import { copiedByClient, licencesOf } from './licences.js';
import { PSEUDO } from './pseudo.js';

const folder = dirname(fileURLToPath(import.meta.url));
const client = join(folder, '..', 'client', 'src', 'index.ts');

/** Browsers from the last two years, which support popover, light-dark() and `Array.prototype.with`. */
const target = ['chrome125', 'firefox126', 'safari17.5'];

/** React's module names, and the modules that replace them. */
const preact = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react/jsx-dev-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
};

const common = {
  absWorkingDir: folder,
  bundle: true,
  write: false,
  metafile: true,
  minify: true,
  target,
  legalComments: 'none',
  logLevel: 'warning',
  loader: { '.svg': 'file', '.png': 'file', '.woff2': 'file' },
  assetNames: '[name]-[hash]',
  outdir: join(folder, 'dist', 'files'),
};

/**
 * Collects the style sheets that scripts import. They become a single file, so chunks that load later are
 * already styled.
 */
const setStylesAside = {
  name: 'styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, ({ path }) => ({ contents: '', loader: 'js', watchFiles: [path] }));
  },
};

/**
 * The imported style sheets: first those of `main.tsx` in import order, then those of lazily loaded chunks.
 */
function stylesOf({ inputs }) {
  const found = new Set();
  const seen = new Set();
  const later = [];
  const visit = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    if (path.endsWith('.css')) found.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? []) {
      if (kind === 'dynamic-import') later.push(next);
      else visit(next);
    }
  };
  visit('main.tsx');
  for (let path = later.shift(); path !== undefined; path = later.shift()) visit(path);
  return [...found];
}

/**
 * The esbuild options for all scripts, with the texts of one language. `languages` are those a user can
 * choose from.
 */
const scripts = ({ withReact, languages }, language) => ({
  ...common,
  entryPoints: ['main.tsx'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: 'react',
  alias: { '@palaver/client': client, ...(withReact ? {} : preact) },
  define: { 'process.env.NODE_ENV': '"production"', LANGUAGES: JSON.stringify(languages) },
  plugins: [languagePlugin(folder, language), setStylesAside],
});

/** Adds styles and the service worker to the scripts, which are built per language, and writes everything. */
async function complete(built, { target }) {
  const all = [...built.values()];
  const [first] = all;
  const styles = await build({
    ...common,
    stdin: {
      contents: stylesOf(first.metafile)
        .map((path) => `@import "./${path}";`)
        .join('\n'),
      loader: 'css',
      resolveDir: folder,
      sourcefile: 'style.css',
    },
    entryNames: 'style-[hash]',
  });
  /** The service worker is built last, because it contains the names of all other files. */
  const workerWith = async (names) => {
    const { outputFiles } = await build({
      ...common,
      entryPoints: ['serviceWorker.ts'],
      format: 'iife',
      define: { FILES: JSON.stringify(names) },
    });
    return outputFiles[0].contents;
  };
  const { outputFiles } = await build({
    ...common,
    entryPoints: ['ahead.ts'],
    format: 'iife',
  });
  const ahead = outputFiles[0].text.trim();
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const manifest = await readFile(join(folder, 'manifest.webmanifest'), 'utf8');
  const paths = new Set([...all, styles].flatMap(({ metafile }) => Object.keys(metafile.inputs)));
  const licences = licencesOf(
    [...paths].map((path) => join(folder, path)),
    copiedByClient,
  );
  const texts = new Map();
  for (const language of built.keys()) texts.set(language, await shellTextsOf(folder, language));
  return writeBuild({ folder, target, built, ahead, styles, page, manifest, texts, licences, workerWith });
}

/** Builds the scripts of each language. All have the same chunks. */
async function buildAll(plan, languages, together) {
  const built = await Promise.all(
    languages.map(async (language) => {
      const options = scripts(plan, language);
      return [language, await build({ ...options, plugins: [...together, ...options.plugins] })];
    }),
  );
  return new Map(built);
}

/** Builds once. If the build fails, esbuild prints the errors, and then this rejects. */
async function buildOnce(plan) {
  const begin = performance.now();
  const { metafile } = await build({ ...scripts(plan, plan.languages[0]), minify: false });
  const built = await buildAll(plan, plan.languages, [togetherPlugin(folder, metafile)]);
  const sizes = await complete(built, plan);
  console.log(`Built the client in ${((performance.now() - begin) / 1000).toFixed(1)} s: ${sizes}`);
}

async function watch(plan) {
  const [first, ...others] = plan.languages;
  const options = scripts(plan, first);
  const write = {
    name: 'write',
    setup({ onLoad, onEnd }) {
      // esbuild itself does not watch the texts of the other languages.
      onLoad({ filter: /main\.tsx$/ }, () => ({ watchFiles: textFiles(folder) }));
      onEnd(async (built) => {
        if (built.errors.length > 0) return;
        const all = new Map([[first, built], ...(await buildAll(plan, others, []))]);
        console.log(`${new Date().toLocaleTimeString()}: ${await complete(all, plan)}`);
      });
    },
  };
  await (await context({ ...options, plugins: [write, ...options.plugins] })).watch();
}

const [, , ...args] = process.argv;
const withReact = args.includes('--react');
const into = args.find((each) => each.startsWith('--into='))?.slice('--into='.length);
const plan = {
  withReact,
  languages: [...languagesIn(folder), ...(args.includes('--pseudo') ? [PSEUDO] : [])],
  target: into ? resolve(into) : join(folder, withReact ? 'dist-react' : 'dist'),
};
await (args.includes('--watch') ? watch(plan) : buildOnce(plan)).catch((error) => {
  if (!error.errors) console.error(error);
  process.exitCode = 1;
});
