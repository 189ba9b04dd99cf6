import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  globSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ask, createDatabase } from './databases.ts';
import { gone, until } from './process.ts';
import { freePort } from './valkeyServer.ts';

/** A PostgreSQL server started for this test, which may stop and kill it. */
export interface PostgresServer {
  /** The URL of a database to connect to in order to create others. */
  readonly url: string;
  readonly port: number;
  /**
   * Stops the server: `fast` as an operator would, `kill` as a crash would. Resolves once all of its processes have
   * ended.
   */
  stop(mode: 'fast' | 'kill'): Promise<void>;
  /** Starts the server again and resolves once it responds. */
  start(): Promise<void>;
  /** Turns a standby into the primary. */
  promote(): Promise<void>;
  /** Creates a database, empty or as a copy of the named one, and returns its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Stops the server and removes its folder. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** True if commits must survive a crash of the machine. False is faster. */
  durable?: boolean;
  /** The primary that this server follows as an asynchronous standby. */
  standbyOf?: PostgresServer;
}

/**
 * The environment variable that names a data folder created by `prepareCluster`. New servers start with a copy of it.
 */
export const CLUSTER = 'PALAVER_TEST_CLUSTER';

/** The longest time that a server may take to start. */
const SERVER_WAIT_MS = 60_000;
/** The longest time that the server's processes may take to notice that their parent was killed. */
const ORPHANS_END_MS = 5_000;
const COMMON_SETTINGS = ['listen_addresses=127.0.0.1', 'shared_buffers=64MB', 'max_connections=300'];
/** Data is neither durable nor replicated, and queries are not compiled, because most of them run once. */
const FAST_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'jit=off',
  'update_process_title=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'checkpoint_timeout=1d',
  'max_wal_size=4GB',
];

/**
 * A shell script that cleans up after the process that started it, however that process ends. It stops the
 * server by the last process id that it has read, and removes the server's folder.
 */
const GUARD = `trap '' INT TERM HUP
while read -r line; do pid=$line; done
[ -n "$pid" ] && kill -QUIT "$pid" && sleep 1
while [ -e "$1" ]; do rm -rf "$1"; sleep 0.1; done`;

/**
 * The folder with PostgreSQL's programs: the first one in PATH, or else Debian's newest. Undefined if there is none.
 */
export function postgresBinaries(): string | undefined {
  const versionOf = (folder: string) => Number(/\d+/.exec(folder)?.[0]);
  const newest = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => versionOf(b) - versionOf(a));
  return [...(process.env.PATH ?? '').split(delimiter), ...newest].find((folder) =>
    ['postgres', 'initdb'].every((program) => existsSync(join(folder, program))),
  );
}

/**
 * Creates a data folder in a new folder, and returns its path. `initdb` takes five times the CPU time of a copy. Throws if
 * PostgreSQL's programs are missing.
 */
export function prepareCluster(): string {
  const binaries = programsOfPostgres();
  const owner = unprivileged();
  const folder = newFolder('palaver-cluster-', owner);
  const data = join(folder, 'data');
  initialize(join(binaries, 'initdb'), data, { ...owner, cwd: folder });
  return data;
}

/** Starts a server in a new folder on a free port. Throws if its programs are missing or it does not respond. */
export async function startPostgres({
  durable = true,
  standbyOf,
}: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = programsOfPostgres();
  const owner = unprivileged();
  const folder = newFolder('palaver-postgres-', owner);
  const guard = startGuard(folder);
  const data = join(folder, 'data');
  const options = { ...owner, cwd: folder };
  const prepared = process.env[CLUSTER];
  if (standbyOf) copy(beside(join(binaries, 'postgres'), 'pg_basebackup'), standbyOf.url, data, options);
  else if (prepared) execFileSync('cp', ['-r', prepared, data], options);
  else initialize(join(binaries, 'initdb'), data, options);

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const flags = ['-D', data, '-p', String(port), ...flagsOf(folder, durable)];
  const log = join(folder, 'log');
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const started = spawnLogged(join(binaries, 'postgres'), flags, log, options);
    child = started;
    guard.stdin.write(`${started.pid}\n`);
    await until(() => started.exitCode !== null || answers(url), SERVER_WAIT_MS);
    if (started.exitCode !== null) throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`);
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child) return;
    const others = signal === 'SIGKILL' ? childrenOf(child.pid as number) : [];
    child.ref();
    child.kill(signal);
    await gone(child);
    child = undefined;
    guard.stdin.write('\n');
    await ended(others);
  };

  await start();
  return {
    url,
    port,
    start,
    stop: (mode) => end(mode === 'fast' ? 'SIGINT' : 'SIGKILL'),
    promote: async () => void (await ask(url, 'select pg_promote()')),
    createDatabase: (template) => createDatabase(url, template),
    async close() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
      guard.ref();
      guard.stdin.end();
      await once(guard, 'exit');
    },
  };
}

/** Starts the process that cleans up after this one. */
function startGuard(folder: string) {
  const guard = spawn('sh', ['-c', GUARD, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return guard;
}

function flagsOf(folder: string, durable: boolean): string[] {
  const settings = [
    ...COMMON_SETTINGS,
    `unix_socket_directories=${folder}`,
    ...(durable ? [] : FAST_SETTINGS),
  ];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Starts a process in its own process group. Its output is appended to the log. */
function spawnLogged(program: string, flags: readonly string[], log: string, options: object): ChildProcess {
  const output = openSync(log, 'a');
  const started = spawn(program, flags, { ...options, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  started.unref();
  return started;
}

/** Waits until these processes have ended, and kills them if they do not. */
const ended = (pids: readonly number[]): Promise<void> =>
  until(() => !pids.some(isRunning), ORPHANS_END_MS).catch(() => {
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });

function programsOfPostgres(): string {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('PostgreSQL is not installed');
  return binaries;
}

/** Creates a temporary folder that belongs to `owner` or, if undefined, to the current user. */
function newFolder(prefix: string, owner: ReturnType<typeof unprivileged>): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return folder;
}

/** The user for programs that refuse to run as root; undefined if the tests do not run as root. */
export function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres:', 'nobody:']
    .map((name) => users.find((user) => user.startsWith(name)))
    .find(Boolean);
  const [, , uid, gid] = (line ?? '').split(':');
  if (!uid) throw new Error('the tests run as root, and there is no user "nobody" for PostgreSQL');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Creates the data folder, with the C collation, which is the same on every machine. */
function initialize(program: string, data: string, options: object): void {
  const by = (locale: string) =>
    execFileSync(
      program,
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, '--no-sync'],
      { ...options, stdio: 'pipe' },
    );
  try {
    by('C.UTF-8');
  } catch {
    by('C');
  }
}

/**
 * The path of another program from the same installation, because PATH may contain links to only some of the
 * programs.
 */
const beside = (program: string, other: string): string => join(dirname(realpathSync(program)), other);

/** Creates the data folder of a standby. */
function copy(program: string, url: string, data: string, options: object): void {
  const flags = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync'];
  execFileSync(program, ['-d', url, '-D', data, ...flags], { ...options, stdio: 'pipe' });
}

const answers = (url: string): Promise<boolean> =>
  ask(url, 'select 1').then(
    () => true,
    () => false,
  );

/** The child processes of a process; empty if the system does not list them. */
function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

/** False for a process that has ended, even if it is still a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
