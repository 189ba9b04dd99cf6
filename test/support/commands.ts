import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Order, Ran } from './commandHost.ts';

const host = join(import.meta.dirname, 'commandHost.ts');
/** The longest time that the process may take to exit after its last command. */
const END_MS = 20_000;

/**
 * Runs commands one after another in one child process, because starting a process takes ten times as long as most
 * commands.
 */
export class Commands {
  #child: ChildProcess | undefined;
  #isBusy = false;

  /** True while a command is running. A concurrent command needs its own process. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  async run(args: readonly string[], environment: Record<string, string>): Promise<Ran> {
    this.#isBusy = true;
    try {
      return await this.#run({ args, environment });
    } finally {
      this.#isBusy = false;
    }
  }

  async #run(order: Order): Promise<Ran> {
    this.#child ??= fork(host, { env: order.environment, execArgv: [], stdio: ['ignore', 2, 2, 'ipc'] });
    const child = this.#child;
    const over = new AbortController();
    const { signal } = over;
    try {
      const ended = once(child, 'exit', { signal }).then(([code]) => {
        this.#child = undefined;
        throw new Error(`the process that ran palaver ${order.args.join(' ')} ended with ${code}`);
      });
      const answered = once(child, 'message', { signal }).then(([ran]) => ran as Ran);
      child.send(order);
      return await Promise.race([answered, ended]);
    } finally {
      over.abort();
    }
  }

  /** Ends the process. Throws if it does not exit on its own, because a command has left something open. */
  async close(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit') as Promise<[number | null]>;
    child.disconnect();
    const deadline = setTimeout(() => child.kill('SIGKILL'), END_MS);
    const [code] = await ended;
    clearTimeout(deadline);
    if (code !== 0) throw new Error(`a command has left something open: its process ended with ${code}`);
  }
}
