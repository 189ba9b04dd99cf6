import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataConfig } from '../../server/src/node/data.ts';
import { atEnd } from './atEnd.ts';
import { Commands } from './commands.ts';
import { type Database, engine, newDatabase } from './databases.ts';
import type { Loaded } from './loadedPackages.ts';
import { unlimited } from './unlimited.ts';
import type { Json } from './world.ts';

const program = join(import.meta.dirname, '..', '..', 'server', 'bin', 'palaver.js');
/** A bundle of the program, if the test run has created one: it starts faster. */
const bundled = process.env.PALAVER_TEST_PROGRAM;

export type Environment = Record<string, string>;

/** Makes standard output and standard error count as a terminal. */
export const onTerminal = { NODE_OPTIONS: `--import=${import.meta.resolve('./terminal.ts')}` };

/** Commands that print, change or read something and exit. They may share a process. */
const sharing =
  'audit backup completion config doctor export flow import key mail member migrate restore secret server user'.split(
    ' ',
  );

/** The longest time until a process prints its address. */
const START_MS = 60_000;

/** The result of a command that has ended. */
export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A running `palaver start`. */
export interface Running {
  readonly url: string;
  readonly child: ChildProcess;
  /** Everything on standard output so far. */
  output(): string;
  /** Everything on standard error so far: the log. */
  log(): string;
  /** The key from a first run. */
  readonly key: string;
  /** The channel in the curl command that a first run prints. */
  readonly channelId: string;
  /** Sends a signal and resolves with the exit code, or null if the signal ended the process. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** All files of this process share one process for commands, which loads modules only once. */
const commands = new Commands();
atEnd(() => commands.close());

/** Processes, folders and databases of a test file; `close` removes them all. */
export class Stage {
  readonly #folders: string[] = [];
  readonly #databases = new Map<string, Promise<Database>>();
  readonly #children = new Set<ChildProcess>();

  /** Creates a temporary folder. */
  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'palaver-'));
    this.#folders.push(folder);
    return folder;
  }

  /**
   * The location of the data for this data folder: the folder itself, or on PostgreSQL its own database. This way, a
   * test is the same on both engines.
   */
  async place(folder: string): Promise<DataConfig> {
    const data = resolve(folder);
    if (!this.#databases.has(data)) this.#databases.set(data, newDatabase('empty'));
    const { url } = (await this.#databases.get(data)) as Database;
    return { data, database: url, secretKey: '' };
  }

  /**
   * The arguments and environment for a command: this process's environment, the database of its data folder, and the
   * given variables. `--data` would win over that database, so the variable names the folder instead.
   */
  async #callOf(
    args: readonly string[],
    given: Environment,
  ): Promise<{ args: readonly string[]; env: Environment }> {
    const at = args.indexOf('--data');
    const named = at >= 0 ? args[at + 1] : given.PALAVER_DATA;
    const { database = '' } = named && engine === 'postgres' ? await this.place(named) : {};
    const isMoved = at >= 0 && database !== '' && given.DATABASE_URL === undefined;
    const environment: Environment = {
      ...inherited(),
      ...(database && { DATABASE_URL: database }),
      ...(isMoved && { PALAVER_DATA: named as string }),
      ...given,
    };
    // The options in `given`, and the options of the test run, which records what its processes do.
    const options = [given.NODE_OPTIONS, watching()].filter(Boolean).join(' ');
    const env =
      options === '' || given.LOADED_PACKAGES ? environment : { ...environment, NODE_OPTIONS: options };
    return { args: isMoved ? args.toSpliced(at, 2) : args, env };
  }

  /** Starts the program without waiting until it listens. */
  async spawn(
    words: readonly string[],
    given: Environment = {},
    node = process.execPath,
  ): Promise<ChildProcess> {
    const { args, env } = await this.#callOf(words, given);
    const needsSources = env.LOADED_PACKAGES || env.NEXT_MIGRATION || node !== process.execPath;
    const script = needsSources ? program : (bundled ?? program);
    const child = spawn(node, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
    this.#children.add(child);
    child.once('exit', () => this.#children.delete(child));
    return child;
  }

  /** Runs one command to completion, in a process shared with other commands, unless it needs its own. */
  async run(args: readonly string[], environment: Environment = {}): Promise<Outcome> {
    // Node reads its own variables only when a process starts.
    const mayShare =
      sharing.includes(args[0] as string) &&
      !Object.keys(environment).some((name) => name.startsWith('NODE_'));
    const given = await this.#callOf(args, environment);
    return mayShare && !commands.isBusy
      ? commands.run(given.args, given.env)
      : this.runAlone(args, environment);
  }

  /** Runs one command to completion, in its own process. */
  async runAlone(args: readonly string[], environment: Environment = {}): Promise<Outcome> {
    const child = await this.spawn(args, environment);
    const [stdout, stderr] = [collect(child, 'stdout'), collect(child, 'stderr')];
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, stdout: stdout(), stderr: stderr() };
  }

  /** The environment in which a process records what it has loaded. Call `loaded` after the process has exited. */
  watch(): { environment: Environment; loaded(): Loaded } {
    const file = join(this.folder(), 'loaded');
    return {
      environment: {
        NODE_OPTIONS: `--import=${import.meta.resolve('./loadedPackages.ts')}`,
        LOADED_PACKAGES: file,
      },
      loaded: () => JSON.parse(readFileSync(file, 'utf8')),
    };
  }

  /**
   * Starts a server on a free port, without limits unless the environment sets them. If the environment names a
   * database, the folder is passed as a variable, because `--data` would win over the database.
   */
  async start(
    folder: string,
    { args = [], environment = {} }: { args?: string[]; environment?: Environment } = {},
  ): Promise<Running> {
    const place = environment.DATABASE_URL ? [] : ['--data', folder];
    const variables = { ...unlimited, PALAVER_DATA: folder, ...environment };
    return this.listening(await this.spawn(['start', ...place, '--port', '0', ...args], variables));
  }

  /** Waits until a spawned server has printed its address. */
  async listening(child: ChildProcess): Promise<Running> {
    const [output, log] = [collect(child, 'stdout'), collect(child, 'stderr')];
    const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS);
    const started = new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', () => {
        if (/^Documentation: \S+\n/m.test(output())) resolve();
      });
      child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${log()}`)));
    });
    // A pending timer would keep the process of the tests alive.
    await started.finally(() => clearTimeout(deadline));
    return {
      url: /running at (\S+)/.exec(output())?.[1] as string,
      child,
      output,
      log,
      get key() {
        return /sk_live_\w+/.exec(output())?.[0] as string;
      },
      get channelId() {
        return /"channelId": "([^"]+)"/.exec(output())?.[1] as string;
      },
      async end(signal = 'SIGTERM') {
        child.kill(signal);
        return gone(child);
      },
    };
  }

  /** Ends every process and removes every folder and database. */
  async close(): Promise<void> {
    const children = [...this.#children];
    await Promise.all(children.map(noted));
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map(gone));
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
    for (const database of this.#databases.values()) await (await database).drop();
  }
}

/** The longest time that a process may take to write its notes before it is killed. */
const NOTED_MS = 1_000;

/** If the test run tracks which files processes use, asks a process to write its notes, and waits up to a second. */
async function noted({ pid, exitCode, signalCode }: ChildProcess): Promise<void> {
  const mark = join(process.env.TEST_NOTES ?? '', `${pid}.open`);
  if (!watching() || exitCode !== null || signalCode !== null || !existsSync(mark)) return;
  process.kill(pid as number, 'SIGUSR2');
  const deadline = performance.now() + NOTED_MS;
  while (existsSync(mark) && performance.now() < deadline) await sleep(5);
}

/** Waits until a process has ended and returns its exit code, or null if a signal ended it. */
export async function gone(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/**
 * The environment without the variables of Palaver and Node, except NODE_COMPILE_CACHE and the option from
 * `watching`.
 */
export function inherited(): Environment {
  const ours = /^(PALAVER_|DATABASE_URL$|REDIS_URL$|NODE_(?!COMPILE_CACHE))/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  const options = watching();
  return { ...Object.fromEntries(kept), ...(options && { NODE_OPTIONS: options }) } as Environment;
}

/** The Node option with which the test run makes this process write records. */
function watching(): string | undefined {
  return /--import=\S+\/watch\.js/.exec(process.env.NODE_OPTIONS ?? '')?.[0];
}

export function collect(child: ChildProcess, stream: 'stdout' | 'stderr'): () => string {
  let text = '';
  child[stream]?.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  return () => text;
}

/** Sends a request to a running server and returns the response. */
export async function call(
  { url }: Pick<Running, 'url'>,
  method: string,
  path: string,
  { key, body, headers = {} }: { key?: string; body?: unknown; headers?: Environment } = {},
): Promise<{ status: number; headers: Headers; text: string; body: Json }> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson ? JSON.parse(text) : undefined,
  };
}

/**
 * Calls `holds` every `step` milliseconds until it returns true. Throws after `patience` milliseconds. The default is
 * enough for a busy machine.
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  patience = 20_000,
  step = 20,
): Promise<void> {
  const deadline = performance.now() + patience;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`the condition did not hold within ${patience} ms`);
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}
