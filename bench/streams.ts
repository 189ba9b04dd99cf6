import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LOAD_CORE } from './load.ts';
import type { Running } from './processes.ts';

/** The times at which an event reached the streams, in milliseconds, and its size in bytes. */
export interface Shot {
  median: number;
  last: number;
  bytes: number;
}

/** The clients of a server's event streams, in their own process: see `streamClients.ts`. */
export class StreamClients {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  }

  /** Opens streams, cycling through the keys. Passes the keys in a file in the folder. */
  static gather(
    node: Running,
    streams: number,
    keys: readonly string[],
    folder: string,
  ): Promise<StreamClients> {
    const headers = keys.map((key) => ({ authorization: `Bearer ${key}` }));
    return StreamClients.gatherWith(node, streams, headers, folder);
  }

  /**
   * Opens streams at a path, cycling through the headers. Passes the headers in a file in the folder. With
   * `type`, waits for an event of that type, otherwise for the first data.
   */
  static async gatherWith(
    { url }: Running,
    streams: number,
    headers: readonly Record<string, string>[],
    folder: string,
    { path, type }: { path?: string; type?: string } = {},
  ): Promise<StreamClients> {
    const file = join(folder, 'headers.txt');
    writeFileSync(file, headers.map((each) => JSON.stringify(each)).join('\n'));
    const script = join(import.meta.dirname, 'streamClients.ts');
    const more = path === undefined ? [] : [path, ...(type === undefined ? [] : [type])];
    const args = ['-c', LOAD_CORE, process.execPath, script, url, String(streams), file, ...more];
    const clients = new StreamClients(spawn('taskset', args, { stdio: ['pipe', 'pipe', 'inherit'] }));
    await clients.#line();
    return clients;
  }

  async shoot(path: string, body: string): Promise<Shot> {
    this.#child.stdin?.write(`${path} ${body}\n`);
    return JSON.parse(await this.#line());
  }

  /** Revokes the key of the stream at `index`. Returns the milliseconds from the response until the stream ended. */
  async revoke(index: number, secretId: string, admin: string): Promise<number> {
    this.#child.stdin?.write(`revoke ${index} ${secretId} ${admin}\n`);
    return JSON.parse(await this.#line());
  }

  disperse(): void {
    this.#child.kill('SIGKILL');
  }

  async #line(): Promise<string> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the clients failed');
    return value;
  }
}
