// Plain JavaScript for Node 20 and newer: what is missing of a checkout's dependencies, and how npm brings it.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Node that runs Palaver. */
export const OLDEST_NODE = 24;

/**
 * What has to be installed before a checkout can run: 'server', which is what the server needs, 'everything', which is
 * what tests and checks need too, or undefined. `wanted` is one of the two, and `major` the version of the present Node:
 * where it is too old for the server, one is installed. Nothing that is there is taken away: a checkout that has
 * something of everything is brought up to date with everything.
 */
export function toInstall(root, wanted, major) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { dependencies, devDependencies } = read('package.json');
  // The start builds the web client, which needs its packages for that.
  const server = ['server', 'web'].flatMap((part) => Object.keys(read(`${part}/package.json`).dependencies));
  const others = Object.keys(devDependencies).filter((name) => !server.includes(name));
  const node = Object.keys(dependencies);
  const has = (name) =>
    ['', 'server', 'web'].some((part) => existsSync(join(root, part, 'node_modules', name, 'package.json')));
  const needed = {
    server: [...server, ...(major < OLDEST_NODE ? node : [])],
    everything: [...server, ...node, ...others],
  };
  if (isUpToDate(root) && needed[wanted].every(has)) return undefined;
  // An operator may have added sharp alone, for previews of pictures.
  return others.some((name) => name !== 'sharp' && has(name)) ? 'everything' : wanted;
}

/**
 * The arguments with which npm installs what `toInstall` says, by the lock file. Nothing of the server has an install
 * script, and none is run for it. The checkout's own Node is all that the root needs beside `server` and `web`; it comes by its script.
 */
export function installArguments(what, major) {
  const base = ['install', '--no-save', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  // Also where NODE_ENV is production.
  if (what === 'everything') return [...base, '--include=dev'];
  const server = [...base, '--omit=dev', '--workspace=server', '--workspace=web'];
  return [...server, major < OLDEST_NODE ? '--include-workspace-root' : '--ignore-scripts'];
}

/** npm writes it after each install, as its record of what is there. */
const recordOf = (root) => join(root, 'node_modules', '.package-lock.json');

function isUpToDate(root) {
  const record = recordOf(root);
  return existsSync(record) && statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Remembers that what is installed is that of the lock file; npm leaves its record as it is if it has changed nothing. */
export function markUpToDate(root) {
  utimesSync(recordOf(root), new Date(), new Date());
}

/**
 * Tidies the checkout's own Node, whose install script puts it into a package of its own: removes the C headers, a third of its
 * size, which only compilers read, and keeps its licence, since npm's next install removes that package.
 */
export function tidyNode(root) {
  const folder = join(root, 'node_modules', 'node');
  const inside = join(folder, 'node_modules');
  if (!existsSync(inside)) return;
  for (const name of readdirSync(inside).filter((each) => each.startsWith('node-'))) {
    rmSync(join(inside, name, 'include'), { recursive: true, force: true });
    const licence = join(inside, name, 'LICENSE');
    if (existsSync(licence)) copyFileSync(licence, join(folder, 'LICENSE'));
  }
}

/**
 * What an install brings, for people: by the lock file, the number of packages; the size and the usual time as measured on two
 * processors.
 */
export function planOf(root, what, major) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const withNode = what === 'everything' || major < OLDEST_NODE;
  const isFor = (wanted, here) => !wanted || [wanted].flat().includes(here);
  const count = Object.entries(packages).filter(
    ([path, { dev, link, os, cpu }]) =>
      // As in countInstalled: without packages inside others.
      /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) &&
      !link &&
      (what === 'everything' || !dev) &&
      (withNode || path !== 'node_modules/node') &&
      isFor(os, process.platform) &&
      isFor(cpu, process.arch),
  ).length;
  if (what === 'everything') return { count, size: '650 MB', time: 'half a minute to two minutes' };
  return withNode
    ? { count, size: '210 MB, most of it a newer Node', time: '10 to 30 seconds' }
    : { count, size: '66 MB', time: '5 to 15 seconds' };
}

/** The number of packages that npm has put into `node_modules` so far, without links to the checkout's own parts. */
export function countInstalled(root) {
  const modules = join(root, 'node_modules');
  const inside = (folder) => {
    const path = join(modules, folder);
    const all = existsSync(path) ? readdirSync(path, { withFileTypes: true }) : [];
    return all.filter((entry) => !entry.isSymbolicLink()).map(({ name }) => name);
  };
  return inside('')
    .flatMap((name) => (name.startsWith('@') ? inside(name).map((part) => join(name, part)) : [name]))
    .filter((name) => existsSync(join(modules, name, 'package.json'))).length;
}
