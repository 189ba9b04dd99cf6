import type { Failures } from '../db/failures.ts';

/**
 * After this many consecutive failures, something that all items depend on, such as a bucket, is probably
 * down.
 */
const MAX_FAILURES = 10;

interface Tried {
  /** The ids of the items that succeeded. */
  done: string[];
  /** Whether the task was stopped after `MAX_FAILURES`. */
  isDown: boolean;
}

/**
 * Runs a task for each item, one after another. If an item fails, it backs off, and the next one is tried.
 */
export async function tryEach<Item extends { id: string }>(
  items: readonly Item[],
  failures: Failures,
  task: (item: Item) => Promise<void>,
): Promise<Tried> {
  const failedBefore = await failures.among(items.map(({ id }) => id));
  const done: string[] = [];
  let failed = 0;
  for (const item of items) {
    try {
      await task(item);
      failed = 0;
    } catch (error) {
      await failures.add(item.id, error);
      failed++;
      if (failed === MAX_FAILURES) return { done, isDown: true };
      continue;
    }
    if (failedBefore.has(item.id)) await failures.clear(item.id);
    done.push(item.id);
  }
  return { done, isDown: false };
}
