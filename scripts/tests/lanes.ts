import { availableParallelism } from 'node:os';
import { untilIdle } from './cpu.ts';

export type Task = () => Promise<void>;

/** The maximum number of concurrent CPU-bound tasks. More would need more connections than PostgreSQL allows. */
const MAX_BUSY = 6;
const WAITING = 2;
const busyLanes = Math.min(Math.max(availableParallelism(), 2), MAX_BUSY);

/** Runs tasks one after another, each after `mayBegin` has resolved. */
async function takeTurns(tasks: Task[], mayBegin = async (): Promise<void> => {}): Promise<void> {
  while (tasks.length > 0) {
    await mayBegin();
    await tasks.shift()?.();
  }
}

/**
 * Runs CPU-bound tasks, one per CPU up to MAX_BUSY, in parallel with tasks that mostly wait. CPU-bound tasks also wait now
 * and then, so another lane starts one whenever CPUs are idle. Once the waiting tasks are done, one of their lanes
 * continues with CPU-bound tasks.
 */
export async function inLanes(busy: Task[], waiting: Task[]): Promise<void> {
  await Promise.all([
    ...Array.from({ length: busyLanes }, () => takeTurns(busy)),
    takeTurns(busy, () => untilIdle(() => busy.length === 0)),
    ...Array.from({ length: WAITING }, async (_, lane) => {
      await takeTurns(waiting);
      if (lane === 0) await takeTurns(busy);
    }),
  ]);
}
