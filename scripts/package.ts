import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { webFilesToPack } from '../server/src/http/web/webFiles.ts';
import { megabytes, writeExecutable } from './executable.ts';

/**
 * `npm run package [folder]` writes to the folder, `dist` by default:
 *
 * - `palaver-<version>.tgz`, the package `palaver`: the server as plain JavaScript, because Node does not strip types
 *   in files under `node_modules`. Types become spaces, so lines and columns of errors match the source. The unpacked files stay
 *   next to it, in `palaver/`.
 * - `palaver-<version>-<system>-<processor>`, the same server as one executable that includes Node (`executable.ts`), and
 *   `LICENCES.txt`, the licences of everything in it.
 *
 * `npm run package -- dist tarball` skips the executable, which takes some seconds.
 */
const root = join(import.meta.dirname, '..');
const server = join(root, 'server');
const target = resolve(process.argv[3] ?? join(root, 'dist'));
const packed = join(target, 'palaver');

const read = (...path: string[]) => readFileSync(join(...path), 'utf8');
const json = (...path: string[]) => JSON.parse(read(root, ...path));

/** The package's package.json. Pins dependencies to the versions that were tested. */
function description(): object {
  const { name, version, description, license, type } = json('package.json');
  const { packages } = json('package-lock.json');
  const needed = Object.keys(json('server', 'package.json').dependencies);
  // npm installs a package in server/node_modules if a tool at the root needs a different version of it or of
  // its dependencies.
  const installed = (name: string) =>
    packages[`server/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  const dependencies = Object.fromEntries(needed.map((each) => [each, installed(each).version]));
  const bin = { [name]: 'bin/palaver.js' };
  return { name, version, description, license, type, bin, engines: { node: '>=24' }, dependencies };
}

/** Changes imports to the `.js` files that replace the `.ts` files. */
const plain = (code: string): string =>
  code.replace(/((?:\bfrom|\bimport) *\(? *'\.{1,2}\/[^']+)\.ts'/g, "$1.js'");

function write(file: string, content: string): void {
  mkdirSync(dirname(join(packed, file)), { recursive: true });
  writeFileSync(join(packed, file), content);
}

rmSync(packed, { recursive: true, force: true });
for (const file of globSync('src/**/*.{css,svg,ico,bin}', { cwd: server })) {
  mkdirSync(dirname(join(packed, file)), { recursive: true });
  copyFileSync(join(server, file), join(packed, file));
}
for (const file of globSync('{bin,src}/**/*.{ts,js}', { cwd: server })) {
  const code = read(server, file);
  write(file.replace(/\.ts$/, '.js'), plain(file.endsWith('.ts') ? stripTypeScriptTypes(code) : code));
}
// The server finds the built client at the top level, as in a checkout.
const web = await webFilesToPack();
for (const path of web.paths) {
  mkdirSync(dirname(join(packed, 'web', 'dist', path)), { recursive: true });
  copyFileSync(join(web.folder, path), join(packed, 'web', 'dist', path));
}
writeFileSync(join(packed, 'web', 'dist', 'manifest.json'), web.list);
write('package.json', `${JSON.stringify(description(), undefined, 2)}\n`);
// The sources of the pages under /docs/.
const guides = globSync(
  '{docs/{README,tables}.md,docs/{guides,api,operate}/*.md,{client,deploy}/README.md}',
  {
    cwd: root,
  },
);
for (const file of ['LICENSE', 'CHANGELOG.md', 'SECURITY.md', ...guides]) write(file, read(root, file));
write('README.md', read(server, 'README.md'));

const windows = process.platform === 'win32';
const { status, stdout, stderr } = spawnSync(
  windows ? 'npm.cmd' : 'npm',
  ['pack', packed, '--pack-destination', target, '--json', '--ignore-scripts'],
  { encoding: 'utf8', shell: windows },
);
if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
interface Tarball {
  filename: string;
  size: number;
  unpackedSize: number;
}
const [{ filename, size, unpackedSize }] = Object.values(JSON.parse(stdout)) as [Tarball];
console.log(`${join(target, filename)}: ${megabytes(size)}, unpacked ${megabytes(unpackedSize)}`);

if (process.argv[4] !== 'tarball') {
  const file = await writeExecutable(target);
  console.log(`${file}: ${megabytes(statSync(file).size)}`);
}
