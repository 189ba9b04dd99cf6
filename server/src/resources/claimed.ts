import { type AnyTimer, isClaimed } from '../clock/timers.ts';
import type { Services } from '../operations/services.ts';
import { system, transact, type Work, workIn } from '../operations/work.ts';

/** Another node has claimed the timer, or its record was changed or deleted. */
export class Lost extends Error {}

/**
 * Runs a write as Palaver itself, provided that this node still holds the timer's claim. Throws Lost.
 * `alsoIn` as for `transact`.
 */
export const whileClaimed = <T>(
  services: Services,
  timer: AnyTimer,
  task: (work: Work) => Promise<T>,
  alsoIn: readonly string[] = [],
): Promise<T> =>
  transact(
    services,
    async (tx, pending) => {
      if (!(await isClaimed(tx, timer))) throw new Lost();
      return task(workIn(tx, services, system, pending));
    },
    timer.serverId ?? undefined,
    alsoIn,
  );
