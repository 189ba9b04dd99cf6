import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import type { Kysely } from 'kysely';
import { digestOf } from '../../access/credentials/token.ts';
import type { Reads, Tx } from '../../db/contract.ts';
import { sql } from '../../db/kysely.ts';
import { insert, q, remove, update } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { type Column, columnsOf, type Model, models, placeholderOf } from './models.ts';

// better-auth's adapter over `db.write`: each of its calls is one work. It never sees a token's row, only digests.

type Row = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

/** A value as the database has it. */
function toColumn(value: unknown, { isDigest }: Column): unknown {
  if (Array.isArray(value)) return value.map((one) => toColumn(one, { isDigest } as Column));
  if (value instanceof Date) return value.getTime();
  return isDigest && typeof value === 'string' ? digestOf(value) : value;
}

/** A row as better-auth knows it. A token is the one that was asked for: the database has its digest only. */
function toRecord(model: Model, row: Row, where: readonly CleanedWhere[]): Row {
  const record: Row = {};
  for (const [field, column] of columnsOf(model)) {
    const value = row[field];
    record[field] = column.isTime && typeof value === 'number' ? new Date(value) : value;
    if (column.isDigest) record[field] = where.find((one) => one.field === field)?.value ?? value;
  }
  if (model.name === 'user') record.email ??= placeholderOf(row.id as string);
  return record;
}

const comparisons = {
  eq: '=',
  ne: '!=',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  in: 'in',
  not_in: 'not in',
} as const;

function conditionOf(model: Model, { field, operator, value }: CleanedWhere) {
  const column = model.columns[field];
  const comparison = comparisons[operator as keyof typeof comparisons];
  if (!column || !comparison) throw new Error(`${model.name} cannot be found by ${field} ${operator}`);
  const given = toColumn(value, column);
  const name = sql.ref(`${column.table ?? model.table}.${column.name}`);
  if (given === null) return sql<boolean>`${name} is ${operator === 'ne' ? sql`not ` : sql``}null`;
  // PostgreSQL refuses a list without elements.
  if (Array.isArray(given) && given.length === 0) return sql<boolean>`1 = ${operator === 'in' ? 0 : 1}`;
  const right = Array.isArray(given) ? sql`(${sql.join(given)})` : sql`${given}`;
  return sql<boolean>`${name} ${sql.raw(comparison)} ${right}`;
}

/** The rows of a model that meet conditions, in the order of their ids unless `sortBy` is given. */
function rowsOf(
  model: Model,
  where: readonly CleanedWhere[] = [],
  {
    sortBy,
    limit,
  }: { sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined; limit?: number } = {},
) {
  let rows = any.selectFrom(model.table);
  if (model.name === 'user') rows = rows.innerJoin('user', 'user.id', 'person.id');
  for (const [field, { name, table = model.table }] of columnsOf(model))
    rows = rows.select(sql.ref(`${table}.${name}`).as(field));
  const all = where.filter(({ connector }) => connector !== 'OR');
  const some = where.filter(({ connector }) => connector === 'OR');
  for (const one of all) rows = rows.where(conditionOf(model, one));
  if (some.length > 0) rows = rows.where(({ or }) => or(some.map((one) => conditionOf(model, one))));
  const { name, table = model.table } = model.columns[sortBy?.field ?? 'id'] as Column;
  rows = rows.orderBy(sql.ref(`${table}.${name}`), sortBy?.direction ?? 'asc');
  return limit === undefined ? rows : rows.limit(limit);
}

const find = (db: Reads, model: Model, where: readonly CleanedWhere[]): Promise<Row[]> =>
  db.all(rowsOf(model, where)) as Promise<Row[]>;

/** Sets fields of a row, in the tables that have them. */
async function set(tx: Tx, model: Model, id: string, fields: Row, now: number): Promise<void> {
  const byTable = new Map<string, Row>();
  for (const [field, column] of columnsOf(model)) {
    if (fields[field] === undefined || field === 'id') continue;
    const table = column.table ?? model.table;
    byTable.set(table, { ...byTable.get(table), [column.name]: toColumn(fields[field], column) });
  }
  for (const [table, columns] of byTable)
    await tx.run(update(table as typeof model.table, id, { ...columns, updatedAt: now }));
}

/** The adapter of these services. */
export const adapterFor = (services: Services) => {
  const write = <T>(task: (tx: Tx) => Promise<T>): Promise<T> => services.db.write(task);
  const modelOf = (name: string | undefined): Model => {
    const model = models[name as keyof typeof models];
    if (!model) throw new Error(`there is no model ${name}`);
    return model;
  };
  const now = () => services.deps.now();

  return createAdapterFactory({
    config: { adapterId: 'palaver', supportsJSON: true, supportsArrays: true, transaction: false },
    adapter: () => ({
      async create({ modelKey, data }) {
        const model = modelOf(modelKey);
        if (model.name === 'user') throw new Error('people sign up with Palaver itself');
        // Palaver makes the session itself, once a code was right where one is asked for. This one is kept nowhere.
        if (model.name === 'session') return data;
        const row: Row = {};
        for (const [field, column] of columnsOf(model))
          row[column.name] = toColumn(data[field] ?? null, column);
        await write((tx) => tx.run(insert(model.table, row as never)));
        return data;
      },
      async findOne<T>({ modelKey, where }: { modelKey?: string | undefined; where: CleanedWhere[] }) {
        const model = modelOf(modelKey);
        const row = (await services.db.read.first(rowsOf(model, where, { limit: 1 }))) as Row | undefined;
        return row ? (toRecord(model, row, where) as T) : null;
      },
      async findMany<T>({
        modelKey,
        where = [],
        ...options
      }: {
        modelKey?: string | undefined;
        where?: CleanedWhere[] | undefined;
        limit: number;
        sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined;
      }) {
        const model = modelOf(modelKey);
        const rows = (await services.db.read.all(rowsOf(model, where, options))) as Row[];
        return rows.map((row) => toRecord(model, row, where) as T);
      },
      async count({ modelKey, where = [] }) {
        return (await find(services.db.read, modelOf(modelKey), where)).length;
      },
      async update<T>({
        modelKey,
        where,
        update: fields,
      }: {
        modelKey?: string | undefined;
        where: CleanedWhere[];
        update: T;
      }) {
        const model = modelOf(modelKey);
        return write(async (tx) => {
          const [row] = await find(tx, model, where);
          if (!row) return null;
          await set(tx, model, row.id as string, fields as Row, now());
          return toRecord(model, { ...row, ...(fields as Row) }, where) as T;
        });
      },
      async updateMany({ modelKey, where, update: fields }) {
        const model = modelOf(modelKey);
        return write(async (tx) => {
          const rows = await find(tx, model, where);
          for (const { id } of rows) await set(tx, model, id as string, fields, now());
          return rows.length;
        });
      },
      async delete({ modelKey, where }) {
        const model = modelOf(modelKey);
        await write(async (tx) => {
          for (const { id } of await find(tx, model, where))
            await tx.run(remove(model.table, { id } as never));
        });
      },
      async deleteMany({ modelKey, where }) {
        const model = modelOf(modelKey);
        return write(async (tx) => {
          const rows = await find(tx, model, where);
          for (const { id } of rows) await tx.run(remove(model.table, { id } as never));
          return rows.length;
        });
      },
      async consumeOne<T>({ modelKey, where }: { modelKey?: string | undefined; where: CleanedWhere[] }) {
        const model = modelOf(modelKey);
        return write(async (tx) => {
          const [row] = await find(tx, model, where);
          // Another node may have been sooner.
          const isOurs = row && (await tx.count(remove(model.table, { id: row.id } as never))) === 1;
          return isOurs ? (toRecord(model, row, where) as T) : null;
        });
      },
      async incrementOne<T>({
        modelKey,
        where,
        increment,
        set: fields = {},
      }: {
        modelKey?: string | undefined;
        where: CleanedWhere[];
        increment: Record<string, number>;
        set?: Record<string, unknown> | undefined;
      }) {
        const model = modelOf(modelKey);
        return write(async (tx) => {
          const [row] = await find(tx, model, where);
          if (!row) return null;
          const changes: Row = { ...fields };
          for (const [field, by] of Object.entries(increment)) changes[field] = Number(row[field]) + by;
          let guarded = any.updateTable(model.table).where('id', '=', row.id);
          for (const field of Object.keys(increment)) {
            const { name } = model.columns[field] as Column;
            guarded = guarded.set(name, changes[field]).where(name, '=', row[field]);
          }
          // Another node may have been sooner: better-auth takes that as a guard that did not hold.
          if ((await tx.count(guarded)) === 0) return null;
          await set(tx, model, row.id as string, fields, now());
          return toRecord(model, { ...row, ...changes }, where) as T;
        });
      },
    }),
  });
};
