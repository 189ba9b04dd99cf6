import type { Template } from '../statements.ts';

/** A read with the values of its parameters, all of which are texts. */
interface Read {
  readonly values: readonly unknown[];
}

/** One statement for several reads that differ in their values alone. */
export interface Many {
  readonly text: string;
  /** Its values, for those of each read. */
  valuesOf(reads: readonly Read[]): string[][];
  /** What a row has in common with the read that it answers: `keyOf` of that. */
  keyOfRow(row: Record<string, unknown>): unknown;
  /** `place` is that of the read among them. */
  keyOf(read: Read, place: number): unknown;
}

/** The statement for several reads of a template, whose own text is given; undefined if each has to be sent by itself. */
export function manyOf({ byColumn, byIds }: Template, text: string, parameters: number): Many | undefined {
  if (byColumn !== undefined) return manyByColumn(text, byColumn);
  return byIds ? manyByIds(text, parameters) : undefined;
}

/** Of the rows in which a column equals the one parameter. */
const manyByColumn = (text: string, column: string): Many => ({
  text: text.replace(/= \$1$/, '= any($1)'),
  valuesOf: (reads) => [reads.map(({ values: [value] }) => value as string)],
  keyOfRow: (row) => row[column],
  keyOf: ({ values: [value] }) => value,
});

/** The column with the number of the read that a row answers. */
const NUMBER = 'number of the read';

/** Of a query whose parameters are ids: it runs once for each row of these. */
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
