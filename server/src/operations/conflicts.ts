import { tableNames, tables } from '../db/schema.ts';

/** The ALREADY_EXISTS message for each unique index (decisions, part 3), by `table(column,column)`. */
export const conflicts: Readonly<Record<string, string>> = Object.fromEntries(
  tableNames.flatMap((table) =>
    Object.entries(tables[table].unique ?? {}).map(([columns, words]) => [`${table}(${columns})`, words]),
  ),
);
