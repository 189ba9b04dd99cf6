// Plain JavaScript for Node 20 and newer: finds and installs missing dependencies of a checkout.
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** The oldest Node that runs Palaver. */
export const OLDEST_NODE = 24;

/**
 * What to install before a checkout can run: 'server' (the server's dependencies), 'everything' (also those of tests
 * and checks), or undefined if nothing is missing. `wanted` is one of the two. `major` is the major version of the
 * running Node; if it is too old for the server, Node is installed as well. Returns 'everything' if some development
 * dependencies are already installed, so npm does not remove them.
 */
export function toInstall(root, wanted, major) {
  const read = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { dependencies, devDependencies } = read('package.json');
  // `npm start` builds the web client, which needs these packages.
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
  // Operators may have installed sharp on its own, for image previews.
  return others.some((name) => name !== 'sharp' && has(name)) ? 'everything' : wanted;
}

/**
 * The npm arguments to install the result of `toInstall`, as pinned in the lock file. The server's packages have no
 * install scripts, so scripts are disabled for them. The root's only dependency of its own is Node, which is installed
 * by its install script.
 */
export function installArguments(what, major) {
  const base = ['install', '--no-save', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  // Includes development dependencies even if NODE_ENV is production.
  if (what === 'everything') return [...base, '--include=dev'];
  const server = [...base, '--omit=dev', '--workspace=server', '--workspace=web'];
  return [...server, major < OLDEST_NODE ? '--include-workspace-root' : '--ignore-scripts'];
}

/** npm's list of the installed packages, which it writes after each install. */
const recordOf = (root) => join(root, 'node_modules', '.package-lock.json');

function isUpToDate(root) {
  const record = recordOf(root);
  return existsSync(record) && statSync(record).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Marks the installation as up to date with the lock file. npm does not touch its list if it has changed nothing. */
export function markUpToDate(root) {
  utimesSync(recordOf(root), new Date(), new Date());
}

/**
 * Cleans up the checkout's own Node, which its install script unpacks into a nested package. Removes the C headers,
 * which take a third of the space and are only needed to compile addons. Copies the licence, because npm's next install
 * removes the nested package.
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
 * Describes an installation for people: the number of packages, from the lock file, and the size and the usual duration,
 * as measured with two CPUs.
 */
export function planOf(root, what, major) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const withNode = what === 'everything' || major < OLDEST_NODE;
  const isFor = (wanted, here) => !wanted || [wanted].flat().includes(here);
  const count = Object.entries(packages).filter(
    ([path, { dev, link, os, cpu }]) =>
      // Excludes nested packages, like countInstalled.
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

/** The number of packages in `node_modules` so far, without links to the checkout's workspaces. */
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
