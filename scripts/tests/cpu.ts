import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Of proc(5): the system counts in hundredths of a second. */
const TICKS_PER_SECOND = 100;
/** How long processors are watched before another file begins, and the share of that time in which they must be idle. */
const IDLE_MS = 2_000;
const LEAST_IDLE = 0.25;

/** The seconds of processes below this one that ended without anybody counting them. */
let unseen = 0;

/** The line of a process in proc(5), after its name, which may hold spaces; undefined if there is none. */
function fieldsOf(process: string): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${process}/stat`, 'utf8');
    return line.slice(line.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** utime, stime, cutime and cstime, the 14th to 17th field: of the process, and of children that it has waited for. */
const secondsIn = (fields: readonly string[] = []): number =>
  fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0) / TICKS_PER_SECOND;

/** The seconds of the processes below this one that are running. */
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
 * The seconds of processor time that this process and those below it have used; 0 where the system does not tell, as all but
 * Linux. `unseen` of them belong to processes that its parent will not count.
 */
export function cpuSeconds(): { all: number; unseen: number } {
  const fields = fieldsOf('self');
  return fields ? { all: secondsIn(fields) + unseen + below(), unseen } : { all: 0, unseen: 0 };
}

/** The milliseconds of all processors so far, and those of them in which they were idle. */
function machineTimes(): { all: number; idle: number } {
  const times = cpus().map(({ times }) => times);
  const sum = (of: (each: (typeof times)[number]) => number) =>
    times.reduce((all, each) => all + of(each), 0);
  return {
    all: sum((each) => Object.values(each).reduce((all, one) => all + one, 0)),
    idle: sum(({ idle }) => idle),
  };
}

/** Waits until a fourth of the processors' time was idle for two seconds, or `isOver`. */
export async function untilIdle(isOver: () => boolean): Promise<void> {
  for (let isIdle = false; !isIdle && !isOver(); ) {
    const before = machineTimes();
    await sleep(IDLE_MS);
    const after = machineTimes();
    isIdle = after.idle - before.idle > LEAST_IDLE * (after.all - before.all);
  }
}

/** Does what ends processes that have children, such as a browser: nobody waits for these children, and their time would be lost. */
export async function endingUnseen(end: () => Promise<void>): Promise<void> {
  const before = cpuSeconds().all;
  await end();
  unseen += Math.max(0, before - cpuSeconds().all);
}
