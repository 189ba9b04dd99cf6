import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A request to send repeatedly. */
export interface Load {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Figures {
  /** Responses per second. */
  rate: number;
  /** 99th percentile of the latency, in milliseconds. */
  p99: number;
  /** Responses with an error status. */
  failed: number;
}

export const CONNECTIONS = 64;
export const LOAD_CORE = availableParallelism() > 1 ? '1' : '0';

/** Runs a command on a core, by default the load generator's core, and returns its output. */
function run(command: string, args: string[], core = LOAD_CORE): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('taskset', ['-c', core, command, ...args], {
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

/** Sends the same request over all connections for some seconds, from the given core. */
export const generate = (load: Load, seconds: number, core = LOAD_CORE): Promise<Figures> =>
  hasWrk ? withWrk(load.url, always(load), seconds, CONNECTIONS, core) : withAutocannon(load, seconds, core);

/** Sends requests to one host for some seconds, cycling through the list. Requires wrk. */
export function generateAll(
  loads: readonly Load[],
  seconds: number,
  connections = CONNECTIONS,
): Promise<Figures> {
  if (!hasWrk) throw new Error('wrk is not installed');
  return withWrk((loads[0] as Load).url, inTurn(loads), seconds, connections);
}

/** Sends the requests in a wrk script for some seconds. Requires wrk. */
export function generateBy(url: string, script: string, seconds: number): Promise<Figures> {
  if (!hasWrk) throw new Error('wrk is not installed');
  return withWrk(url, script, seconds);
}

const lua = (text: string): string => `[==[${text}]==]`;

const always = ({ method, headers, body }: Load): string =>
  [
    `wrk.method = "${method}"`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = ${lua(value)}`),
    ...(body === undefined ? [] : [`wrk.body = ${lua(body)}`]),
  ].join('\n');

function inTurn(loads: readonly Load[]): string {
  const made = loads.map(({ method, headers, body = '' }) => {
    const fields = Object.entries(headers).map(([name, value]) => `["${name}"] = ${lua(value)}`);
    return `wrk.format("${method}", nil, {${fields}}, ${lua(body)})`;
  });
  return `local requests, at = {}, 0
    init = function() requests = {${made.join(',\n')}} end
    request = function()
      at = at % #requests + 1
      return requests[at]
    end`;
}

async function withWrk(
  url: string,
  lines: string,
  seconds: number,
  connections = CONNECTIONS,
  core = LOAD_CORE,
): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-bench-'));
  const script = join(folder, 'load.lua');
  writeFileSync(script, lines);
  try {
    const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s', '--latency'];
    const output = await run('wrk', [...options, '-s', script, url], core);
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

async function withAutocannon(
  { method, url, headers, body }: Load,
  seconds: number,
  core: string,
): Promise<Figures> {
  const program = join(import.meta.dirname, '..', 'node_modules', 'autocannon', 'autocannon.js');
  const options = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const fixed = ['-c', String(CONNECTIONS), '-d', String(seconds), '-m', method, '--json', '--no-progress'];
  const payload = body === undefined ? [] : ['-b', body];
  const output = await run(process.execPath, [program, ...fixed, ...options, ...payload, url], core);
  const result = JSON.parse(output);
  return { rate: result.requests.average, p99: result.latency.p99, failed: result.non2xx };
}
