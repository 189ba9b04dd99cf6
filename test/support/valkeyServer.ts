import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gone } from './process.ts';
import { programOf } from './programs.ts';

/** The longest time that a server may take to start. */
const START_MS = 60_000;

/** A Valkey or Redis server started for this test, without persistence. */
export interface ValkeyServer {
  readonly url: string;
  /** The id of the current process. */
  readonly pid: number;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
  /** Kills the process immediately, as a crash would. Resolves once it is gone and its port refuses connections. */
  kill(): Promise<void>;
  /** Suspends the server until `thaw` is called. Connections stay open, but get no replies. */
  freeze(): void;
  thaw(): void;
  /** Ends the server if it is running, and starts it empty on the same port. */
  restart(): Promise<void>;
}

/** The path of valkey-server or redis-server; undefined if PATH has neither. */
export const valkeyBinary = (): string | undefined => programOf('valkey-server', 'redis-server');

/** Starts a server on a free port, with additional arguments if given. Throws if it does not start. */
export async function startValkey(...args: string[]): Promise<ValkeyServer> {
  const folder = mkdtempSync(join(tmpdir(), 'palaver-valkey-'));
  const port = await freePort();
  let child = await launch(port, folder, args);
  const end = async () => {
    child.kill('SIGKILL');
    await gone(child);
  };
  const killAtExit = () => child.kill('SIGKILL');
  process.once('exit', killAtExit);
  return {
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid as number;
    },
    async stop() {
      await end();
      process.removeListener('exit', killAtExit);
      rmSync(folder, { recursive: true, force: true });
    },
    kill: end,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async restart() {
      await end();
      child = await launch(port, folder, args);
    },
  };
}

/**
 * A server for a test that neither stops it nor changes its settings: the one in `PALAVER_TEST_REDIS_URL`, whose keys
 * are shared with other tests, or a new one. Undefined if there is none.
 */
export async function anyValkey(): Promise<Pick<ValkeyServer, 'url' | 'stop'> | undefined> {
  const url = process.env.PALAVER_TEST_REDIS_URL;
  if (url) return { url, stop: async () => {} };
  return valkeyBinary() ? startValkey() : undefined;
}

/**
 * A port on 127.0.0.1 on which nothing listens. It is below the range from which systems usually assign ports
 * automatically.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

async function launch(port: number, folder: string, args: string[]): Promise<ChildProcess> {
  const fixed = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  const child = spawn(valkeyBinary() as string, [...fixed, '--save', '', '--appendonly', 'no', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const lines: string[] = [];
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('Ready to accept connections')) return child;
      lines.push(line);
    }
  } finally {
    clearTimeout(deadline);
    child.stdout.resume();
  }
  throw new Error(`the server did not start: ${lines.join('\n')}`);
}
