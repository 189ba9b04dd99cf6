import type { Outcome } from './command.ts';
import { tableOf } from './table.ts';

/**
 * Prints the outcome of a command, either as JSON on one line or as lines for people. A list is a table on
 * a terminal; elsewhere, it has one line per field, which scripts may rely on.
 */
export function print({ record, lines, columns }: Outcome, asJson: boolean): void {
  const table = columns && process.stdout.isTTY ? tableOf(record as object[], columns) : undefined;
  const printed = asJson ? [JSON.stringify(record)] : (lines ?? table ?? linesOf(record));
  process.stdout.write(printed.map((line) => `${line}\n`).join(''));
}

/** Returns one line per field, and an empty line after each record of a list. */
export function linesOf(record: object): string[] {
  if (Array.isArray(record)) return record.flatMap((each) => [...linesOf(each), '']);
  return Object.entries(record).map(
    ([name, field]) => `${name}: ${typeof field === 'string' ? field : JSON.stringify(field)}`,
  );
}
