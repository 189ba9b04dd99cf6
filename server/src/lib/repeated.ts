import type { Outage } from './outage.ts';

/**
 * Wraps a task so that it never runs concurrently with itself. Calls to `run` during a run cause exactly
 * one more run, and all of them resolve after the last one. They never reject.
 */
export function repeated(task: () => Promise<void>, outage: Outage) {
  let running: Promise<void> | undefined;
  let isAskedFor = false;
  const runAll = async () => {
    while (isAskedFor) {
      isAskedFor = false;
      await outage.watch(task);
    }
    running = undefined;
  };
  return {
    run: (): Promise<void> => {
      isAskedFor = true;
      running ??= runAll();
      return running;
    },
    isRunning: () => running !== undefined,
    ended: () => running ?? Promise.resolve(),
  };
}
