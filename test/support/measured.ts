import { fork } from 'node:child_process';
import { once } from 'node:events';

// Measures a heap in a child process. A worker thread would not work: V8's flags for the size of the young generation
// apply to the whole process, and a thread with conflicting limits may run out of memory during startup.

const MEASURED = 'PALAVER_TEST_MEASURED';

/** True in the process started by `measured`. */
export const isMeasured = process.env[MEASURED] !== undefined;

/** Sends the result to the parent process. */
export const report = (figure: number): void => {
  process.send?.(figure, () => process.disconnect?.());
};

/**
 * Runs `file` with `args` in a process whose young generation is as large as a server's, and returns its result. Throws an
 * Error if the process ends without a result.
 */
export async function measured(file: string, ...args: string[]): Promise<number> {
  const child = fork(file, args, {
    env: { ...process.env, [MEASURED]: '1' },
    execArgv: ['--max-semi-space-size=8', '--min-semi-space-size=8'],
  });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the process ended with ${code} and reported nothing`);
  });
  const [figure] = await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => undefined);
  return figure as number;
}
