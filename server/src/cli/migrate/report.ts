import { type Comparison, isSame } from '../../db/copy/verify.ts';

/** The report of a move. */
export interface Moved {
  /** Whether every table is identical on both sides. Only then can the target be used. */
  ok: boolean;
  from: string;
  to: string;
  /** Rows that this run has copied. */
  copied: number;
  /** Duration of the whole run. */
  seconds: number;
  tables: Comparison[];
  /** The command that starts a server on the target. */
  start: string;
}

/** Formats the report as lines for people. */
export function linesOf({ ok, tables, copied, seconds, start }: Moved): string[] {
  const line = (table: string, rows: unknown, checksum: string) =>
    `${table.padEnd(16)}${String(rows).padStart(12)}  ${checksum}`;
  const rows = tables.flatMap(({ table, source, target }) => {
    const ours = line(table, source.rows, source.checksum.slice(0, 16));
    if (isSame({ table, source, target })) return [ours];
    return [`${ours}  differs:`, line('', target.rows, target.checksum.slice(0, 16))];
  });
  const end = [
    '',
    `${copied} rows copied in ${seconds.toFixed(1)} s. All tables are identical.`,
    `Start with the new data: ${start}`,
  ];
  return [line('table', 'rows', 'checksum'), ...rows, ...(ok ? end : [])];
}

/** Returns a line that lists the tables that differ; undefined if all are identical. */
export function problemOf({ ok, tables, to }: Moved): string | undefined {
  if (ok) return undefined;
  const names = tables.filter((table) => !isSame(table)).map(({ table }) => table);
  return `${to} differs in ${names.join(', ')} and cannot be used. If the source changed during the move, run it again with --restart`;
}
