import { type Comparison, isSame } from '../../db/copy/verify.ts';

/** The report of a move. */
export interface Moved {
  /** True if every table is the same on both sides: the data can be used. */
  ok: boolean;
  from: string;
  to: string;
  /** Rows that this run has copied, and the seconds that it took in all. */
  copied: number;
  seconds: number;
  tables: Comparison[];
  /** The command that serves the data from their new place. */
  start: string;
}

/** The report for people. */
export function linesOf({ ok, tables, copied, seconds, start }: Moved): string[] {
  const line = (table: string, rows: unknown, checksum: string) =>
    `${table.padEnd(16)}${String(rows).padStart(12)}  ${checksum}`;
  const shown = tables.flatMap(({ table, source, target }) => {
    const ours = line(table, source.rows, source.checksum.slice(0, 16));
    if (isSame({ table, source, target })) return [ours];
    return [`${ours}  differs:`, line('', target.rows, target.checksum.slice(0, 16))];
  });
  const end = [
    '',
    `${copied} rows were copied in ${seconds.toFixed(1)} s. Every table is the same on both sides.`,
    `Start on the new data with: ${start}`,
  ];
  return [line('table', 'rows', 'checksum'), ...shown, ...(ok ? end : [])];
}

/** The line that says which tables differ: then the target is of no use. Undefined where all are the same. */
export function problemOf({ ok, tables, to }: Moved): string | undefined {
  if (ok) return undefined;
  const names = tables.filter((table) => !isSame(table)).map(({ table }) => table);
  return `${to} differs in ${names.join(', ')} and will not be served: if the source has changed since the move was begun, begin anew with --restart`;
}
