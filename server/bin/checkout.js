// Plain JavaScript for Node 20 and newer: installs dependencies, then finds a Node that runs TypeScript.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  countInstalled,
  installArguments,
  markUpToDate,
  OLDEST_NODE,
  planOf,
  tidyNode,
  toInstall,
} from './dependencies.js';
import { isClientStale, isGeneratedStale, isServerStale, serverProgram } from './sources.js';

/** The `server/` folder of the checkout, or the folder of the installed package. */
const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const root = join(folder, '..');
const lock = join(root, 'package-lock.json');
const major = Number(process.versions.node.split('.')[0]);

const PROGRESS_MS = 2000;

/** Installs missing dependencies of the checkout. `wanted` is 'server' or 'everything'. */
export async function install(wanted) {
  const what = existsSync(lock) ? toInstall(root, wanted, major) : undefined;
  if (what === undefined) return;
  const say = (text) => process.stderr.write(`${text}\n`);
  const { count, size, time } = planOf(root, what, major);
  const needs =
    what === 'server'
      ? 'the dependencies of the server'
      : 'all dependencies, including those of tests and checks';
  say(`Installing ${needs}: ${count} packages, ${size}. This happens once, and usually takes ${time}…`);
  const { spawn } = await import('node:child_process');
  const windows = process.platform === 'win32';
  const begin = performance.now();
  const seconds = () => ((performance.now() - begin) / 1000).toFixed();
  const timer = setInterval(
    () => say(`  ${countInstalled(root)} of ${count} packages, ${seconds()} s`),
    PROGRESS_MS,
  );
  // Copies the licence of a Node that "npm ci" installed, because the next install removes the nested package
  // that contains it.
  tidyNode(root);
  const child = spawn(windows ? 'npm.cmd' : 'npm', installArguments(what, major), {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: windows,
  });
  const status = await new Promise((done) => child.once('error', done).once('close', done));
  clearInterval(timer);
  if (status !== 0) {
    say('The dependencies could not be installed. Run "npm install" to see why');
    process.exit(1);
  }
  tidyNode(root);
  markUpToDate(root);
  say(`Installed in ${seconds()} s`);
}

/** The path of a Node that runs TypeScript: this one, or the one in the checkout's dependencies. */
const newNode = () => (major >= OLDEST_NODE ? process.execPath : join(root, 'node_modules', '.bin', 'node'));

/** Runs a script of the checkout, with its output on stderr. Resolves with false if it failed. */
async function runScript(node, path, ...args) {
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [join(root, path), ...args], { stdio: ['ignore', 2, 2] });
  return (await new Promise((done) => child.once('error', done).once('close', done))) === 0;
}

/**
 * Generates the client's files from the OpenAPI document, if they are out of date. If `wanted` is 'everything', this
 * includes the API's types. Prints a message and resolves with false if that failed.
 */
export async function generateClient(wanted) {
  if (!existsSync(lock) || !isGeneratedStale(root, wanted === 'everything')) return true;
  if (await runScript(newNode(), 'scripts/client.ts')) return true;
  process.stderr.write('The files in client/src/generated could not be generated\n');
  return false;
}

/** Builds the checkout's web client, if it is out of date. Prints a message and resolves with false if that failed. */
export async function buildClient() {
  if (!existsSync(lock) || !isClientStale(root)) return true;
  process.stderr.write('Building the web client, usually in 2 to 5 seconds…\n');
  if (await runScript(process.execPath, 'web/build.js')) return true;
  process.stderr.write('The web client could not be built\n');
  return false;
}

/**
 * Bundles the checkout's server, if the bundle is out of date: a start from the bundle takes two thirds of the CPU
 * time and 15 MB less memory than one from a thousand source files. Returns the script that starts it; undefined if the
 * server starts from its sources, as after a failure.
 */
export async function buildServer() {
  if (!startsFromBundle) return undefined;
  const program = serverProgram(root);
  const isBuilt =
    !isServerStale(root) || (await runScript(newNode(), 'scripts/program.ts', dirname(program)));
  return isBuilt ? program : undefined;
}

/**
 * Most garbage of a server dies young, so its young generation works well with 8 MB instead of V8's 48 MB. It starts at
 * full size, because twice as many collections would run while it grows. `--heap-growing-percent` collects the old
 * generation when it has doubled; V8's default waits until it has quadrupled.
 */
const flags = ['--max-semi-space-size=8', '--min-semi-space-size=8', '--heap-growing-percent=100'];
/** True in the process that `run` started with these flags. Everything is already installed and built there. */
export const isServer = process.execArgv.join() === flags.join();
/**
 * With Node options that watch, inspect or replace code, and while coverage is measured, a checkout runs from its
 * sources.
 */
const watchesCode =
  /--(import|require|inspect)/.test(process.env.NODE_OPTIONS ?? '') || process.env.NODE_V8_COVERAGE;
const startsFromBundle = existsSync(lock) && process.execArgv.length === 0 && !watchesCode;
/**
 * By default, glibc gives each of a dozen threads its own memory arena and rarely returns it: a single arena saves
 * 12 MB. Other systems ignore this variable.
 */
const environment = { MALLOC_ARENA_MAX: '1', ...process.env };

/**
 * Runs a script with a Node that can run TypeScript. If this Node is too old, runs the checkout's own Node as a child
 * process, and passes on signals and the exit code. `palaver start` gets the Node flags for a server.
 */
export async function run(script, runHere) {
  const starts = process.argv[2] === 'start';
  if (major >= OLDEST_NODE) {
    if (starts && process.execve && process.execArgv.length === 0) {
      const args = [process.execPath, ...flags, script, ...process.argv.slice(2)];
      process.execve(process.execPath, args, environment);
    }
    enableCache();
    await runHere();
    return;
  }
  const node = newNode();
  if (!existsSync(node)) {
    const way = 'run "npm install node@26" in the same folder, or use the executable, which includes Node';
    process.stderr.write(
      `Palaver needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}: ${way}\n`,
    );
    process.exit(1);
  }
  const { spawn } = await import('node:child_process');
  const child = spawn(node, [...(starts ? flags : []), script, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: starts ? environment : process.env,
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

/**
 * Enables Node's compile cache, including for TypeScript. Node writes it when the process exits. It is stored next to
 * the code, because it contains executable code: only users who may write the code may write the cache. If Node cannot
 * write there, it works without a cache. NODE_COMPILE_CACHE takes precedence.
 */
function enableCache() {
  const place = existsSync(lock) ? join(root, 'node_modules', '.cache', 'node') : join(folder, '.cache');
  // Not imported by name: Node 20 lacks this function and could not load this file.
  module.enableCompileCache(place);
}
