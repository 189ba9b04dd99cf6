// A preload (`node --import`) of every process that tests start, in plain JavaScript for any Node. It notes what tests depend on: the
// functions of the repository that ran, by file, and the files that were read, listed or started.
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
/** The folder to which they write V8's counts, if the run wants its coverage. */
const counts = process.env.TEST_COUNTS;
/** False in a run that keeps no records, such as one of CI: coverage alone then costs a third less processor time. */
const keepsRecords = process.env.TEST_RECORDS !== 'none';
/** The program as `bundleInPlace` writes it, whose parts begin with the names of their sources. */
const bundle = join(root, 'node_modules', '.cache', 'palaver', 'program');
const { writeFileSync, rmSync, readFileSync, existsSync, statSync } = fs;

let called = new Set();
let read = new Set();

/** The path below the root, or undefined outside of it or where packages and results are. */
function pathOf(place) {
  const file = place instanceof URL ? place.pathname : String(place);
  const path = relative(root, resolve(file)).replaceAll(sep, '/');
  if (path.startsWith('..') || path === '' || /(^|\/)(node_modules|\.git|coverage)(\/|$)/.test(path)) return;
  // What was built there depends on all sources of its folder.
  const built = /^(web|client)\/dist|^(dist)\//.exec(path);
  return built ? `${built[1] ?? 'server'}/` : path;
}

/** With `how` as `/` for what is listed, and as `?` if it only matters whether the file is there. */
function note(place, how = '') {
  if (typeof place !== 'string' && !(place instanceof URL)) return;
  const path = pathOf(place);
  // Node loads modules by the same functions; the graph of imports knows these.
  if (/\.[mc]?[jt]sx?$/.test(place) && new Error().stack?.includes('node:internal/modules/')) return;
  if (path !== undefined) read.add(path.endsWith('/') ? path : path + how);
}

/** Replaces a function by one that first notes its argument. */
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

/** Notes the repository's files among the arguments of a process, and the sources where nobody can tell what it reads. */
function noteProcess(program, args, environment) {
  const words = [program, ...args].map(String);
  for (const word of words.slice(1)) {
    const place = word.startsWith('file:') ? fileURLToPath(word) : word;
    if (place.startsWith(root) && existsSync(place)) note(place, statSync(place).isDirectory() ? '/' : '');
  }
  const isNode = /^(node|npm|npx)(\.exe|\.cmd)?$/.test(basename(program));
  const isTool = program.startsWith(join(root, 'node_modules')) && !isNode;
  const isUnseen = isNode && !environment.NODE_OPTIONS?.includes('watch.js');
  if (isTool) for (const name of ['server', 'client', 'web', 'scripts', 'docs']) read.add(`${name}/`);
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

/** A question to the inspector of this process; it answers at once. */
function ask(session, method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw error;
    answer = result;
  });
  return answer;
}

/** The sources of a bundled file with a function that ran: each part begins with a comment that names its source. */
function* sourcesIn(file, offsets) {
  const text = readFileSync(file, 'utf8');
  const parts = [...text.matchAll(/^\/\/ ([\w./-]+\.tsx?)$/gm)];
  for (const offset of offsets) {
    const part = parts.findLast(({ index }) => index <= offset);
    if (part) yield part[1];
  }
}

/** Adds the files with a function that ran since the last time; a module's own code does not count. */
function addCalled(scripts) {
  for (const { url, functions } of scripts) {
    if (!url.startsWith('file:')) continue;
    const file = fileURLToPath(url.replace(/\?.*$/, ''));
    const isBundled = file.startsWith(bundle);
    const path = isBundled ? '' : pathOf(file);
    if (path === undefined) continue;
    const ran = functions.flatMap(({ ranges: [range] }) =>
      range.count > 0 && range.startOffset > 0 ? [range.startOffset] : [],
    );
    if (ran.length === 0) continue;
    if (isBundled) for (const source of sourcesIn(file, ran)) called.add(source);
    else called.add(path);
  }
}

function watch() {
  const session = new Session();
  session.connect();
  ask(session, 'Profiler.enable');
  // Without call counts a function is reported once, and then runs at full speed.
  ask(session, 'Profiler.startPreciseCoverage', { callCount: keepsRecords, detailed: Boolean(counts) });
  if (keepsRecords) watchFiles();
  let number = 0;
  const mark = join(folder, `${process.pid}.open`);
  /** What was noted since the last time. */
  const take = () => {
    const { result } = ask(session, 'Profiler.takePreciseCoverage');
    if (keepsRecords) addCalled(result);
    if (counts) {
      const ours = result.filter(({ url }) => url.includes('/server/src/'));
      writeFileSync(join(counts, `${process.pid}-${++number}.json`), JSON.stringify({ result: ours }));
    }
    const notes = { called: [...called], read: [...read] };
    [called, read] = [new Set(), new Set()];
    return notes;
  };
  /** Writes what was noted for the test process to read; then the end of this process loses nothing. */
  const write = () => {
    writeFileSync(join(folder, `${process.pid}-${++number}.notes`), JSON.stringify(take()));
    rmSync(mark, { force: true });
  };
  globalThis.testWatch = { take, write };
  if (process.env.TEST_NOTES_OWNER === String(process.ppid)) return;
  // A process that is killed leaves the mark: nobody knows what it did.
  writeFileSync(mark, '');
  process.on('exit', write);
  // Asked before a kill that is no part of a test.
  process.on('SIGUSR2', write);
}

if (isMainThread && folder !== undefined && (keepsRecords || counts)) watch();
