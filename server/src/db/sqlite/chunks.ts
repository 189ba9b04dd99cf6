import { cpuMs } from '../../lib/cpu.ts';

/**
 * Milliseconds of CPU time after which a search yields to other reads, and after which its page ends early.
 */
const TURN_MS = 3;
export const PAGE_MS = 10;
/** Maximum characters of text that one chunk scans, in addition to the limit `SCAN_ROWS`. */
const SCAN_SIZE = 16 * 1024;

/** Runs a task that scans thousands of rows. */
export type RunInTurn = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Calls `lookOn`, which processes one chunk, until it returns false. Each turn processes as many chunks
 * as fit into `TURN_MS`.
 */
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

/**
 * The `ord` of each row whose text matches, and the first row that was not scanned because `SCAN_SIZE` was
 * reached.
 */
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
