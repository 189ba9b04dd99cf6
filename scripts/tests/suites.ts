import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The database engine of a run: the embedded one, which is always available, or PostgreSQL. */
export type Engine = 'sqlite' | 'postgres';

/** A test file, by its path below test/. */
export interface Suite {
  file: string;
  engines: readonly Engine[];
  /** True if the file mostly waits, and therefore runs in parallel with the CPU-bound files. */
  waits: boolean;
  /** True if the file needs the full Chromium and not just its headless shell. */
  chromium: boolean;
  /** True if coverage includes the servers that the file starts, which then run from their sources. */
  measured: boolean;
  /** True if processes that the file starts are killed. They therefore also write records while they run. */
  kills: boolean;
}

/** Test files, as paths below test/, that run on one engine in one process. */
export interface Job {
  files: readonly string[];
  engine: Engine;
}

const BOTH: readonly Engine[] = ['sqlite', 'postgres'];
/** Folders whose files run on the given engines, unless a file's first line says otherwise. */
const FOLDERS: Record<string, readonly Engine[]> = {
  browser: ['sqlite'],
  client: ['sqlite'],
  generators: ['sqlite'],
  web: ['sqlite'],
  nodes: ['postgres'],
  postgres: ['postgres'],
};
const ENGINES: Record<string, readonly Engine[]> = { sqlite: ['sqlite'], postgres: ['postgres'], both: BOTH };
/** A file kills processes if its path matches KILLING or its text contains KILL. */
const [KILLING, KILL] = [/^(faults|nodes)\/|kill/i, 'SIGKILL'];
const WORDS = ['waits', 'chromium', 'measured'] as const;
/**
 * The first line of a test file that needs options other than the defaults: `// @run sqlite, waits: locks the data
 * file`.
 */
const HEADER = /^\/\/ @run ([\w, ]+): .{10,}\n/;

/** Folders in which each file runs in its own process. */
const OWN = ['generators', 'nodes'];
/**
 * Groups of folders whose files share processes; all other folders form one group. Files share processes because loading
 * the server costs as much as running most files.
 */
const SHARES: Record<string, string> = { browser: 'browser', cli: 'programs', faults: 'programs' };
/**
 * Limits per process: no file is added beyond this many CPU seconds, or beyond this many files. Files with a browser may
 * share a process for longer, because starting Chromium costs as much as loading the server.
 */
const MOST_SECONDS = 20;
const MOST_BROWSER_SECONDS = 60;
const MOST_FILES = 12;
/** Estimated CPU seconds of files that have not been measured yet. */
const GUESS: Record<string, number> = {
  browser: 15,
  nodes: 12,
  cli: 4,
  faults: 4,
  generators: 15,
  properties: 3,
};

const tests = join(import.meta.dirname, '..', '..', 'test');
const folderOf = (file: string): string => file.split('/')[0] as string;

/** Parses a test file's first line. */
function suiteOf(file: string): Suite {
  const text = readFileSync(join(tests, file), 'utf8');
  const words = HEADER.exec(text)?.[1]?.split(', ') ?? [];
  const wrong = words.find((word) => !(word in ENGINES) && !(WORDS as readonly string[]).includes(word));
  if (wrong !== undefined || (words.length === 0 && text.startsWith('// @run')))
    throw new Error(
      `test/${file}: "// @run" needs one or more of ${[...Object.keys(ENGINES), ...WORDS]}, then ": " and a reason`,
    );
  const engine = words.find((word) => word in ENGINES);
  const [waits, chromium, measured] = WORDS.map((word) => words.includes(word)) as [
    boolean,
    boolean,
    boolean,
  ];
  const engines = ENGINES[engine ?? ''] ?? FOLDERS[folderOf(file)] ?? BOTH;
  return { file, engines, waits, chromium, measured, kills: KILLING.test(file) || text.includes(KILL) };
}

/** All test files, except those of installed packages. */
export const suites: readonly Suite[] = globSync('**/*.test.ts', { cwd: tests, exclude: ['**/node_modules'] })
  .sort()
  .map(suiteOf);

const byFile = new Map(suites.map((suite) => [suite.file, suite]));
const some = (is: (suite: Suite) => boolean) => (job: Job) =>
  job.files.some((file) => {
    const suite = byFile.get(file);
    return suite !== undefined && is(suite);
  });
export const isMeasured = some(({ measured }) => measured);
export const killsProcesses = some(({ kills }) => kills);
/** True if a file of the job needs the packages in `test/generators/package.json`. */
export const needsGenerators = some(({ file }) => folderOf(file) === 'generators');

/** The CPU and wall-clock seconds that a file took when it last passed. */
export type Times = (engine: Engine, file: string) => { cpu: number; seconds: number } | undefined;

const GUESSED = { cpu: 2, seconds: 0 };
/**
 * A file counts as waiting if its wall-clock time is above this multiple of its CPU time, and above this many seconds.
 */
const WAITS = 3;
const LEAST_WAIT = 10;

/** A job and how long it is expected to take, in seconds. */
export interface Planned extends Job {
  waits: boolean;
  cpu: number;
}

/** Distributes files to processes, with the longest first. */
export function planned(engine: Engine, files: readonly string[], times: Times): Planned[] {
  const groups = new Map<string, Planned[]>();
  for (const file of files) {
    const suite = byFile.get(file) as Suite;
    const folder = folderOf(file);
    const { cpu, seconds } = times(engine, file) ?? { ...GUESSED, cpu: GUESS[folder] ?? GUESSED.cpu };
    const waits = suite.waits || (seconds > LEAST_WAIT && seconds > WAITS * cpu);
    const isOwn = OWN.includes(folder) || waits;
    const name = `${isOwn ? file : (SHARES[folder] ?? '')} ${suite.chromium} ${suite.measured}`;
    const mostSeconds = folder === 'browser' ? MOST_BROWSER_SECONDS : MOST_SECONDS;
    const jobs = groups.get(name) ?? [];
    const last = jobs.at(-1);
    if (last && last.cpu + cpu <= mostSeconds && last.files.length < MOST_FILES)
      jobs.splice(-1, 1, { ...last, files: [...last.files, file], cpu: last.cpu + cpu });
    else jobs.push({ engine, files: [file], waits, cpu });
    groups.set(name, jobs);
  }
  return [...groups.values()].flat().sort((one, other) => other.cpu - one.cpu);
}
