import { type Kysely, type RawBuilder, type RootOperationNode, type SqlBool, sql } from 'kysely';
import { type Hanging, hangingOn } from './bonds.ts';
import type { SqlDialect, Tx } from './contract.ts';
import { type RowOf, type TableName, tables } from './schema.ts';
import { Parameter, q, type Statement, type Template } from './statements.ts';

/** Rows of a table that a write removes at most with the thing that it removes; it leaves the rest to a sweep. */
export const ROWS_IN_WRITE = 200;

/** The effects of removing rows that go with a thing, beside that they are gone. */
export interface RemovalEffects {
  /** Called with rows of the thing's own that were removed, in the order of their ids. */
  removed?: { [T in TableName]?: (rows: RowOf<T>[]) => Promise<void> };
  /** Removes threads whose messages go, or lets them go on alone. Left out where threads go anyway. */
  release?: (threads: RowOf<'thread'>[]) => Promise<void>;
}

/**
 * Removes rows that go with a thing that is gone, as the facts of their tables say (`sweep`, `release`): up to `limit` of each
 * table. False if there may be more. What goes with a row is removed before it or with it.
 */
export async function removeHanging(
  tx: Tx,
  thing: TableName,
  id: string,
  limit: number,
  effects: RemovalEffects = {},
): Promise<boolean> {
  const { removed = {}, release } = effects;
  if (release && !(await releaseHanging(tx, thing, [id], limit, release))) return false;
  const hangings = hangingOn(thing, 'sweep');
  const untold = hangings.filter(({ table }) => !removed[table]);
  let isAll = await removeAllBelow(tx, untold, [id], limit, release);
  for (const hanging of hangings) {
    const tell = removed[hanging.table] as ((rows: object[]) => Promise<void>) | undefined;
    if (tell && !(await removeTold(tx, hanging, id, limit, tell))) isAll = false;
  }
  return isAll;
}

/** Several tables at once: on a database server they share the way there and back. */
async function removeAllBelow(
  tx: Tx,
  hangings: readonly Hanging[],
  ids: readonly string[],
  limit: number,
  release: RemovalEffects['release'],
): Promise<boolean> {
  const done = await Promise.all(hangings.map((hanging) => removeBelow(tx, hanging, ids, limit, release)));
  return done.every(Boolean);
}

async function removeTold(
  tx: Tx,
  hanging: Hanging,
  id: string,
  limit: number,
  tell: (rows: object[]) => Promise<void>,
): Promise<boolean> {
  const rows = await tx.all<{ id: string }>(rowsOf(tx.dialect, hanging, [id], limit));
  rows.sort((one, other) => (one.id < other.id ? -1 : 1));
  await tx.run(removalOf(tx.dialect, hanging.table, idsOf(rows)));
  if (rows.length > 0) await tell(rows);
  return rows.length < limit;
}

/** Removes rows that go with any of these things, once all has gone that goes with them. */
async function removeBelow(
  tx: Tx,
  hanging: Hanging,
  ids: readonly string[],
  limit: number,
  release: RemovalEffects['release'],
): Promise<boolean> {
  const { table } = hanging;
  const below = hangingOn(table, 'sweep');
  if (below.length === 0) {
    // One on each thing, as is common, is not yet many.
    const some = limit * 2;
    return (await tx.count(removalOfSome(tx.dialect, hanging, ids, some))) < some;
  }
  const found = idsOf(await tx.all(idsIn(tx.dialect, hanging, ids, limit)));
  if (found.length === 0) return true;
  if (release && !(await releaseHanging(tx, table, found, limit, release))) return false;
  if (!(await removeAllBelow(tx, below, found, limit, release))) return false;
  await tx.run(removalOf(tx.dialect, table, found));
  return found.length < limit;
}

/** Releases threads that hang on any of these things, up to `limit`. False if there may be more. */
export async function releaseHanging(
  tx: Tx,
  thing: TableName,
  ids: readonly string[],
  limit: number,
  release: (threads: RowOf<'thread'>[]) => Promise<void>,
): Promise<boolean> {
  for (const hanging of hangingOn(thing, 'release')) {
    const threads = await tx.all<RowOf<'thread'>>(rowsOf(tx.dialect, hanging, ids, limit));
    if (threads.length > 0) await release(threads);
    if (threads.length >= limit) return false;
  }
  return true;
}

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

type Build = (
  isAmong: (column: string) => RawBuilder<SqlBool>,
  limit: Parameter,
) => { toOperationNode(): object };

const templates = new Map<string, Template>();

/** A statement about rows of which a column is among identifiers, prepared once whatever their number. */
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
    // Rows that go with what is gone give nobody anything any more.
    template = { node, isPowerless: true };
    templates.set(`${name} ${what}`, template);
  }
  return { template, values: { ids: name === 'sqlite' ? JSON.stringify(ids) : `{${ids}}`, limit } };
}

const rowsOf = <R>(dialect: SqlDialect, { table, column }: Hanging, ids: readonly string[], limit: number) =>
  among<R>(dialect, `rows ${table} ${column}`, ids, limit, (isAmong, limit) =>
    any
      .selectFrom(table as string)
      .selectAll()
      .where(isAmong(column))
      .limit(limit as never),
  );

const idsIn = (dialect: SqlDialect, { table, column }: Hanging, ids: readonly string[], limit: number) =>
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
  { table, column }: Hanging,
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
    return any
      .deleteFrom(table as string)
      .where((eb) =>
        eb(
          key.length === 1 ? eb.ref(key[0] as string) : eb.refTuple(key[0] as string, key[1] as string),
          'in',
          some,
        ),
      );
  });
