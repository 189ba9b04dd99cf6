import { sql } from 'kysely';
import type { Reader } from '../db/contract.ts';
import type { TableName } from '../db/schema.ts';
import { find, prepare, q, type Statement } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { type QuotaName, type Quotas, quotaRows, quotaTable, type RowQuota } from './quotas.ts';
import type { RuntimeSettings } from './runtime.ts';

interface Place {
  serverId: string;
  /** Maximum rows to count. */
  most: number;
}

type Counting = (place: Place) => Statement<{ rows: number }>;

const countingOf = (table: TableName, where: NonNullable<RowQuota['where']>): Counting =>
  prepare(
    ({ serverId, most }: Place) => {
      let rows = q
        .selectFrom(table as 'channel')
        .select('id')
        .where('serverId', '=', serverId);
      // Uses literals instead of parameters, because SQLite would not use a partial index with parameters.
      for (const [column, value] of Object.entries(where))
        rows = rows.where(sql.ref(column), '=', sql.lit(value));
      return q.selectFrom(rows.limit(most).as('found')).select((eb) => eb.fn.countAll<number>().as('rows'));
    },
    { [table]: { serverId: 'serverId' } },
  );

/**
 * Counts the agents of a server that have a key or an incoming webhook there. Reads keys and webhooks,
 * because their number is limited, while there may be any number of agents whose keys were revoked.
 */
const countAgents: Counting = prepare(
  ({ serverId, most }: Place) => {
    const of = (table: 'secret' | 'webhook') =>
      q.selectFrom(table).select('userId').where('serverId', '=', serverId).where('userId', 'is not', null);
    const agents = q
      .selectFrom(of('secret').union(of('webhook')).as('active'))
      .innerJoin('serverMember', 'serverMember.userId', 'active.userId')
      .select('serverMember.id')
      .where('serverMember.serverId', '=', serverId)
      .where('serverMember.isAgent', '=', true)
      .limit(most);
    return q.selectFrom(agents.as('found')).select((eb) => eb.fn.countAll<number>().as('rows'));
  },
  Object.fromEntries(['secret', 'webhook', 'serverMember'].map((table) => [table, { serverId: 'serverId' }])),
);

/**
 * For each quota, the statement that counts its rows in a server. Counting stops at `most`, which limits the
 * cost.
 */
const countings = new Map<QuotaName, Counting>();
/** The row quotas that apply to an insert, and the field quotas, by noun. */
const ofInserts: Partial<Record<string, QuotaName[]>> = {};
const ofFields: Partial<Record<string, { name: QuotaName; field: string }[]>> = {};

for (const [name, quota] of quotaRows) {
  const { noun } = quota;
  if ('ofFiles' in quota) continue;
  if ('field' in quota) {
    ofFields[noun] = [...(ofFields[noun] ?? []), { name, field: quota.field }];
    continue;
  }
  const { table, where = {} } = quota;
  ofInserts[noun] = [...(ofInserts[noun] ?? []), name];
  countings.set(name, table === 'keysAndHooks' ? countAgents : countingOf(table, where));
}

/** Counts the rows of a server that count towards a row quota, up to `most`. */
export const rowsIn = async (db: Reader, name: QuotaName, place: Place): Promise<number> =>
  Number((await db.first((countings.get(name) as Counting)(place)))?.rows ?? 0);

/** Returns the row quotas that apply to an insert of a noun. */
export const quotasOf = (noun: string): readonly QuotaName[] => ofInserts[noun] ?? [];

/** Throws INVALID_REQUEST if a field in the body of a write exceeds the noun's quota in bytes. */
export function requireBytes(quotas: Quotas, noun: string, body: Readonly<Record<string, unknown>>): void {
  for (const { name, field } of ofFields[noun] ?? []) {
    const most = quotas[name];
    const value = body[field];
    if (most === 0 || value === undefined) continue;
    const bytes = Buffer.byteLength(JSON.stringify(value));
    if (bytes > most)
      throw invalid('quota', field, `has ${bytes} bytes as JSON. The quota "${name}" is ${most}`);
  }
}

/**
 * Throws INVALID_REQUEST if a server has used up one of these row quotas. Call this before the first change,
 * in a transaction that is serialized with the server's other writes.
 */
export async function requireRoom(
  db: Reader,
  quotas: Quotas,
  serverId: string,
  names: readonly QuotaName[],
): Promise<void> {
  const bounded = names.filter((name) => quotas[name] > 0);
  const counts = await Promise.all(bounded.map((name) => rowsIn(db, name, { serverId, most: quotas[name] })));
  for (const [index, name] of bounded.entries()) {
    if ((counts[index] ?? 0) < quotas[name]) continue;
    const { words } = quotaTable[name];
    throw invalid('quota', '', `the quota "${name}" is used up: a server can have ${quotas[name]} ${words}`);
  }
}

/** Bytes per megabyte, for settings and quotas. */
export const MEGABYTE = 1_000_000;

/** Throws INVALID_REQUEST if `bytes` in addition to the bytes in use would exceed this many megabytes. */
function requireFit(used: number, bytes: number, megabytes: number, message: string): void {
  if (used + bytes > megabytes * MEGABYTE) throw invalid('quota', '', message);
}

/** Limits on stored files, in megabytes; 0 for no limit. */
export type StorageLimits = Pick<RuntimeSettings, 'personMegabytes' | 'storageMegabytes'>;

/** Throws INVALID_REQUEST if this many additional bytes would exceed a person's storage limit. */
export async function requirePersonRoom(
  db: Reader,
  { personMegabytes: most }: StorageLimits,
  userId: string,
  bytes: number,
): Promise<void> {
  if (most === 0) return;
  requireFit(
    await usedBytes.personMegabytes(db, userId),
    bytes,
    most,
    `your ${most} MB for files are used up. Delete some first (quota "personMegabytes")`,
  );
}

const allBytes = prepare(() =>
  q.selectFrom('personUse').select((eb) => eb.fn.sum<number | null>('bytes').as('bytes')),
);

/** The bytes in use that count towards the limit with the same name. */
export const usedBytes = {
  fileMegabytes: async (db: Reader, serverId: string): Promise<number> =>
    Number((await db.first(find('fileUse', { serverId })))?.bytes ?? 0),
  personMegabytes: async (db: Reader, userId: string): Promise<number> =>
    Number((await db.first(find('personUse', { userId })))?.bytes ?? 0),
  storageMegabytes: async (db: Reader): Promise<number> => Number((await db.first(allBytes({})))?.bytes ?? 0),
};

/**
 * Throws INVALID_REQUEST if this many additional bytes would exceed the total storage limit. Concurrent
 * uploads may exceed it by their own size.
 */
export async function requireStorageRoom(
  db: Reader,
  { storageMegabytes: most }: StorageLimits,
  bytes: number,
): Promise<void> {
  if (most === 0) return;
  requireFit(
    await usedBytes.storageMegabytes(db),
    bytes,
    most,
    `the ${most} MB for all files here are used up. Ask the operator for more (quota "storageMegabytes")`,
  );
}

/** Throws INVALID_REQUEST if this many additional bytes would exceed a server's file quota. */
export async function requireFileRoom(
  db: Reader,
  { fileMegabytes }: Quotas,
  serverId: string,
  bytes: number,
): Promise<void> {
  if (fileMegabytes === 0) return;
  const { words } = quotaTable.fileMegabytes;
  requireFit(
    await usedBytes.fileMegabytes(db, serverId),
    bytes,
    fileMegabytes,
    `the quota "fileMegabytes" is used up: a server can have ${fileMegabytes} ${words}`,
  );
}
