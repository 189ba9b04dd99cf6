import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LOAD_CORE } from './load.ts';
import type { Running } from './processes.ts';

/** When an event has come to the streams, in milliseconds, and its size. */
export interface Shot {
  median: number;
  last: number;
  bytes: number;
}

/** The clients of a server's event streams, in a process of their own: see `crowd.ts`. */
export class Crowd {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  /** Opens streams, with the keys in turn, which it writes into the folder. */
  static async gather(
    { url }: Running,
    streams: number,
    keys: readonly string[],
    folder: string,
  ): Promise<Crowd> {
    const file = join(folder, 'keys.txt');
    writeFileSync(file, keys.join('\n'));
    const script = join(import.meta.dirname, 'crowd.ts');
    const args = ['-c', LOAD_CORE, process.execPath, script, url, String(streams), file];
    const crowd = new Crowd(spawn('taskset', args, { stdio: ['pipe', 'pipe', 'inherit'] }));
    await crowd.#line();
    return crowd;
  }

  async shoot(path: string, body: string): Promise<Shot> {
    this.#child.stdin?.write(`${path} ${body}\n`);
    return JSON.parse(await this.#line());
  }

  /** Revokes the key of the stream `index`. Returns the milliseconds from the answer until the stream had ended. */
  async revoke(index: number, secretId: string, admin: string): Promise<number> {
    this.#child.stdin?.write(`revoke ${index} ${secretId} ${admin}\n`);
    return JSON.parse(await this.#line());
  }

  disperse(): void {
    this.#child.kill('SIGKILL');
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the clients have failed');
    return value;
  }
}
