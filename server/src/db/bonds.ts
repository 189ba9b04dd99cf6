import { type TableName, tableNames, tables } from './schema.ts';
import type { Bond } from './tables/facts.ts';

/** Rows of a table that go with what a column of theirs names. */
export interface Hanging {
  table: TableName;
  column: string;
}

/** What goes with a row of a table, in the way that is asked for. */
export const hangingOn = (thing: string, by: Bond['by']): readonly Hanging[] =>
  hanging.get(`${thing} ${by}`) ?? [];

const hanging = new Map<string, Hanging[]>();
for (const table of tableNames) {
  for (const [column, bond] of Object.entries(tables[table].goesWith ?? {}) as [string, Bond][]) {
    const key = `${bond.table} ${bond.by}`;
    hanging.set(key, [...(hanging.get(key) ?? []), { table, column }]);
  }
}
