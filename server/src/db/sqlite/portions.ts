import { cpuMs } from '../../lib/cpu.ts';

/** Milliseconds of CPU after which the portions of a search yield to other reads, and after which its page ends early. */
const TURN_MS = 3;
export const PAGE_MS = 10;
/** Characters of the texts that one portion looks at, beside `SCAN_ROWS`. */
const SCAN_SIZE = 16 * 1024;

/** Runs a task that looks at thousands of rows. */
export type RunInTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** Calls `lookOn`, which looks at one portion, until it returns false: as many in each turn as fit into `TURN_MS`. */
export async function lookInTurns(runInTurn: RunInTurn, lookOn: () => Promise<boolean>): Promise<void> {
  for (let goesOn = true; goesOn; ) {
    goesOn = await runInTurn(async () => {
      const turn = cpuMs();
      do if (!(await lookOn())) return false;
      while (cpuMs() - turn < TURN_MS);
      return true;
    });
  }
}

/** The `ord` of each row whose text matches, and the row at which `SCAN_SIZE` was reached, which was not looked at. */
export function matchesAmong<T extends { ord: number; content: string }>(
  rows: readonly T[],
  matches: (content: string) => boolean,
): { ords: number[]; rest: T | undefined } {
  const ords: number[] = [];
  let size = 0;
  for (const row of rows) {
    if (size >= SCAN_SIZE) return { ords, rest: row };
    size += row.content.length;
    if (matches(row.content)) ords.push(row.ord);
  }
  return { ords, rest: undefined };
}
