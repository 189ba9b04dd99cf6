import { type Kysely, type RawBuilder, type RootOperationNode, type SqlBool, sql } from 'kysely';
import { type Dependents, dependentsOf } from './bonds.ts';
import type { SqlDialect, Tx } from './contract.ts';
import { type RowOf, type TableName, tables } from './schema.ts';
import { Parameter, q, remove, type Statement, type Template } from './statements.ts';

/** Side effects of deleting dependent rows. */
export interface RemovalEffects {
  /** Called with the direct dependents that were deleted, ordered by id. */
  removed?: { [T in TableName]?: (rows: RowOf<T>[]) => Promise<void> };
  /** Deletes or detaches the threads of deleted messages. Omitted if the threads are being deleted anyway. */
  release?: (threads: RowOf<'thread'>[]) => Promise<void>;
}

/**
 * Deletes rows that depend on a deleted row (`sweep` in the tables' `goesWith`): at most `limit` per table, or
 * twice as many if nothing depends on them. Dependents of dependents are deleted first. Returns false if there
 * may be more.
 */
export async function removeDependents(
  tx: Tx,
  thing: TableName,
  id: string,
  limit: number,
  effects: RemovalEffects = {},
): Promise<boolean> {
  const { removed = {}, release } = effects;
  const isTold = ({ table }: Dependents) => removed[table] !== undefined;
  const dependents = dependentsOf(thing, 'sweep');
  // Reads come first. On PostgreSQL, a read after a change waits for the earlier writes in the batch.
  const [told, threads] = await Promise.all([
    Promise.all(dependents.filter(isTold).map((group) => readTold(tx, group, id, limit))),
    release ? threadsOn(tx, thing, [id], limit) : [],
  ]);
  const untold = dependents.filter((group) => !isTold(group));
  let isAll = await removeAllBelow(tx, untold, [id], limit, release);
  for (const { group, rows, hasMore } of told) {
    if (rows.length === 0) continue;
    await tx.run(
      hasMore ? removalOf(tx.dialect, group.table, idsOf(rows)) : remove(group.table, { [group.column]: id }),
    );
    await (removed[group.table] as (rows: object[]) => Promise<void>)(rows);
    if (hasMore) isAll = false;
  }
  if (threads.length > 0) await release?.(threads);
  return isAll && threads.length < limit;
}

/** Returns up to `limit` dependents of `id` in one table, ordered by id. */
async function readTold(tx: Tx, group: Dependents, id: string, limit: number) {
  const found = await tx.all<{ id: string }>(rowsOf(tx.dialect, group, [id], limit + 1));
  const rows = found.slice(0, limit).sort((one, other) => (one.id < other.id ? -1 : 1));
  return { group, rows, hasMore: found.length > limit };
}

/**
 * Deletes dependents from several tables concurrently, so that they share round trips to a database server.
 */
async function removeAllBelow(
  tx: Tx,
  dependents: readonly Dependents[],
  ids: readonly string[],
  limit: number,
  release: RemovalEffects['release'],
): Promise<boolean> {
  const done = await Promise.all(dependents.map((group) => removeBelow(tx, group, ids, limit, release)));
  return done.every(Boolean);
}

/**
 * Deletes dependents of `ids` from one table, after their own dependents. Returns false if there may be more.
 */
async function removeBelow(
  tx: Tx,
  group: Dependents,
  ids: readonly string[],
  limit: number,
  release: RemovalEffects['release'],
): Promise<boolean> {
  const { table } = group;
  const below = dependentsOf(table, 'sweep');
  if (below.length === 0) {
    // Deletes up to twice the limit. Often, each of `limit` rows has exactly one dependent, and reaching the
    // limit would look as if there were more.
    const some = limit * 2;
    return (await tx.count(removalOfSome(tx.dialect, group, ids, some))) < some;
  }
  const found = idsOf(await tx.all(idsIn(tx.dialect, group, ids, limit)));
  if (found.length === 0) return true;
  const threads = release ? await threadsOn(tx, table, found, limit) : [];
  if (threads.length > 0) await release?.(threads);
  if (threads.length >= limit) return false;
  if (!(await removeAllBelow(tx, below, found, limit, release))) return false;
  await tx.run(removalOf(tx.dialect, table, found));
  return found.length < limit;
}

/** Returns the threads that belong to any of `ids`, up to `limit` per table that declares `release`. */
async function threadsOn(
  tx: Tx,
  thing: TableName,
  ids: readonly string[],
  limit: number,
): Promise<RowOf<'thread'>[]> {
  const groups = dependentsOf(thing, 'release');
  const found = groups.map((group) => tx.all<RowOf<'thread'>>(rowsOf(tx.dialect, group, ids, limit)));
  return (await Promise.all(found)).flat();
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

type Build = (
  isAmong: (column: string) => RawBuilder<SqlBool>,
  limit: Parameter,
) => { toOperationNode(): object };

const templates = new Map<string, Template>();

/**
 * Prepares a statement for rows whose column is in a list of ids. It is prepared once for lists of any
 * length.
 */
function among<R>(
  { name }: SqlDialect,
  what: string,
  ids: readonly string[],
  limit: number,
  build: Build,
): Statement<R> {
  let template = templates.get(`${name} ${what}`);
  if (!template) {
    const given = new Parameter('ids');
    const isAmong = (column: string) =>
      name === 'sqlite'
        ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${given}))`
        : sql<SqlBool>`${sql.ref(column)} = any(cast(${given} as uuid[]))`;
    const node = build(isAmong, new Parameter('limit')).toOperationNode() as RootOperationNode;
    // The deletion has already revoked the permissions granted by these rows.
    template = { node, keepsAuthority: true };
    templates.set(`${name} ${what}`, template);
  }
  return { template, values: { ids: name === 'sqlite' ? JSON.stringify(ids) : `{${ids}}`, limit } };
}

const rowsOf = <R>(
  dialect: SqlDialect,
  { table, column }: Dependents,
  ids: readonly string[],
  limit: number,
) =>
  among<R>(dialect, `rows ${table} ${column}`, ids, limit, (isAmong, limit) =>
    any
      .selectFrom(table as string)
      .selectAll()
      .where(isAmong(column))
      .limit(limit as never),
  );

const idsIn = (dialect: SqlDialect, { table, column }: Dependents, ids: readonly string[], limit: number) =>
  among<{ id: string }>(dialect, `ids ${table} ${column}`, ids, limit, (isAmong, limit) =>
    any
      .selectFrom(table as string)
      .select('id')
      .where(isAmong(column))
      .limit(limit as never),
  );

const removalOf = (dialect: SqlDialect, table: TableName, ids: readonly string[]) =>
  among(dialect, `remove ${table}`, ids, 0, (isAmong) =>
    any.deleteFrom(table as string).where(isAmong('id')),
  );

const removalOfSome = (
  dialect: SqlDialect,
  { table, column }: Dependents,
  ids: readonly string[],
  limit: number,
) =>
  among(dialect, `remove some ${table} ${column}`, ids, limit, (isAmong, limit) => {
    const { key } = tables[table];
    const some = any
      .selectFrom(table as string)
      .select([...key])
      .where(isAmong(column))
      .limit(limit as never);
    const keyOfRow = sql`(${sql.join(key.map((name) => sql.ref(name)))})`;
    return any.deleteFrom(table as string).where(keyOfRow, 'in', some);
  });
