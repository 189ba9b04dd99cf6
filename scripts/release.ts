import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { git, imageContext, requireCommitted, SUMS, signSums, writeSums, zipAgain } from './releaseFiles.ts';

/**
 * `npm run release [folder]` writes everything that a release publishes to the folder, `dist/release` by default:
 *
 * - `palaver-<version>-<system>-<processor>` and `LICENCES.txt`, the executable for this platform
 * - `palaver-<version>.tgz` and `palaver-client-<version>.tgz`, the npm packages
 * - `palaver-<version>-image.tar.gz`, the context from which Docker builds the image
 * - `palaver-<version>.cdx.json`, the list of all packages (CycloneDX)
 * - `SHA256SUMS`, and `SHA256SUMS.sig` if `RELEASE_KEY` is the path to an Ed25519 key
 *
 * A release is built from a commit, with the tools in the lock file and the checkout's Node. The same commit gives the
 * same bytes on the same platform, in any folder.
 */
const root = join(import.meta.dirname, '..');
const windows = process.platform === 'win32';
const own = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
const target = resolve(process.argv[3] ?? join(root, 'dist', 'release'));

function run(...args: string[]): string {
  const { status, stdout, error } = spawnSync(own, args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${args.join(' ')} failed${error ? `: ${error}` : ''}`);
  return stdout;
}

if (!existsSync(own)) throw new Error('the checkout\'s Node is missing: run "npm ci"');
requireCommitted(root);
const key = process.env.RELEASE_KEY ? readFileSync(process.env.RELEASE_KEY, 'utf8') : undefined;
const commit = String(git(root, 'rev-parse', 'HEAD')).trim();
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

process.umask(0o022);
rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
// Deletes the previous build first: a build keeps the previous build's files for open pages and lists them in the
// service worker.
rmSync(join(root, 'web', 'dist'), { recursive: true, force: true });
for (const script of ['package', 'packageClient']) run('scripts/run.js', `scripts/${script}.ts`, target);
rmSync(join(target, name), { recursive: true });
for (const file of readdirSync(target).filter((one) => one.endsWith('.tgz'))) zipAgain(join(target, file));
const image = `${name}-${version}-image`;
writeFileSync(join(target, `${image}.tar.gz`), imageContext(root, commit, image));
writeFileSync(join(target, `${name}-${version}.cdx.json`), run('scripts/sbom.js'));
await writeSums(target);
if (key !== undefined) signSums(target, key);
console.log(
  `${readFileSync(join(target, SUMS), 'utf8')}\nThe release of ${commit} is in ${target}${key === undefined ? ', without a signature: RELEASE_KEY is not set' : ''}`,
);
