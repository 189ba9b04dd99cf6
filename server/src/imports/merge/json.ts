import { sql } from 'kysely';
import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, q, update } from '../../db/statements.ts';
import { firstIdAt } from '../../lib/deps.ts';
import type { Work } from '../../operations/work.ts';

/** A row of any table. */
type AnyRow = Readonly<Record<string, unknown>>;

interface Merge {
  userId: string;
  accountId: string;
}

/** A JSON column in which user ids affect what happens later. */
export interface JsonEntry {
  table: 'message' | 'flow' | 'flowRun' | 'flowWait';
  column: string;
}

/**
 * The `deciders` of approvals (in the blocks of messages), the definitions of flows, and the state of running
 * flows. Other JSON columns only record the past: data that was sent to agents, and the results of steps.
 */
export const jsonEntries: readonly JsonEntry[] = [
  { table: 'message', column: 'blocks' },
  ...['trigger', 'steps'].map((column) => ({ table: 'flow' as const, column })),
  ...['steps', 'input', 'items'].map((column) => ({ table: 'flowRun' as const, column })),
  ...['condition', 'answers'].map((column) => ({ table: 'flowWait' as const, column })),
];

export const jsonEntryOf = ({ table, column }: { table: string; column: string }): JsonEntry | undefined =>
  jsonEntries.find((entry) => entry.table === table && entry.column === column);

/** Selects the rows that may contain the user's id in this column. */
export function mayName({ table, column }: JsonEntry, userId: string) {
  const names = sql<boolean>`cast(${sql.ref(column)} as text) like ${`%${userId}%`}`;
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
  const rows = q.selectFrom(table as any).selectAll();
  // The steps of a run are deleted when it ends.
  return (table === 'flowRun' ? rows.where('steps', 'is not', null) : rows).where(names);
}

/**
 * Returns the position at which the search in a column begins. Archives contain no `deciders`, so only
 * messages sent after the import can contain the user.
 */
export const startIn = (
  { table, column }: { table: string; column: string },
  since: number,
): string | undefined => (table === 'message' && column === 'blocks' ? firstIdAt(since) : undefined);

/** Replaces the user with the account. */
export async function renameIn(
  { db }: Work,
  { table, column }: JsonEntry,
  row: AnyRow,
  merge: Merge,
): Promise<void> {
  const id = row.id as string;
  const current = await rowOf(db, table, id);
  const value = current?.[column];
  if (value != null) await db.run(update(table, id, { [column]: renamed(value, merge) } as never));
}

const rowOf = (db: Reader, table: JsonEntry['table'], id: string): Promise<AnyRow | undefined> =>
  db.first(find(table, { id }) as ReturnType<typeof find<'flow'>>) as Promise<
    Partial<RowOf<JsonEntry['table']>> | undefined
  > as Promise<AnyRow | undefined>;

/**
 * Returns a JSON value in which the account replaces the user. In an array that contains both, the account
 * remains once.
 */
function renamed(value: unknown, merge: Merge): unknown {
  if (value === merge.userId) return merge.accountId;
  if (Array.isArray(value)) {
    const list = value.map((each) => renamed(each, merge));
    if (!value.includes(merge.userId)) return list;
    return list.filter((each, index) => each !== merge.accountId || list.indexOf(each) === index);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, renamed(each, merge)]));
}
