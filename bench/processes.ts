import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const SERVER_CORE = '0';
const root = join(import.meta.dirname, '..');

/** A server under measurement, on its core. */
export interface Running {
  url: string;
  /** What it printed until it listened. */
  output: string;
  /** Milliseconds from the start of the process to the line that says it listens. */
  startMs: number;
  /** Resident memory now, in bytes. */
  memory(): number;
  /** Seconds of CPU that it has used. */
  cpu(): number;
  stop(): Promise<void>;
}

/** Starts one of our scripts on the core of the server and waits for the line that has its address. */
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
      // The first run prints its key after the address, in the same piece or the next.
      if (address && (!output.includes('API key') || output.includes('curl'))) resolve(address);
    });
    child.on('exit', (code) => reject(new Error(`${script} exited with ${code}`)));
  });
  const startMs = performance.now() - from;
  return {
    url,
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

/** What the kernel counts in (`getconf CLK_TCK`). */
const TICKS_PER_SECOND = 100;

function cpuOf(pid: number): number {
  // After the name, which may hold blanks: user time and system time are the 14th and 15th field (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
