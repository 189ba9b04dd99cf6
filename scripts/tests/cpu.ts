import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The unit of CPU times in proc(5): hundredths of a second. */
const TICKS_PER_SECOND = 100;
/**
 * How long, in ms, the CPUs are observed before another file starts, and the fraction of that time in which they must
 * be idle.
 */
const IDLE_MS = 2_000;
const LEAST_IDLE = 0.25;

/** CPU seconds of ended descendants that are not included in any process's own count. */
let unseen = 0;

/**
 * A process's fields in proc(5) after its name, which may contain spaces. Undefined if the process does not exist.
 */
function fieldsOf(process: string): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${process}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * The sum of utime, stime, cutime and cstime, fields 14 to 17: the time of the process, and of the children it has
 * waited for.
 */
const secondsIn = (fields: readonly string[] = []): number =>
  fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND;

/** CPU seconds of the running descendants. */
function below(): number {
  const parents = new Map<string, { parent: string; seconds: number }>();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = fieldsOf(id);
    if (fields) parents.set(id, { parent: fields[1] as string, seconds: secondsIn(fields) });
  }
  const isBelow = (id: string): boolean => {
    const parent = parents.get(id)?.parent;
    return parent === String(process.pid) || (parent !== undefined && isBelow(parent));
  };
  return [...parents].reduce((sum, [id, { seconds }]) => sum + (isBelow(id) ? seconds : 0), 0);
}

/**
 * CPU seconds used by this process and its descendants. 0 on systems without Linux's /proc.
 * The `unseen` seconds are those that the parent of this process will not count.
 */
export function cpuSeconds(): { all: number; unseen: number } {
  const fields = fieldsOf('self');
  return fields ? { all: secondsIn(fields) + unseen + below(), unseen } : { all: 0, unseen: 0 };
}

/** The CPU time of all cores so far, in total and idle, in ms. */
function machineTimes(): { all: number; idle: number } {
  const times = cpus().map(({ times }) => times);
  const sum = (of: (each: (typeof times)[number]) => number) =>
    times.reduce((all, each) => all + of(each), 0);
  return {
    all: sum((each) => Object.values(each).reduce((all, one) => all + one, 0)),
    idle: sum(({ idle }) => idle),
  };
}

/** Waits until a quarter of the CPU time was idle for two seconds, or until `isOver` returns true. */
export async function untilIdle(isOver: () => boolean): Promise<void> {
  for (let isIdle = false; !isIdle && !isOver(); ) {
    const before = machineTimes();
    await sleep(IDLE_MS);
    const after = machineTimes();
    isIdle = after.idle - before.idle > LEAST_IDLE * (after.all - before.all);
  }
}

/**
 * Ends processes that have children, such as a browser, and counts the children's CPU time. No process waits
 * for these children, so their time would be lost.
 */
export async function endingUnseen(end: () => Promise<void>): Promise<void> {
  const before = cpuSeconds().all;
  await end();
  unseen += Math.max(0, before - cpuSeconds().all);
}
