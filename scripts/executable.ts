import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { COMMON_PASSWORDS } from '../server/src/accounts/commonPasswords.ts';
import { PACKED, pack } from '../server/src/http/pages/pageFiles.ts';
import { PACKED as PACKED_WEB, webFilesToPack } from '../server/src/http/web/webFiles.ts';
import { asProgram, inAscii } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const server = join(root, 'server', 'src');

/**
 * The Node to embed: the installation in the checkout, an official build that runs on any machine. The
 * running Node may depend on libraries on this machine, so it is used only if the checkout has no Node, as in
 * the Docker image with Node 26.
 */
const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const node = existsSync(own) ? own : process.execPath;

/** Node flags for a standalone server. In a checkout, `bin/checkout.js` sets them. */
const serverFlags = ['--max-semi-space-size=8', '--min-semi-space-size=8', '--heap-growing-percent=100'];

/**
 * Fails the build if code looks for adjacent files, because an executable has none. Pages are exempt, and so are
 * worker threads started with `lib/thread.ts`.
 */
const noFiles: Plugin = {
  name: 'no files',
  setup({ onEnd }) {
    onEnd(({ outputFiles = [] }) => ({
      errors: outputFiles.flatMap(({ text }) => {
        const code = text
          .slice(asProgram.banner.js.length)
          .replaceAll(/startThread\(new URL\("[^"]+", import\.meta\.url\)/g, '')
          .replaceAll(/isSea\d*\(\) \? "" : import\.meta\.dirname/g, '');
        return (code.match(/^.*\bimport\.meta\b.*$/gm) ?? []).map((line) => ({
          text: `looks for a file: ${line}`,
        }));
      }),
    }));
  },
};

/**
 * Loads Node's built-in modules with the code that uses them. As imports of one large file, all of them would be
 * loaded at every start, which takes longer than most commands.
 */
const lateBuiltIns: Plugin = {
  name: 'late built-in modules',
  setup({ onResolve, onLoad }) {
    // `noFiles` recognizes calls of `isSea` by its name, so `node:sea` is imported as usual.
    onResolve({ filter: /^node:/ }, ({ path }) =>
      path === 'node:sea' ? undefined : { path, namespace: 'built-in' },
    );
    onLoad({ filter: /^/, namespace: 'built-in' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** The name of the asset that contains the licences, and of its copy next to the executable. */
const LICENCES = 'LICENCES.txt';

// The module is plain JavaScript, because older Node versions also build the client.
const {
  licencesOf,
  copiedByServer,
}: {
  licencesOf(paths: readonly string[], copied: readonly string[]): string;
  copiedByServer: readonly string[];
} = await import(new URL('../web/licences.js', import.meta.url).href);

/**
 * The licences of Node and its dependencies. The licence file is next to the program, unless a distribution
 * has moved it. Throws if the checkout's own Node has no licence file: otherwise, the executable would depend
 * on how Node was installed.
 */
function nodeLicence(): string {
  const beside = existsSync(own)
    ? globSync('node_modules/node/{LICENSE,node_modules/node-*/LICENSE}', { cwd: root })
    : ['../LICENSE', '../../LICENSE'].map((path) => resolve(process.execPath, path)).filter(existsSync);
  const [file] = beside.map((path) => resolve(root, path));
  if (existsSync(own) && !file)
    throw new Error('the licence of the checkout\'s Node is missing: run "npm ci"');
  return `Node.js ${process.versions.node}: MIT\n\n${file ? readFileSync(file, 'utf8') : 'https://github.com/nodejs/node/blob/main/LICENSE\n'}`;
}

/** The licences of everything that is included, such as the web client. `inputs` are the paths of all files. */
async function licences(inputs: readonly string[]): Promise<string> {
  const parts = [
    readFileSync(join(root, 'LICENSE'), 'utf8'),
    nodeLicence(),
    licencesOf(
      inputs.map((path) => join(root, path)),
      copiedByServer,
    ),
    readFileSync(join((await webFilesToPack()).folder, 'licences.txt'), 'utf8'),
  ];
  return parts.join(`\n${'-'.repeat(80)}\n\n`);
}

/**
 * Bundles `main.js` and the script of each worker thread into `folder`, and writes LICENCES. Returns the names of the
 * files next to `main.js`.
 */
async function bundle(folder: string): Promise<string[]> {
  const threads = globSync('**/*Worker.js', { cwd: server });
  const { outputFiles, metafile } = await build({
    ...asProgram,
    entryPoints: ['main.ts', ...threads].map((file) => join(server, file)),
    outdir: folder,
    write: false,
    plugins: [noFiles, lateBuiltIns],
  });
  for (const { path, text } of outputFiles) writeFileSync(path, inAscii(text));
  writeFileSync(join(folder, LICENCES), await licences(Object.keys(metafile.inputs)));
  writeFileSync(join(folder, PACKED), await pack());
  return [LICENCES, PACKED, ...threads.map((file) => basename(file))];
}

/** The built web client: asset names, each with the file that contains its bytes. */
async function webAssets(folder: string): Promise<Record<string, string>> {
  const web = await webFilesToPack();
  const list = join(folder, 'web.json');
  writeFileSync(list, web.list);
  const files = web.paths.map((path) => [PACKED_WEB + path, join(web.folder, path)]);
  return { ...Object.fromEntries(files), [`${PACKED_WEB}manifest.json`]: list };
}

function run(program: string, args: readonly string[], cwd?: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', cwd });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error ?? stderr + stdout}`);
}

/**
 * Writes an executable to `target` that runs Palaver without an installed Node, on the same operating system and CPU
 * architecture. It is a Node "single executable application" that contains all JavaScript, precompiled (V8 code
 * cache). The licences are included, and also written to a file next to it. Returns the path of the executable.
 */
export async function writeExecutable(target: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const end = process.platform === 'win32' ? '.exe' : '';
  const output = join(target, `palaver-${version}-${process.platform}-${process.arch}${end}`);
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  try {
    const assets = await bundle(folder);
    // Paths are relative, because the program embeds its script's path and must be identical regardless of
    // the build folder.
    const configuration = {
      main: 'main.js',
      mainFormat: 'module',
      output,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      execArgv: serverFlags,
      assets: {
        ...Object.fromEntries(assets.map((name) => [name, join(folder, name)])),
        ...(await webAssets(folder)),
        [COMMON_PASSWORDS]: join(server, 'accounts', COMMON_PASSWORDS),
      },
    };
    writeFileSync(join(folder, 'configuration.json'), JSON.stringify(configuration));
    mkdirSync(target, { recursive: true });
    rmSync(output, { force: true });
    // Uses the same flags as at run time. V8 rejects a code cache created with other flags. Only the hash seed may
    // differ; it is fixed here to make builds identical.
    run(node, [...serverFlags, '--random-seed=1', '--build-sea', 'configuration.json'], folder);
    copyFileSync(join(folder, LICENCES), join(target, LICENCES));
    // macOS does not run a modified program without a new signature.
    if (process.platform === 'darwin') run('codesign', ['--sign', '-', output]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return output;
}

/** Formats a size in MB. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) console.log(await writeExecutable(resolve(process.argv[2] ?? join(root, 'dist'))));
