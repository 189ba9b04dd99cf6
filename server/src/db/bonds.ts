import { type TableName, tableNames, tables } from './schema.ts';
import type { Bond } from './tables/facts.ts';

/** The rows in one table that depend on another row, whose id is in `column`. */
export interface Dependents {
  table: TableName;
  column: string;
}

/** Returns the tables, with their columns, that refer to the table `thing` and declare the bond `by`. */
export const dependentsOf = (thing: string, by: Bond['by']): readonly Dependents[] =>
  dependents.get(`${thing} ${by}`) ?? [];

const dependents = new Map<string, Dependents[]>();
for (const table of tableNames) {
  for (const [column, bond] of Object.entries(tables[table].goesWith ?? {}) as [string, Bond][]) {
    const key = `${bond.table} ${bond.by}`;
    dependents.set(key, [...(dependents.get(key) ?? []), { table, column }]);
  }
}
