import { availableParallelism } from 'node:os';
import { untilIdle } from './cpu.ts';

export type Task = () => Promise<void>;

/** A bound on files at the same time: more would need more connections than PostgreSQL allows. */
const MAX_BUSY = 6;
const WAITING = 2;
const busyLanes = Math.min(Math.max(availableParallelism(), 2), MAX_BUSY);

/** Runs the tasks one after the other, each time the first that is left, once `mayBegin` has resolved. */
async function takeTurns(tasks: Task[], mayBegin = async (): Promise<void> => {}): Promise<void> {
  while (tasks.length > 0) {
    await mayBegin();
    await tasks.shift()?.();
  }
}

/**
 * Runs tasks that use the CPU, one for each processor, beside those that mostly wait. Once none of these is left, one of their
 * lanes goes on with the others, and the second does so whenever processors are idle: a file that uses the CPU also waits now and then.
 */
export async function inLanes(busy: Task[], waiting: Task[]): Promise<void> {
  await Promise.all([
    ...Array.from({ length: busyLanes }, () => takeTurns(busy)),
    ...Array.from({ length: WAITING }, async (_, lane) => {
      await takeTurns(waiting);
      await takeTurns(busy, lane === 0 ? undefined : () => untilIdle(() => busy.length === 0));
    }),
  ]);
}
