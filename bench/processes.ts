import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The core to which servers under measurement are pinned. */
export const SERVER_CORE = '0';
const root = join(import.meta.dirname, '..');

/** A server under measurement, pinned to its core. */
export interface Running {
  url: string;
  pid: number;
  /** Output before the server was listening. */
  output: string;
  /** Milliseconds from the start of the process until it was listening. */
  startMs: number;
  /** Resident memory now, in bytes. */
  memory(): number;
  /** CPU seconds used so far. */
  cpu(): number;
  stop(): Promise<void>;
}

/**
 * Starts a script, by its path in the repository or an absolute one, on the server's core or another one, and waits
 * for the line with its address.
 */
export async function startOnServerCore(
  script: string,
  args: string[],
  environment: Record<string, string> = {},
  core = SERVER_CORE,
): Promise<Running> {
  const from = performance.now();
  // `--data` would override the database, so the variable sets the folder instead.
  const at = environment.DATABASE_URL ? args.indexOf('--data') : -1;
  const place: Record<string, string> = at >= 0 ? { PALAVER_DATA: args[at + 1] as string } : {};
  const words = at >= 0 ? args.toSpliced(at, 2) : args;
  const child: ChildProcess = spawn(
    'taskset',
    ['-c', core, process.execPath, resolve(root, script), ...words],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PALAVER_LOG_LEVEL: 'warn', ...place, ...environment },
    },
  );
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      // Uses the address that the server listens on, regardless of the host name it prints.
      const address = /http:\/\/(?:[\d.]+|localhost):\d+/.exec(output)?.[0].replace('localhost', '127.0.0.1');
      // On the first run the key follows the address, in the same chunk or the next.
      if (address && (!output.includes('API key') || output.includes('curl'))) resolve(address);
    });
    child.on('exit', (code) => reject(new Error(`${script} exited with ${code}`)));
  });
  const startMs = performance.now() - from;
  return {
    url,
    pid: child.pid as number,
    output,
    startMs,
    memory: () =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) * 1024,
    cpu: () => cpuOf(child.pid as number),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** The longest time that a server may be busy without requests, for example with indexing. */
const MAX_BUSY_SECONDS = 600;

/** Resolves once a server has used less than a tenth of its core for a second. Throws if it stays busy. */
export async function untilIdle(server: Running): Promise<void> {
  let before = server.cpu();
  for (let seconds = 0; seconds < MAX_BUSY_SECONDS; seconds++) {
    await sleep(1000);
    const now = server.cpu();
    if (now - before < 0.1) return;
    before = now;
  }
  throw new Error(`without requests, the server was still busy after ${MAX_BUSY_SECONDS} s`);
}

/** The unit of the kernel's CPU times (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

/** The fields of a process after its name, which may contain spaces: the first is field 3 of proc(5). */
const fieldsOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];

/** CPU seconds of a process: user and system time are fields 14 and 15 (proc(5)). */
export function cpuOf(pid: number): number {
  const fields = fieldsOf(pid);
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** CPU seconds of a process's parent and of all the parent's children, including ended ones. */
export function cpuOfGroup(child: number): number {
  const [, parent = '0'] = fieldsOf(child);
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean);
  // If a child ends in the meantime, its parent counts it. So the parent is read last.
  const running = children.map(Number).reduce((sum, pid) => sum + (cpuIfThere(pid) ?? 0), 0);
  const ended = fieldsOf(Number(parent));
  return running + cpuOf(Number(parent)) + (Number(ended[13]) + Number(ended[14])) / TICKS_PER_SECOND;
}

/** CPU seconds of a process; undefined if it has ended, even while its file was being read. */
function cpuIfThere(pid: number): number | undefined {
  try {
    return cpuOf(pid);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

/**
 * Total time in milliseconds that the main thread of a process has been runnable but waiting for a core. 0 if the
 * process has ended, or on systems without Linux's /proc.
 */
export function waitedMs(pid: number | string): number {
  try {
    // The wait time is the second of three fields, in nanoseconds.
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/** Context switches so far of all current threads of a process. */
export function switchesOf(pid: number): Record<'voluntary' | 'involuntary', number> {
  const switches = { voluntary: 0, involuntary: 0 };
  const tasks = `/proc/${pid}/task`;
  for (const thread of readdirSync(tasks)) {
    const status = readFileSync(`${tasks}/${thread}/status`, 'utf8');
    switches.voluntary += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
    switches.involuntary += Number(/^nonvoluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1]);
  }
  return switches;
}
