import { type AsyncHook, createHook } from 'node:async_hooks';
import { appendFileSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { end } from '../../test/support/atEnd.ts';
import { cpuSeconds } from './cpu.ts';
import { isNoun } from './graph.ts';
import { type Done, NOTES_FILE, type Notes } from './notes.ts';

/** Provided by `watch.js`, which is preloaded into this process. */
const { testWatch } = globalThis as { testWatch?: { take(): Done; readdirSync: typeof readdirSync } };
const [called, functions, read] = [new Set<string>(), new Set<string>(), new Set<string>()];
function add(done: Done): void {
  for (const path of done.called) called.add(path);
  for (const name of done.functions) functions.add(name);
  for (const path of done.read) read.add(path);
}

const root = join(import.meta.dirname, '..', '..');
/** Everything in the server except the nouns. Listing the folder does not count as reading it. */
const withoutNouns = (): string[] =>
  (testWatch?.readdirSync ?? readdirSync)(join(root, 'server/src'), { withFileTypes: true })
    .map((entry) => `server/src/${entry.name}${entry.isDirectory() ? '/' : ''}`)
    .filter((path) => !isNoun(path));

/**
 * Adds the notes from processes that have ended. A process that was killed or is still running may have used any part
 * of the server, except for nouns if it wrote notes in between.
 */
function addOthers(): void {
  const folder = process.env.TEST_NOTES as string;
  const names = readdirSync(folder);
  for (const name of names) {
    if (name.endsWith('.notes')) add(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    if (name.endsWith('.open')) {
      const isKnown = names.includes(name.replace('.open', '.known'));
      for (const path of isKnown ? withoutNouns() : ['server/src/']) called.add(path);
    }
    if (/\.(notes|open|known)$/.test(name)) rmSync(join(folder, name), { force: true });
  }
}

/**
 * Writes a line of notes. Files that were read are also attributed to later test files, which may use them
 * from a cache.
 */
function note(): void {
  const place = process.env[NOTES_FILE];
  if (place === undefined) return;
  if (testWatch) add(testWatch.take());
  addOthers();
  const { all, unseen } = cpuSeconds();
  const done = { called: [...loaded, ...called], functions: [...functions], read: [...read] };
  appendFileSync(place, `${JSON.stringify({ cpu: all, unseen, ...done } satisfies Notes)}\n`);
  called.clear();
  functions.clear();
}

/**
 * The hook that node:test installs in `begin`. It tells node:test which suite a test belongs to, and tracks every
 * promise and request in the tests in order to attribute uncaught errors to a test.
 */
function hookOf(begin: () => void): AsyncHook {
  const hooks = Object.getPrototypeOf(createHook({}));
  const { enable } = hooks;
  let hook: AsyncHook | undefined;
  hooks.enable = function (this: AsyncHook) {
    hook = this;
    return enable.call(this);
  };
  begin();
  hooks.enable = enable;
  if (hook === undefined) throw new Error('node:test did not install its hook');
  return hook;
}

const [longest, ...files] = [Number(process.argv[2]), ...process.argv.slice(3)];
let imported = 0;
let isLoaded = false;
/** Files with functions that ran while the test files were loaded. All test files depend on them. */
let loaded: string[] = [];

// Runs the given test files one after another. Each file is a suite, so its hooks apply only to its own
// tests.
const hook = hookOf(() => {
  for (const file of files)
    describe(file, { timeout: longest }, async () => {
      before(stopFollowing);
      await import(`../../test/${file}`);
      imported++;
      after(note);
    });
  after(end);
});

/**
 * Disables the hook once every test has its suite, because attributing errors to tests would cost a quarter of the
 * CPU time. An uncaught error fails its file anyway, and is printed here.
 */
function stopFollowing(): void {
  if (imported < files.length || isLoaded) return;
  isLoaded = true;
  hook.disable();
  const done = testWatch?.take();
  // Declaring a noun does not count as using it.
  loaded = (done?.called ?? []).filter((path) => !isNoun(path));
  for (const path of done?.read ?? []) read.add(path);
}
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.prependListener(event, (error) => console.error('uncaught error:', error));
process.on('exit', note);
