import type { RootOperationNode } from 'kysely';
import type { Runnable } from './contract.ts';
import type { Template } from './statements.ts';
import { authorityTables } from './tables.ts';

/** Rows of a table that a query reads or changes, as far as that can be told without running it. */
export interface Reach {
  table: string;
  /** Columns that all of these rows have a known value in; undefined where nothing is known. */
  pins?: Readonly<Record<string, unknown>>;
}

const webhookTables = ['webhook', 'webhookState', 'webhookDelivery'];

/** Rows that go with a row that is deleted: the foreign keys that cascade. */
const cascades: Readonly<Record<string, readonly string[]>> = {
  role: ['userRole', 'secret', 'keyUse', ...webhookTables],
  secret: ['keyUse'],
  webhook: webhookTables,
  app: ['appInstall', 'secret', 'keyUse'],
};

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
    for (const table of [...tables]) for (const other of cascades[table] ?? []) tables.add(other);
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
