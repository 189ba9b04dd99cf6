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
import { PACKED, pack } from '../server/src/http/pages/pageFiles.ts';
import { PACKED as PACKED_WEB, webFilesToPack } from '../server/src/http/web/webFiles.ts';
import { asProgram, kysely } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const server = join(root, 'server', 'src');

/**
 * The Node that becomes the file: the checkout's own, which Node's project has built for any machine. The present one may
 * need libraries of this machine; it is taken where the checkout has none, as in the image of Node 26.
 */
const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
const node = existsSync(own) ? own : process.execPath;

/** What Node gives to a server that is started as a program of its own; `bin/checkout.js` gives it to the others. */
const serverFlags = ['--max-semi-space-size=8', '--min-semi-space-size=8', '--heap-growing-percent=50'];

/** Nothing may look for files beside its code, since there are none: except for threads, by `lib/thread.ts`, and for pages. */
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

/** The asset with the licences, and the file beside the executable one. */
const LICENCES = 'LICENCES.txt';

// It is plain JavaScript, since the client is built by an older Node, too.
const {
  licencesOf,
  copiedByServer,
}: {
  licencesOf(paths: readonly string[], copied: readonly string[]): string;
  copiedByServer: readonly string[];
} = await import(new URL('../web/licences.js', import.meta.url).href);

/** Node's own licence with those of all that is in Node: it lies beside its program, but where a system has moved it. */
function nodeLicence(): string {
  const beside = existsSync(own)
    ? globSync('node_modules/node/node_modules/node-*/LICENSE', { cwd: root })
    : ['../LICENSE', '../../LICENSE'].map((path) => resolve(process.execPath, path)).filter(existsSync);
  const [file] = beside.map((path) => resolve(root, path));
  return `Node.js ${process.versions.node}: MIT\n\n${file ? readFileSync(file, 'utf8') : 'https://github.com/nodejs/node/blob/main/LICENSE\n'}`;
}

/** The licences of what is inside, the web client included, which have to go with it. `inputs` are the paths of all files. */
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
 * Writes `main.js` and the script of each thread to `folder`, each with all that it needs, and LICENCES. Gives the names of
 * the files beside `main.js`.
 */
async function bundle(folder: string): Promise<string[]> {
  const threads = globSync('**/*Worker.js', { cwd: server });
  const { outputFiles, metafile } = await build({
    ...asProgram,
    entryPoints: ['main.ts', ...threads].map((file) => join(server, file)),
    outdir: folder,
    write: false,
    plugins: [kysely, noFiles],
  });
  for (const { path, contents } of outputFiles) writeFileSync(path, contents);
  writeFileSync(join(folder, LICENCES), await licences(Object.keys(metafile.inputs)));
  writeFileSync(join(folder, PACKED), await pack());
  return [LICENCES, PACKED, ...threads.map((file) => basename(file))];
}

/** The built web client: the names of its assets, each with the file that has its bytes. */
async function webAssets(folder: string): Promise<Record<string, string>> {
  const web = await webFilesToPack();
  const list = join(folder, 'web.json');
  writeFileSync(list, web.list);
  const files = web.paths.map((path) => [PACKED_WEB + path, join(web.folder, path)]);
  return { ...Object.fromEntries(files), [`${PACKED_WEB}manifest.json`]: list };
}

function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${error ?? stderr + stdout}`);
}

/**
 * Writes one file to `target` that runs Palaver on a machine without Node, with the same operating system and the same
 * kind of processor. It is Node with all JavaScript inside (Node's "single executable application"), compiled already.
 * The licences of all that is in it are in it too, and in a file beside it. Returns its path.
 */
export async function writeExecutable(target: string): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const end = process.platform === 'win32' ? '.exe' : '';
  const output = join(target, `palaver-${version}-${process.platform}-${process.arch}${end}`);
  const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
  try {
    const assets = await bundle(folder);
    const configuration = {
      main: join(folder, 'main.js'),
      mainFormat: 'module',
      output,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      execArgv: serverFlags,
      assets: {
        ...Object.fromEntries(assets.map((name) => [name, join(folder, name)])),
        ...(await webAssets(folder)),
      },
    };
    const file = join(folder, 'configuration.json');
    writeFileSync(file, JSON.stringify(configuration));
    mkdirSync(target, { recursive: true });
    rmSync(output, { force: true });
    run(node, ['--build-sea', file]);
    copyFileSync(join(folder, LICENCES), join(target, LICENCES));
    // macOS runs no changed program without a new signature.
    if (process.platform === 'darwin') run('codesign', ['--sign', '-', output]);
  } finally {
    rmSync(folder, { recursive: true });
  }
  return output;
}

/** The size of a file as people read it. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) console.log(await writeExecutable(resolve(process.argv[2] ?? join(root, 'dist'))));
