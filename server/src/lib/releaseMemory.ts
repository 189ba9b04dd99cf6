import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Larger heaps are left to V8, because a collection would block the event loop for more than a tenth of a
 * second.
 */
const MAX_HEAP_BYTES = 64 * 1024 * 1024;

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Returns unused heap memory to the system. V8 does not do so while nothing is allocated. */
export function releaseMemory(): void {
  if (process.memoryUsage().heapUsed > MAX_HEAP_BYTES) return;
  setFlagsFromString('--expose-gc');
  collect ??= runInNewContext('gc') as Collect;
  collect({ type: 'major', flavor: 'last-resort' });
}
