import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const SERVER_CORE = '0';
const root = join(import.meta.dirname, '..');

/** A server under measurement, pinned to its core. */
export interface Running {
  url: string;
  pid: number;
  /** Its output until it listened. */
  output: string;
  /** Milliseconds from the start of the process until it listened. */
  startMs: number;
  /** Resident memory now, in bytes. */
  memory(): number;
  /** Seconds of CPU used so far. */
  cpu(): number;
  stop(): Promise<void>;
}

/** Starts a script on the server's core and waits for the line with its address. */
export async function startOnServerCore(
  script: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Running> {
  const from = performance.now();
  const child: ChildProcess = spawn(
    'taskset',
    ['-c', SERVER_CORE, process.execPath, join(root, script), ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, PALAVER_LOG_LEVEL: 'warn', ...environment },
    },
  );
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      const address = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
      // A first run prints its key after the address, in the same chunk or the next.
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

/** Resolves once a server has used less than a tenth of its core for a second, such as when its search index is made. */
export async function untilIdle(server: Running): Promise<void> {
  for (let before = server.cpu(); ; ) {
    await sleep(1000);
    const now = server.cpu();
    if (now - before < 0.1) return;
    before = now;
  }
}

/** The unit of the kernel's CPU times (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

function cpuOf(pid: number): number {
  // Skip the process name, which may contain blanks. User and system time are fields 14 and 15 (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Milliseconds so far in which the main thread of a process had work and others had its core. */
export function waitedMs(pid: number | string): number {
  // In nanoseconds, the second of three fields.
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
}
