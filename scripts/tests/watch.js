// Preloaded (`node --import`) into every process that tests start. Plain JavaScript, for any Node version. It records
// what tests depend on: files in the repository with functions that ran, and files that were read, listed or started.
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const root = join(import.meta.dirname, '..', '..');
/** The folder to which processes write their notes. */
const folder = process.env.TEST_NOTES;
/** False in a run that keeps no records, for example in CI. Measuring only coverage costs a third less CPU time. */
const keepsRecords = process.env.TEST_RECORDS !== 'none';
/** The program as written by `bundleInPlace`. Each part of it starts with the name of its source. */
const bundle = join(root, 'node_modules', '.cache', 'palaver', 'program');
/** The files whose functions are recorded, for mutants. */
const isOurs = /^(server\/src|web)\//;
const { writeFileSync, rmSync, readFileSync, readdirSync, existsSync, statSync } = fs;

/** Folders that tests bundle code from. */
const BUNDLED = ['client', 'web', 'test/support/gallery'];
/** True in the process of test files, false in the processes that it starts. */
const isTest = process.env.TEST_NOTES_OWNER === String(process.ppid);
/** The folder for V8's counts, if the run measures coverage of this process. Coverage leaves out the bundled program. */
const counts = isTest || process.env.PALAVER_TEST_PROGRAM === undefined ? process.env.TEST_COUNTS : undefined;
/** True if tests kill processes. A process then writes notes after these times, which takes about 0.1 s of CPU. */
const mayBeKilled = process.env.TEST_KILLS !== undefined;
const NOTED_AT_MS = [1_000, 3_000, 7_000, 15_000];

let called = new Set();
let functions = new Set();
let read = new Set();

/**
 * The path below the root. Undefined for files outside it, and for packages, coverage results and Git's own
 * files.
 */
function pathOf(place) {
  const file = place instanceof URL ? place.pathname : String(place);
  const path = relative(root, resolve(file)).replaceAll(sep, '/');
  if (path.startsWith('..') || path === '' || /(^|\/)(node_modules|\.git|coverage)(\/|$)/.test(path)) return;
  // Build output depends on all sources in its folder.
  const built = /^(web|client)\/dist|^(dist)\//.exec(path);
  return built ? `${built[1] ?? 'server'}/` : path;
}

/** Records a file. `how` is `/` if the file is listed, and `?` if only its existence matters. */
function note(place, how = '') {
  if (typeof place !== 'string' && !(place instanceof URL)) return;
  const path = pathOf(place);
  // Node loads modules with the same functions, but modules are already in the import graph.
  if (/\.[mc]?[jt]sx?$/.test(place) && new Error().stack?.includes('node:internal/modules/')) return;
  if (path !== undefined) read.add(path.endsWith('/') ? path : path + how);
}

/** Wraps a function: passes its arguments to `before`, then calls it. */
function wrap(object, name, before) {
  const original = object[name];
  const wrapped = function (...args) {
    before(...args);
    return Reflect.apply(original, this, args);
  };
  object[name] = Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}

const noteGlob = (patterns, options) => {
  for (const pattern of [patterns].flat()) {
    const parts = String(pattern).split('/');
    const fixed = parts.slice(0, parts.findIndex((part) => /[*?{[]/.test(part)) >>> 0);
    note(resolve(String(options?.cwd ?? '.'), fixed.join('/')), fixed.length < parts.length ? '/' : '');
  }
};

/**
 * Records the repository's files that are among the arguments of a process. If the process's reads cannot be
 * recorded, records all sources.
 */
function noteProcess(program, args, environment) {
  const words = [program, ...args].map(String);
  for (const word of words.slice(1)) {
    const place = word.startsWith('file:') ? fileURLToPath(word) : word;
    if (place.startsWith(root) && existsSync(place)) note(place, statSync(place).isDirectory() ? '/' : '');
  }
  const isNode = /^(node|npm|npx)(\.exe|\.cmd)?$/.test(basename(program));
  const isTool = program.startsWith(join(root, 'node_modules')) && !isNode;
  const isUnseen = isNode && !environment.NODE_OPTIONS?.includes('watch.js');
  if (isTool) {
    const isBundler = basename(program) === 'esbuild' && isTest;
    for (const name of isBundler ? BUNDLED : [...BUNDLED, 'server', 'scripts', 'docs']) read.add(`${name}/`);
  }
  if (isUnseen && words.some((word) => word.startsWith(join(root, 'server')) || word.startsWith(bundle)))
    called.add('server/src/');
}

const environmentOf = (pairs) => Object.fromEntries((pairs ?? []).map((pair) => pair.split(/=(.*)/s, 2)));

function watchFiles() {
  const reads = ['readFile', 'open', 'copyFile', 'cp'];
  const asks = ['stat', 'lstat', 'access'];
  const wrapAll = (names, how) => {
    for (const name of names) {
      for (const each of [name, `${name}Sync`]) if (each in fs) wrap(fs, each, (place) => note(place, how));
      if (name in fs.promises) wrap(fs.promises, name, (place) => note(place, how));
    }
  };
  wrapAll([...reads, 'createReadStream'], '');
  wrapAll([...asks, 'exists'], '?');
  wrapAll(['readdir', 'opendir'], '/');
  for (const [object, name] of [
    [fs, 'glob'],
    [fs, 'globSync'],
    [fs.promises, 'glob'],
  ])
    if (name in object) wrap(object, name, noteGlob);
  wrap(childProcess.ChildProcess.prototype, 'spawn', ({ file, args, envPairs }) =>
    noteProcess(file, (args ?? []).slice(1), environmentOf(envPairs)),
  );
  const noteSync = (program, args, options) => {
    const list = Array.isArray(args) ? args : [];
    noteProcess(program, list, (Array.isArray(args) ? options : args)?.env ?? process.env);
  };
  for (const name of ['spawnSync', 'execFileSync']) wrap(childProcess, name, noteSync);
  syncBuiltinESMExports();
}

/** Sends a synchronous request to this process's inspector. */
function ask(session, method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** The parts of each bundled file, which is ASCII. Each part starts with a comment that names its source. */
const parts = new Map();
function partsOf(file) {
  let found = parts.get(file);
  if (found === undefined) {
    const matches = [...readFileSync(file, 'latin1').matchAll(/^\/\/ ([\w./-]+\.tsx?)$/gm)];
    found = { offsets: matches.map(({ index }) => index), sources: matches.map(([, source]) => source) };
    parts.set(file, found);
  }
  return found;
}

/** The source of an offset in a bundled file. */
function sourceIn(file, offset) {
  const { offsets, sources } = partsOf(file);
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle] <= offset) low = middle + 1;
    else high = middle;
  }
  return sources[low - 1];
}

/** Adds the functions that ran since the last call, and their files. Top-level module code does not matter. */
function addCalled(scripts) {
  for (const { url, functions: all } of scripts) {
    if (!url.startsWith('file:')) continue;
    const file = fileURLToPath(url.replace(/\?.*$/, ''));
    const isBundled = file.startsWith(bundle);
    const path = isBundled ? '' : pathOf(file);
    if (path === undefined) continue;
    const ran = all.filter(({ ranges: [range] }) => range.count > 0 && range.startOffset > 0);
    if (ran.length === 0) continue;
    for (const { functionName, ranges } of ran) {
      const source = isBundled ? sourceIn(file, ranges[0].startOffset) : path;
      if (source === undefined) continue;
      called.add(source);
      if (functionName !== '' && isOurs.test(source)) functions.add(`${source} ${functionName}`);
    }
  }
}

/**
 * False for scripts outside the repository or in packages, such as TypeScript. They do not load the server's
 * code.
 */
const mayRunServer = (script = root) =>
  script.startsWith(bundle) || (script.startsWith(root) && !script.startsWith(join(root, 'node_modules')));

function watch() {
  const session = new Session();
  session.connect();
  ask(session, 'Profiler.enable');
  // Without call counts, V8 reports a function only once and then runs it at full speed.
  ask(session, 'Profiler.startPreciseCoverage', { callCount: keepsRecords, detailed: Boolean(counts) });
  if (keepsRecords) watchFiles();
  let number = 0;
  const mark = join(folder, `${process.pid}.open`);
  const knownMark = join(folder, `${process.pid}.known`);
  /** The records since the last call. */
  const take = () => {
    const { result } = ask(session, 'Profiler.takePreciseCoverage');
    if (keepsRecords) addCalled(result);
    if (counts) {
      const ours = result.filter(({ url }) => url.includes('/server/src/'));
      writeFileSync(join(counts, `${process.pid}-${++number}.json`), JSON.stringify({ result: ours }));
    }
    const notes = { called: [...called], functions: [...functions], read: [...read] };
    [called, functions, read] = [new Set(), new Set(), new Set()];
    return notes;
  };
  const writeNotes = () =>
    writeFileSync(join(folder, `${process.pid}-${++number}.notes`), JSON.stringify(take()));
  /** Writes the records for the test process to read. After that, this process may be killed without losing any. */
  const write = () => {
    writeNotes();
    for (const each of [mark, knownMark]) rmSync(each, { force: true });
  };
  // `readdirSync` lists a folder without recording it as read.
  globalThis.testWatch = { take, write, readdirSync };
  if (isTest) return;
  // If the process is killed, the mark remains, which means that the process's dependencies are unknown.
  if (mayRunServer(process.argv[1])) writeFileSync(mark, '');
  process.on('exit', write);
  // Test processes send this signal before they stop the processes they started, except in tests of a kill.
  process.on('SIGUSR2', write);
  if (!keepsRecords || !mayBeKilled) return;
  // If the process is killed after this, the nouns that it used are known.
  for (const ms of NOTED_AT_MS)
    setTimeout(() => {
      if (!existsSync(mark)) return;
      writeNotes();
      writeFileSync(knownMark, '');
    }, ms).unref();
}

if (isMainThread && folder !== undefined && (keepsRecords || counts)) watch();
