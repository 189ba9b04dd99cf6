import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LOAD_CORE } from './load.ts';
import type { Report } from './neighbour.ts';
import type { Running } from './processes.ts';
import { percentile } from './report.ts';

/** Times in milliseconds. */
export interface Times {
  p50: number;
  p99: number;
  /** The 99th percentile, without the time that the node or the client waited for its core. */
  net: number;
}

/** During a load, the p99 of a tenant's sends may be this many times as long as before it, or this much longer. */
export const GOAL = { ratio: 1.5, moreMs: 50 };

/** Whether a tenant's service during a load is as good as before. */
export const isServed = (before: Period, within: Period): boolean =>
  within.refused === 0 &&
  (within.send.p99 <= GOAL.ratio * before.send.p99 || within.send.p99 - before.send.p99 <= GOAL.moreMs);

export const shown = ({ p50, p99 }: Times): string => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

/** The times in one period. */
export interface Period {
  send: Times;
  read: Times;
  refused: number;
}

function timesOf(times: Report['send']): Times {
  const at = (share: number, of: 'ms' | 'net') =>
    percentile(
      times.map((time) => time[of]),
      share,
    );
  return { p50: at(0.5, 'ms'), p99: at(0.99, 'ms'), net: at(0.99, 'net') };
}

/** The process of a well-behaved tenant: see `neighbour.ts`. */
export class Neighbour {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor({ url, pid }: Running, { channelId, keys }: { channelId: string; keys: readonly string[] }) {
    const script = join(import.meta.dirname, 'neighbour.ts');
    const args = ['-c', LOAD_CORE, process.execPath, script, url, String(pid), channelId, keys.join(',')];
    this.#child = spawn('taskset', args, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout as NodeJS.ReadableStream })[
      Symbol.asyncIterator
    ]();
  }

  async measure(seconds: number): Promise<Period> {
    this.#child.stdin?.write(`${seconds}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the other tenant failed');
    const { send, read, refused }: Report = JSON.parse(value);
    return { send: timesOf(send), read: timesOf(read), refused };
  }

  leave(): void {
    this.#child.kill('SIGKILL');
  }
}
