import { type AnyTimer, isClaimed } from '../clock/timers.ts';
import type { Services } from '../operations/services.ts';
import { system, transact, type Work, workIn } from '../operations/work.ts';

/** Thrown if another node has claimed the timer, or if its record was changed or deleted. */
export class Lost extends Error {}

/**
 * Runs a write as Palaver itself, if this node still holds the claim on the timer. Otherwise throws Lost.
 * `alsoIn` has the same meaning as in `transact`.
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
