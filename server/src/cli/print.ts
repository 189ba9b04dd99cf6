import type { Outcome } from './command.ts';

/** Prints the outcome of a command: JSON on one line, or lines for people. */
export function print({ record, lines }: Outcome, asJson: boolean): void {
  const printed = asJson ? [JSON.stringify(record)] : (lines ?? linesOf(record));
  process.stdout.write(printed.map((line) => `${line}\n`).join(''));
}

/** One line for each field; an empty line after each record of a list. */
function linesOf(record: object): string[] {
  if (Array.isArray(record)) return record.flatMap((each) => [...linesOf(each), '']);
  return Object.entries(record).map(
    ([name, field]) => `${name}: ${typeof field === 'string' ? field : JSON.stringify(field)}`,
  );
}
