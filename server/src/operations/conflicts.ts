import { tableNames, tables } from '../db/schema.ts';

/** The message of ALREADY_EXISTS for each unique index (decisions, part 3), by `table(column,column)`. */
export const conflicts: Readonly<Record<string, string>> = Object.fromEntries(
  tableNames.flatMap((table) =>
    Object.entries(tables[table].unique ?? {}).map(([columns, words]) => [`${table}(${columns})`, words]),
  ),
);
