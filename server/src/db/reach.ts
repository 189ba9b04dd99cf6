import type { RootOperationNode } from 'kysely';
import type { Runnable } from './contract.ts';
import type { Template } from './statements.ts';
import { authorityTables } from './tables.ts';

/** Which rows a query reads or changes, as far as that can be told without running it. */
export interface Reach {
  tables: ReadonlySet<string>;
  /** Columns that all of these rows have a known value in; undefined where nothing is known. */
  pins?: Readonly<Record<string, unknown>>;
}

/** Rows that go with a row that is deleted: the foreign keys that cascade. */
const cascades: Readonly<Record<string, readonly string[]>> = {
  role: ['userRole', 'secret', 'keyUse'],
  secret: ['keyUse'],
  app: ['appInstall', 'secret', 'keyUse'],
};

const reaches = new WeakMap<Template, Reach>();

/** What a query reads or changes. */
export function reachOf(query: Runnable<unknown>): Reach {
  if (!('template' in query)) return { tables: tablesOf(query.toOperationNode() as RootOperationNode) };
  const { template, values } = query;
  let reach = reaches.get(template);
  if (!reach) {
    reach = { tables: tablesOf(template.node) };
    reaches.set(template, reach);
  }
  // What cascades reaches rows of other tables, which the pins say nothing of.
  if (!template.pins || reach.tables.size > 1) return reach;
  const pins: Record<string, unknown> = {};
  for (const name of template.pins) pins[name] = values[name];
  return { tables: reach.tables, pins };
}

/** False if no row can be in both. */
export function meet(one: Reach, other: Reach): boolean {
  let shared = false;
  for (const table of one.tables) shared ||= other.tables.has(table);
  if (!shared || !one.pins || !other.pins) return shared;
  for (const name in one.pins) {
    const value = one.pins[name];
    // Columns of JSON are compared by nobody.
    if (Object.hasOwn(other.pins, name) && isPlain(value) && value !== other.pins[name]) return false;
  }
  return true;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

/** True if a query changes a table that decides who may do what. */
export function changesAuthority(node: RootOperationNode): boolean {
  const target = targetOf(node);
  return target !== undefined && [...tablesIn(target)].some((table) => authorityTables.has(table));
}

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

function tablesOf(node: RootOperationNode): ReadonlySet<string> {
  const tables = tablesIn(node);
  if (node.kind !== 'DeleteQueryNode') return tables;
  return new Set([...tables, ...[...tables].flatMap((table) => cascades[table] ?? [])]);
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
