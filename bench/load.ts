import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A kind of request to send repeatedly. */
export interface Load {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Figures {
  /** Answers in a second. */
  rate: number;
  /** The 99th percentile of the latency, in milliseconds. */
  p99: number;
  /** Answers with an error status. */
  failed: number;
}

export const CONNECTIONS = 64;
export const LOAD_CORE = '1';

/** Runs a command on the load generator's core and returns its output. */
function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('taskset', ['-c', LOAD_CORE, command, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve(output) : reject(new Error(`${command} exited with ${code}`)),
    );
  });
}

const hasWrk = await run('wrk', ['-v']).then(
  () => true,
  (error: Error) => error.message.endsWith('exited with 1'),
);

/** The load generator: wrk if it is installed, otherwise autocannon. */
export const generator = hasWrk ? 'wrk' : 'autocannon';

/** Sends the same request over all connections for some seconds. */
export const generate = (load: Load, seconds: number): Promise<Figures> =>
  hasWrk ? withWrk(load, seconds) : withAutocannon(load, seconds);

async function withWrk({ method, url, headers, body }: Load, seconds: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const script = join(folder, 'load.lua');
  const lua = (text: string) => `[==[${text}]==]`;
  writeFileSync(
    script,
    [
      `wrk.method = "${method}"`,
      ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = ${lua(value)}`),
      ...(body === undefined ? [] : [`wrk.body = ${lua(body)}`]),
    ].join('\n'),
  );
  try {
    const output = await run('wrk', [
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      '--latency',
      '-s',
      script,
      url,
    ]);
    const [, p99 = '0', unit = 'ms'] = /99%\s+([\d.]+)(us|ms|s)/.exec(output) ?? [];
    const scale: Record<string, number> = { us: 0.001, ms: 1, s: 1000 };
    return {
      rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]),
      p99: Number(p99) * (scale[unit] as number),
      failed: Number(/Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1] ?? 0),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function withAutocannon({ method, url, headers, body }: Load, seconds: number): Promise<Figures> {
  const program = join(import.meta.dirname, '..', 'node_modules', 'autocannon', 'autocannon.js');
  const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const output = await run(process.execPath, [
    program,
    ...['-c', String(CONNECTIONS), '-d', String(seconds), '-m', method, '--json', '--no-progress'],
    ...options,
    ...(body === undefined ? [] : ['-b', body]),
    url,
  ]);
  const result = JSON.parse(output);
  return { rate: result.requests.average, p99: result.latency.p99, failed: result.non2xx };
}
