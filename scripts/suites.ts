import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The database engine of a run: the embedded one, always available, or PostgreSQL, which may not be. */
export type Engine = 'sqlite' | 'postgres';

/**
 * Suites that run on one engine only: the beginning of their path under test/, the engine and the reason. All others
 * run on both.
 */
const alone: readonly [name: string, engine: Engine, why: string][] = [
  ['attacks/head', 'sqlite', 'tests code that runs before any data are read'],
  ['attacks/hooks.log', 'sqlite', 'tests code that runs before any data are read'],
  ['attacks/hosts', 'sqlite', 'tests code that runs before any data are read'],
  ['attacks/metrics', 'sqlite', 'tests code that runs before any data are read'],
  ['attacks/people.paths', 'sqlite', 'tests code that runs before any data are read'],
  ['attacks/restore', 'sqlite', 'changes the backup of a data file'],
  ['attacks/search.index', 'sqlite', 'is about the index of the search on SQLite'],
  ['attacks/stalled', 'sqlite', 'tests code that runs after all data are read'],
  ['attacks/streams', 'sqlite', 'tests code that runs after all data are read'],
  ['attacks/unread.user', 'sqlite', 'tests code that runs after all data are read'],
  ['browser/', 'sqlite', 'is about pages, which are the same on every engine'],
  ['cli/backup', 'sqlite', 'copies the data file'],
  ['cli/config', 'sqlite', 'opens no data'],
  ['cli/dependencies', 'sqlite', 'opens no data'],
  ['cli/doctor.postgres', 'postgres', 'is about PostgreSQL'],
  ['cli/doctor.test', 'sqlite', 'damages the data file'],
  ['cli/doctor.valkey', 'sqlite', 'is about Valkey'],
  ['cli/executable', 'sqlite', 'is about the file that holds the program'],
  ['cli/hints', 'sqlite', 'opens no data'],
  ['cli/log', 'sqlite', 'is about the lines of the log'],
  ['cli/migrate', 'postgres', 'moves data between both engines'],
  ['cli/package', 'sqlite', 'is about the files of the package'],
  ['cli/remote', 'sqlite', 'asks over HTTP, for which every engine is the same'],
  ['cli/restore.log', 'sqlite', 'is about the log beside the data file'],
  ['cli/shell', 'sqlite', 'opens no data'],
  ['cli/start.files', 'sqlite', 'looks at the data folder'],
  ['client/', 'sqlite', 'is about the client, for which every engine is the same'],
  ['faults/authors', 'sqlite', 'is about the index of authors on SQLite'],
  ['faults/busy', 'sqlite', 'locks the data file'],
  ['faults/durable', 'sqlite', 'is about the sync of the data file'],
  ['faults/files', 'sqlite', 'damages the data file'],
  ['faults/folder', 'sqlite', 'is about the permissions of the data folder'],
  ['faults/migrate', 'postgres', 'moves data between both engines'],
  ['faults/storage', 'sqlite', 'fills the data file'],
  ['faults/valkey', 'sqlite', 'opens no data'],
  ['files/memory', 'sqlite', 'measures what no database changes'],
  ['files/slow', 'sqlite', 'tests code that runs before any data are written'],
  ['generators/', 'sqlite', 'is about what others make of the document, which is the same on every engine'],
  ['nodes/', 'postgres', 'is about several nodes on one PostgreSQL'],
  ['running/alertmanager', 'sqlite', 'is about what another program sends'],
  ['running/connections', 'sqlite', 'opens no data'],
  ['running/deploy', 'sqlite', 'is about files, and asks for the health alone'],
  ['running/docs', 'sqlite', 'asks for pages, which are the same on every engine'],
  ['running/eventSource', 'sqlite', 'is about clients, for which every engine is the same'],
  ['running/guides', 'sqlite', 'asks over HTTP, for which every engine is the same'],
  ['running/loaded', 'sqlite', 'counts what a node on the data folder loads'],
  ['running/memory', 'sqlite', 'sends more than PostgreSQL takes in a few seconds'],
  ['running/parser', 'sqlite', 'tests code that runs before any data are read'],
  ['perform/compressed', 'sqlite', 'opens no data'],
  ['perform/live', 'sqlite', 'opens no data'],
  ['perform/tail', 'sqlite', 'opens no data'],
  ['postgres/', 'postgres', 'is about the engine on PostgreSQL'],
  ['running/shared', 'sqlite', 'tests the counters that nodes share in Valkey'],
  ['running/promises', 'sqlite', 'compares documents'],
  ['running/runs', 'sqlite', 'opens no data'],
  ['running/sbom', 'sqlite', 'opens no data'],
  ['running/slow', 'sqlite', 'tests code that runs before any data are read'],
  ['running/streams', 'sqlite', 'tests code that runs after all data are read'],
  ['running/web', 'sqlite', 'is about files, which are the same on every engine'],
  ['running/webShell', 'sqlite', 'is about files, which are the same on every engine'],
  ['properties/hooks', 'sqlite', 'is about texts, before any data are written'],
  ['properties/limiter', 'sqlite', 'opens no data'],
  ['spec/hooks.formats', 'sqlite', 'is about texts, before any data are written'],
  ['spec/hooks.markup', 'sqlite', 'is about texts, before any data are written'],
  ['spec/keys.file', 'sqlite', 'is about the file of the key in the data folder'],
  ['spec/limits', 'sqlite', 'tests code that runs before any data are read'],
  ['sweeps/channel', 'sqlite', 'is about the index of the search on SQLite'],
  ['web/', 'sqlite', 'opens no data'],
];

/** Suites of those folders that run on both engines after all: they go from the pages down to the data. */
const onBoth: readonly string[] = ['browser/web/journey'];

/** Slow files, roughly the slowest first: a slow file that starts last would prolong the run. */
const long: readonly string[] = [
  'browser/',
  'nodes/revocation',
  'nodes/feed.authority',
  'nodes/start',
  'nodes/feed.test',
  'nodes/feed.webhooks',
  'sweeps/process',
  'properties/',
  'spec/',
  'attacks/',
  'files/',
  'postgres/',
  'cli/migrate.refusals',
  'faults/kill',
  'faults/migrate',
  'fuzz/',
  'faults/start',
  'nodes/load',
  'nodes/frozen',
  'nodes/failover',
  'nodes/migration',
  'postgres/pgbouncer',
  'cli/start',
  'nodes/',
  'attacks/unread.test',
  'running/memory',
  'generators/clients',
  'generators/prism',
  'generators/postman',
  'attacks/timing',
  'cli/doctor.test',
  'client/package',
  'cli/package',
  'cli/executable',
  'running/guides.bot',
  'running/loaded',
  'running/stop',
];

/** Files that mostly wait: they use little CPU, and run beside the others. */
const waiting: readonly string[] = [
  'nodes/limits',
  'files/slow',
  'attacks/stalled',
  'nodes/silence',
  'nodes/proxies',
  'nodes/clock',
  'nodes/tickets',
  'postgres/away',
  'postgres/pool',
  'postgres/servers',
  'running/alertmanager',
  'faults/webhooks',
  'running/eventSource',
  'running/slow',
  'running/runs',
  'cli/doctor.valkey',
  'running/streams',
  'properties/limiter.shared',
  'faults/busy',
  'faults/valkey.limits',
  'spec/webhooks.failing',
];

/**
 * Folders whose files share a process, and how many of them: loading the code takes longer than most of these files. They keep what
 * they change to their own worlds. More files in one would leave the last process alone at the end of a run. Files that the
 * tables above name have one of their own; a folder that stands in both is only to start early.
 */
const together: readonly { names: readonly string[]; most: number }[] = [
  // They share a browser, too: the first ones all of Chromium, the others its shell.
  {
    names: [
      'browser/web/composerOutbox',
      'browser/web/journey',
      'browser/web/panelsNews',
      'browser/web/shell',
    ],
    most: 5,
  },
  { names: ['browser/'], most: 5 },
  // Longer ones.
  { names: ['client/', 'fuzz/', 'running/', 'properties/'], most: 7 },
  { names: ['cli/', 'faults/'], most: 5 },
  {
    names: [
      'attacks/',
      'files/',
      'perform/',
      'postgres/',
      'scenarios/',
      'schema/',
      'spec/',
      'sweeps/',
      'web/',
    ],
    most: 12,
  },
];

/**
 * Suites whose runs are counted for the coverage of an engine. V8 runs code slower while it counts, and the others run
 * the same lines again.
 */
const counted: Record<Engine, readonly string[]> = {
  sqlite: ['cli/', 'running/', 'perform/', 'scenarios/', 'schema/', 'spec/', 'sweeps/'],
  postgres: ['cli/doctor.postgres', 'postgres/', 'schema/', 'spec/', 'sweeps/'],
};

/** Files whose servers are counted, too: some lines are reached only by a process of its own. Others start it from a bundle, which is not counted. */
const countedServers: readonly string[] = ['cli/start', 'running/stop', 'running/probes'];

/** Test files, as paths under test/, to run on an engine in one process. */
export interface Job {
  files: readonly string[];
  engine: Engine;
}

const tests = join(import.meta.dirname, '..', 'test');

const begins = (names: readonly string[]) => (file: string) => names.some((name) => file.startsWith(name));

const folders = together.flatMap(({ names }) => names);
const isOwn = begins([...long, ...waiting].filter((name) => !folders.includes(name)));

// Packages have tests of their own.
const files = globSync('**/*.test.ts', { cwd: tests, exclude: ['**/node_modules'] }).sort();
const named = [
  ...alone.map(([name]) => name),
  ...onBoth,
  ...long,
  ...waiting,
  ...folders,
  ...Object.values(counted).flat(),
  ...countedServers,
];
for (const name of named) {
  if (!files.some((file) => file.startsWith(name))) throw new Error(`there are no tests like ${name}`);
}

/** The first row of the table that names a file. */
const rowOf = (file: string) => together.find(({ names }) => begins(names)(file));

/** The files that run on an engine, all or those that begin with one of `names`, in the order in which to start them. */
export function jobsOn(engine: Engine, names: readonly string[]): Job[] {
  const isOn = (file: string) =>
    begins(onBoth)(file) || alone.every(([name, only]) => only === engine || !file.startsWith(name));
  const isNamed = (file: string) => names.length === 0 || begins(names)(file);
  const chosen = files.filter((file) => isNamed(file) && isOn(file));
  const groups = together.flatMap((row) => {
    const { most } = row;
    const shared = chosen.filter((file) => rowOf(file) === row && !isOwn(file));
    return Array.from({ length: Math.ceil(shared.length / most) }, (_, index) =>
      shared.slice(index * most, (index + 1) * most),
    );
  });
  const own = chosen.filter((file) => !groups.some((group) => group.includes(file)));
  return [...groups, ...own.map((file) => [file])].map((files) => ({ files, engine }));
}

/** True if the files mostly wait. */
export const isWaiting = ({ files }: Job): boolean => files.every(begins(waiting));

/** True if a file needs the packages of `test/generators/package.json`. */
export const needsGenerators = ({ files }: Job): boolean => files.some(begins(['generators/']));

/** Suites of which no file starts the program, or hardly one. */
const withoutProgram = begins([
  'fuzz/',
  'perform/',
  'properties/',
  'scenarios/',
  'schema/',
  'spec/',
  'sweeps/',
  'web/',
]);

/** True if files start processes of Palaver. */
export const startsProgram = ({ files }: Job): boolean => files.some((file) => !withoutProgram(file));

/** True if the files are counted for coverage. */
export const isCounted = ({ files, engine }: Job): boolean => files.some(begins(counted[engine]));

/** True if the processes of Palaver that the files start are counted, too. */
export const countsServers = (job: Job): boolean => isCounted(job) && job.files.some(begins(countedServers));

/** Sorts slow files to the front. */
export function inOrder(jobs: readonly Job[]): Job[] {
  const placeOf = ({ files }: Job) => {
    const place = [...long, ...waiting].findIndex((name) => files[0]?.startsWith(name));
    return place === -1 ? Number.POSITIVE_INFINITY : place;
  };
  return jobs.toSorted((one, other) => placeOf(one) - placeOf(other) || 0);
}
