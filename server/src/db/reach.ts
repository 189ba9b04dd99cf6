import type { RootOperationNode } from 'kysely';
import { hangingOn } from './bonds.ts';
import type { Runnable } from './contract.ts';
import { tableNames, tables } from './schema.ts';
import type { Template } from './statements.ts';

/** Rows of a table that a query reads or changes, as far as that can be told without running it. */
export interface Reach {
  table: string;
  /** Columns that all of these rows have a known value in; undefined where nothing is known. */
  pins?: Readonly<Record<string, unknown>>;
}

const authorityTables: ReadonlySet<string> = new Set(
  tableNames.filter((table) => tables[table].decidesAuthority),
);

const tablesOfTemplate = new WeakMap<Template, readonly string[]>();

/** What a query reads or changes. */
export function reachesOf(query: Runnable<unknown>): Reach[] {
  if (!('template' in query)) {
    return tablesOf(query.toOperationNode() as RootOperationNode).map((table) => ({ table }));
  }
  const { template, values } = query;
  let tables = tablesOfTemplate.get(template);
  if (!tables) {
    tables = tablesOf(template.node);
    tablesOfTemplate.set(template, tables);
  }
  return tables.map((table) => {
    const columns = template.pins?.[table];
    if (!columns) return { table };
    const pins: Record<string, unknown> = {};
    for (const column in columns) pins[column] = values[columns[column] as string];
    return { table, pins };
  });
}

/** False if no row can be in both, which are of one table. */
export function meet({ pins: one }: Reach, { pins: other }: Reach): boolean {
  if (!one || !other) return true;
  for (const name in one) {
    const value = one[name];
    // Columns of JSON are compared by nobody.
    if (Object.hasOwn(other, name) && isPlain(value) && value !== other[name]) return false;
  }
  return true;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** True if a query changes a table that decides who may do what. */
export function changesAuthority(node: RootOperationNode): boolean {
  const target = targetOf(node);
  return target !== undefined && [...tablesIn(target)].some((table) => authorityTables.has(table));
}

/** True if a query marks something whose rows are to be swept. */
export const marksSweep = (node: RootOperationNode): boolean =>
  node.kind === 'InsertQueryNode' && tablesIn(node.into ?? {}).has('sweep');

const targetOf = (node: RootOperationNode): object | undefined => {
  switch (node.kind) {
    case 'InsertQueryNode':
      return node.into;
    case 'UpdateQueryNode':
      return node.table;
    case 'DeleteQueryNode':
      return node.from;
    default:
      return undefined;
  }
};

function tablesOf(node: RootOperationNode): string[] {
  const tables = tablesIn(node);
  if (node.kind === 'DeleteQueryNode') {
    // A set is gone through to its end, also where it grows meanwhile.
    for (const table of tables)
      for (const hanging of hangingOn(table, 'foreignKey')) tables.add(hanging.table);
  }
  return [...tables];
}

/** The names of all tables in a part of a query's tree. */
function tablesIn(part: object, found = new Set<string>()): Set<string> {
  const { kind, table } = part as { kind?: string; table?: { identifier?: { name?: string } } };
  if (kind === 'TableNode' && table?.identifier?.name) found.add(table.identifier.name);
  for (const child of Object.values(part)) {
    if (typeof child === 'object' && child !== null) tablesIn(child, found);
  }
  return found;
}
