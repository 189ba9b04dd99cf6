// Plain JavaScript for Node 20 and newer: builds the client into `dist/`, which the server serves.
//
//   npm run web                builds once
//   npm run web -- --watch     builds again after each change; a running server serves what is new
//   npm run web -- --react     builds with React in Preact's place into `dist-react/`, to compare the two, after
//                              npm install --no-save react react-dom
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, context } from 'esbuild';
import { togetherPlugin } from './buildChunks.js';
import { writeBuild } from './buildFiles.js';
import { copiedByClient, licencesOf } from './licences.js';

const folder = dirname(fileURLToPath(import.meta.url));
const client = join(folder, '..', 'client', 'src', 'index.ts');

/** Browsers of the last two years: they have popover, light-dark(), and `with` of arrays. */
const target = ['chrome125', 'firefox126', 'safari17.5'];

/** The names of React, and what runs behind them. */
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
  publicPath: '/web/',
  outdir: join(folder, 'dist', 'files'),
};

/** Sets the styles aside that scripts import. They become one file, so that a part of the page that comes later has its styles. */
const setStylesAside = {
  name: 'styles',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, ({ path }) => ({ contents: '', loader: 'js', watchFiles: [path] }));
  },
};

/**
 * Leaves marked's lexer alone of what marked has: its parts for HTML are tied together by statements at the end of its one file, so that
 * esbuild cannot tell that nobody uses them. A version whose end is another is taken whole, and the budget tells.
 */
const lexerAlone = {
  name: 'lexer of marked',
  setup({ onLoad }) {
    onLoad({ filter: /marked\.esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const end =
        /var (\w+)=new \w+;function \w+\(\w+,\w+\)\{return \1\.parse\([\s\S]*?export\{([^}]*)\};/.exec(text);
      const kept = end?.[2].split(',').filter((each) => / as (Lexer|Tokenizer|getDefaults)$/.test(each));
      if (kept?.length !== 3) return undefined;
      return { contents: `${text.slice(0, end.index)}export{${kept.join()}};`, loader: 'js' };
    });
  },
};

/** The style sheets that the scripts import: those of `main.tsx` in the order of its imports, then those of later parts. */
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

/** The options for all scripts. */
const scripts = (withReact) => ({
  ...common,
  entryPoints: ['main.tsx'],
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  jsxImportSource: 'react',
  alias: { '@palaver/client': client, ...(withReact ? {} : preact) },
  define: { 'process.env.NODE_ENV': '"production"' },
  plugins: [setStylesAside, lexerAlone],
});

/** Adds styles and the service worker to the built scripts, and writes all of it. */
async function complete(built, target) {
  const styles = await build({
    ...common,
    stdin: {
      contents: stylesOf(built.metafile)
        .map((path) => `@import "./${path}";`)
        .join('\n'),
      loader: 'css',
      resolveDir: folder,
      sourcefile: 'style.css',
    },
    entryNames: 'style-[hash]',
  });
  /** The service worker knows the names of all other files, so it is built last. */
  const workerWith = async (names) => {
    const { outputFiles } = await build({
      ...common,
      entryPoints: ['serviceWorker.ts'],
      format: 'iife',
      define: { FILES: JSON.stringify(names) },
    });
    return outputFiles[0].contents;
  };
  const page = await readFile(join(folder, 'index.html'), 'utf8');
  const manifest = await readFile(join(folder, 'manifest.webmanifest'), 'utf8');
  const paths = Object.keys(built.metafile.inputs).map((path) => join(folder, path));
  const licences = licencesOf(paths, copiedByClient);
  return writeBuild({ folder, target, built, styles, page, manifest, licences, workerWith });
}

/** Builds once. Rejects after esbuild has printed what is wrong. */
async function buildOnce(withReact) {
  const begin = performance.now();
  const options = scripts(withReact);
  const { metafile } = await build({ ...options, minify: false });
  const built = await build({ ...options, plugins: [togetherPlugin(folder, metafile), ...options.plugins] });
  const sizes = await complete(built, join(folder, withReact ? 'dist-react' : 'dist'));
  console.log(`The client is built in ${((performance.now() - begin) / 1000).toFixed(1)} s: ${sizes}`);
}

async function watch(withReact) {
  const options = scripts(withReact);
  const write = {
    name: 'write',
    setup({ onEnd }) {
      onEnd(async (built) => {
        if (built.errors.length > 0) return;
        const target = join(folder, withReact ? 'dist-react' : 'dist');
        console.log(`${new Date().toLocaleTimeString()}: ${await complete(built, target)}`);
      });
    },
  };
  await (await context({ ...options, plugins: [...options.plugins, write] })).watch();
}

const withReact = process.argv.includes('--react');
await (process.argv.includes('--watch') ? watch(withReact) : buildOnce(withReact)).catch((error) => {
  if (!error.errors) console.error(error);
  process.exitCode = 1;
});
