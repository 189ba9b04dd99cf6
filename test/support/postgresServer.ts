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
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ask, createDatabase } from './databases.ts';
import { gone, until } from './process.ts';
import { freePort } from './valkeyServer.ts';

/** A PostgreSQL of a test's own, which it may stop and kill. */
export interface PostgresServer {
  /** Leads to a database that is there for making others. */
  readonly url: string;
  readonly port: number;
  /** `fast` as an operator stops it; `kill` as a crash ends it. Returns once no process of it is left. */
  stop(mode: 'fast' | 'kill'): Promise<void>;
  /** Starts it again, and returns once it answers. */
  start(): Promise<void>;
  /** Makes a database, empty or as a copy of the one named, and gives its URL. */
  createDatabase(template?: string): Promise<string>;
  /** Ends it and removes all that it has written. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Whether what is committed outlives a crash of the machine; without, it is quicker. */
  durable?: boolean;
}

/** How long a server may take, in milliseconds, to answer or to end. */
const PATIENCE_MS = 60_000;
/** How long its processes may take, in milliseconds, to notice that the first of them was killed. */
const ORPHANED_MS = 5_000;
const ALWAYS = ['listen_addresses=127.0.0.1', 'shared_buffers=64MB', 'max_connections=300'];
const QUICK = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off'];

/**
 * Outlives the process that started it, by whatever that ends, and then ends the server whose number it was told last and
 * removes its folder.
 */
const GUARD = `trap '' INT TERM HUP
while read -r line; do pid=$line; done
[ -n "$pid" ] && kill -QUIT "$pid" && sleep 1
while [ -e "$1" ]; do rm -rf "$1"; sleep 0.1; done`;

/** The folder of PostgreSQL's programs: the first in PATH, or else the newest of Debian's; undefined where there is none. */
export function postgresBinaries(): string | undefined {
  const versionOf = (folder: string) => Number(/\d+/.exec(folder)?.[0]);
  const newest = globSync('/usr/lib/postgresql/*/bin').sort((a, b) => versionOf(b) - versionOf(a));
  return [...(process.env.PATH ?? '').split(delimiter), ...newest].find((folder) =>
    ['postgres', 'initdb'].every((program) => existsSync(join(folder, program))),
  );
}

/** Starts a server with a new folder on a free port. Throws where its programs are missing or it does not answer. */
export async function startPostgres({ durable = true }: PostgresOptions = {}): Promise<PostgresServer> {
  const binaries = postgresBinaries();
  if (!binaries) throw new Error('there are no programs of PostgreSQL');
  const owner = unprivileged();
  const folder = mkdtempSync(join(tmpdir(), 'palaver-postgres-'));
  const guard = spawn('sh', ['-c', GUARD, 'guard', folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  initialize(join(binaries, 'initdb'), data, { ...owner, cwd: folder });

  const port = await freePort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = [...ALWAYS, `unix_socket_directories=${folder}`, ...(durable ? [] : QUICK)];
  const flags = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
  const log = join(folder, 'log');
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const output = openSync(log, 'a');
    const started = spawn(join(binaries, 'postgres'), flags, {
      ...owner,
      cwd: folder,
      detached: true,
      stdio: ['ignore', output, output],
    });
    closeSync(output);
    started.unref();
    child = started;
    guard.stdin.write(`${started.pid}\n`);
    await until(() => started.exitCode !== null || answers(url), PATIENCE_MS);
    if (started.exitCode !== null) throw new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8')}`);
  };

  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child) return;
    child.ref();
    const others = signal === 'SIGKILL' ? childrenOf(child.pid as number) : [];
    child.kill(signal);
    await gone(child);
    child = undefined;
    guard.stdin.write('\n');
    await until(() => !others.some(isRunning), ORPHANED_MS).catch(() => {
      for (const pid of others) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    });
  };

  await start();
  return {
    url,
    port,
    start,
    stop: (mode) => end(mode === 'fast' ? 'SIGINT' : 'SIGKILL'),
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

/** PostgreSQL refuses to run as root: whom it is to run as instead. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const line = ['postgres:', 'nobody:']
    .map((name) => users.find((user) => user.startsWith(name)))
    .find(Boolean);
  const [, , uid, gid] = (line ?? '').split(':');
  if (!uid) throw new Error('PostgreSQL does not run as root, and there is no user "nobody"');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Makes the folder of the data, with the order of characters that is the same everywhere. */
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

const answers = (url: string): Promise<boolean> =>
  ask(url, 'select 1').then(
    () => true,
    () => false,
  );

/** The processes that a process has started; none where the machine does not tell. */
function childrenOf(pid: number): number[] {
  const list = `/proc/${pid}/task/${pid}/children`;
  return existsSync(list) ? readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number) : [];
}

/** False for one that has ended, also where nobody has taken note of its end. */
function isRunning(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
