import { fork } from 'node:child_process';
import { once } from 'node:events';

// Measures a heap in a process of its own. A worker thread would do for that, but V8's flags for the size of the young
// generation are those of the whole process, and a thread with limits of its own that contradict them may run out of
// memory while it starts.

const MEASURED = 'PALAVER_TEST_MEASURED';

/** True in the process that `measured` has started. */
export const isMeasured = process.env[MEASURED] !== undefined;

/** Sends the figure to the process that asked for it. */
export const report = (figure: number): void => {
  process.send?.(figure, () => process.disconnect?.());
};

/**
 * The figure that `file` reports when it runs with `args`, with the young generation of a server. Throws an Error if the
 * process ends without one.
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
