import { type CleanedWhere, createAdapterFactory } from 'better-auth/adapters';
import type { Kysely } from 'kysely';
import { digestOf } from '../../access/credentials/token.ts';
import { sql } from '../../db/kysely.ts';
import { q } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { columnsOf, type Model, models, placeholderOf } from './models.ts';

// better-auth's adapter. It reads alone: accounts and sessions are made and changed by works of our own.

type Row = Record<string, unknown>;

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as Kysely<any>;

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

function conditionOf(model: Model, { field, operator, value, connector }: CleanedWhere) {
  const column = model.columns[field];
  if (!column || operator !== 'eq' || connector === 'OR')
    throw new Error(`${model.name} is not found by ${field} ${operator}`);
  const given = column.isDigest ? digestOf(String(value)) : value;
  return sql<boolean>`${sql.ref(`${column.table ?? model.table}.${column.name}`)} = ${given}`;
}

/** The rows of a model that meet all conditions. */
function rowsOf(model: Model, where: readonly CleanedWhere[]) {
  let rows = any.selectFrom(model.table);
  if (model.name === 'user') rows = rows.innerJoin('user', 'user.id', 'person.id');
  for (const [field, { name, table = model.table }] of columnsOf(model))
    rows = rows.select(sql.ref(`${table}.${name}`).as(field));
  for (const one of where) rows = rows.where(conditionOf(model, one));
  return rows;
}

const modelOf = (name: string | undefined): Model => {
  const model: Model | undefined = models[name as keyof typeof models];
  if (!model) throw new Error(`there is no model ${name}`);
  return model;
};

/** For what better-auth would change. Palaver asks it for nothing that does. */
const changesNothing = (): never => {
  throw new Error('accounts are changed by Palaver itself');
};

/** The adapter of these services. */
export const adapterFor = ({ db }: Pick<Services, 'db'>) => {
  async function findMany<T>({
    modelKey,
    where = [],
  }: {
    modelKey?: string | undefined;
    where?: CleanedWhere[] | undefined;
  }): Promise<T[]> {
    const model = modelOf(modelKey);
    const rows = (await db.read.all(rowsOf(model, where))) as Row[];
    return rows.map((row) => toRecord(model, row, where) as T);
  }
  return createAdapterFactory({
    config: { adapterId: 'palaver', supportsJSON: true, supportsArrays: true, transaction: false },
    adapter: () => ({
      findMany,
      findOne: async <T>(asked: Parameters<typeof findMany>[0]) => (await findMany<T>(asked))[0] ?? null,
      async create({ modelKey, data }) {
        // Palaver makes the session itself, once a code was right where one is asked for. This one is kept nowhere.
        return modelKey === 'session' ? data : changesNothing();
      },
      count: changesNothing,
      update: changesNothing,
      updateMany: changesNothing,
      delete: changesNothing,
      deleteMany: changesNothing,
      consumeOne: changesNothing,
      incrementOne: changesNothing,
    }),
  });
};
