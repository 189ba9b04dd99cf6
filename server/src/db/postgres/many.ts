import type { Template } from '../statements.ts';

/** A read with its parameter values, which are all text. */
interface Read {
  readonly values: readonly unknown[];
}

/** One statement for several reads that differ only in their values. */
export interface Many {
  readonly text: string;
  /** Returns the parameter values of the combined statement, given those of each read. */
  valuesOf(reads: readonly Read[]): string[][];
  /** Returns the key that links a row to its read (`keyOf`). */
  keyOfRow(row: Record<string, unknown>): unknown;
  /** Returns the key of a read. `place` is its index among the combined reads. */
  keyOf(read: Read, place: number): unknown;
}

/**
 * Returns the statement that combines several reads of a template with this text. Undefined if each has to be
 * sent separately.
 */
export function manyOf({ byColumn, byIds }: Template, text: string, parameters: number): Many | undefined {
  if (byColumn !== undefined) return manyByColumn(text, byColumn);
  return byIds ? manyByIds(text, parameters) : undefined;
}

/** Combines reads that select rows by one column equal to their only parameter. */
const manyByColumn = (text: string, column: string): Many => ({
  text: text.replace(/= \$1$/, '= any($1)'),
  valuesOf: (reads) => [reads.map(({ values: [value] }) => value as string)],
  keyOfRow: (row) => row[column],
  keyOf: ({ values: [value] }) => value,
});

/** The column with the index of the read that a row belongs to. */
const NUMBER = 'number of the read';

/** Combines reads whose parameters are all ids: runs the query once for each tuple of ids. */
function manyByIds(text: string, parameters: number): Many {
  const places = Array.from({ length: parameters }, (_, index) => index);
  const arrays = places.map((place) => `$${place + 1}::uuid[]`).join(', ');
  const names = places.map((place) => `p${place + 1}`).join(', ');
  return {
    text: `select asked.number as "${NUMBER}", found.* from unnest(${arrays}) with ordinality as asked(${names}, number)
      cross join lateral (${text.replaceAll(/\$(\d+)/g, 'asked.p$1')}) as found`,
    valuesOf: (reads) => places.map((place) => reads.map(({ values }) => values[place] as string)),
    keyOfRow: (row) => row[NUMBER],
    keyOf: (_read, place) => place + 1,
  };
}
