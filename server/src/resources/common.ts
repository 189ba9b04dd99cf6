import { isDeepStrictEqual } from 'node:util';
import type { Static, TObject } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Readable } from '../access/visibility.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf, TableName } from '../db/schema.ts';
import { find, findPart } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { isId } from '../lib/deps.ts';
import type { Call } from '../operations/call.ts';

/**
 * Returns a function that converts a row to a record with the fields of the schema. Missing fields become
 * null unless they are optional.
 */
export function recordOf<S extends TObject>(schema: S): (row: object) => Static<S> {
  const names = Object.keys(schema.properties);
  const optional = new Set(names.filter((name) => !schema.required?.includes(name)));
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const name of names) {
      const value = (row as Record<string, unknown>)[name];
      if (value !== undefined || !optional.has(name)) record[name] = value ?? null;
    }
    return record as Static<S>;
  };
}

/** Converts a name such as `appInstall` to `app install`. */
const wordsOf = (table: string): string => table.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Loads the row with this id. Throws NOT_FOUND. */
export async function load<T extends TableName>(db: Reader, table: T, id: string): Promise<RowOf<T>> {
  const row = isId(id) ? await db.first(find(table, { id } as unknown as Partial<RowOf<T>>)) : undefined;
  // A deleted server is unavailable immediately and is swept in the background.
  if (!row || (row as Partial<RowOf<'server'>>).deletedAt != null) throw notFound(wordsOf(table));
  return row;
}

/**
 * Loads some columns of a row for the target of a read. The other columns may be large, and the time that an
 * error takes must not reveal their size. Throws NOT_FOUND.
 */
export async function loadPart<T extends TableName, K extends keyof RowOf<T> & string>(
  db: Reader,
  table: T,
  id: string,
  ...columns: K[]
): Promise<Pick<RowOf<T>, K>> {
  const row = isId(id) ? await db.first(findPart(table, id, columns)) : undefined;
  if (!row) throw notFound(wordsOf(table));
  return row;
}

/**
 * Returns the server of a request: the given one, or the server in which the caller acts. Throws NOT_FOUND,
 * or INVALID_REQUEST if there is no server.
 */
export async function serverIdOf({ db, principal }: Call, given: string | undefined): Promise<string> {
  if (given !== undefined && given !== principal.serverId) await load(db, 'server', given);
  return given ?? ownServerId(principal);
}

/** Maximum number of ids or names in one request. */
export const MAX_NAMED = 100;

/**
 * Splits a comma-separated query field; undefined if it is missing. Throws INVALID_REQUEST if there are too
 * many values.
 */
export function namedIn<F extends string>(query: { readonly [K in F]?: string | undefined }, field: F) {
  const names = query[field]?.split(',');
  if (names && names.length > MAX_NAMED) throw invalid('too_many', field, `must be at most ${MAX_NAMED}`);
  return names;
}

/** Like {@link namedIn}, for ids. Omits values that cannot be ids. */
export const namedIdsIn = <F extends string>(query: { readonly [K in F]?: string | undefined }, field: F) =>
  namedIn(query, field)?.filter(isId);

/** Returns the target of a read: the server in the path. Throws NOT_FOUND. */
export const serverTarget = async ({ db }: Call, { params }: { params: { serverId: string } }) => ({
  serverId: (await load(db, 'server', params.serverId)).id,
});

/** Returns the target of a read: the caller's account. */
export const ownTarget = ({ principal }: Call) => ({ serverId: null, ownerId: principal.userId });

/** Implements `ahead` for a read whose target is the server in the path. */
export const aheadInServer = (_call: Call, { params }: { params: { serverId: string } }): Readable => ({
  serverId: params.serverId,
});

/** Returns the server in which the caller acts. Throws INVALID_REQUEST if there is none. */
export function ownServerId({ serverId }: Principal): string {
  if (serverId === null) throw invalid('missing', 'serverId', 'is required');
  return serverId;
}

/**
 * Throws NOT_FOUND or INVALID_REQUEST if a given `serverId` differs from the server of the request's other
 * targets.
 */
export async function requireSameServer(
  call: Call,
  given: string | undefined,
  serverId: string,
): Promise<void> {
  if (given === undefined || given === serverId) return;
  await serverIdOf(call, given);
  throw invalid('mismatch', 'serverId', 'differs from the server of the other ids in the request');
}

/**
 * Returns the new `updatedAt` of a row, in ms: the current time, but always later than the previous value,
 * even if the clock was set back.
 */
export const touched = (row: { updatedAt: number }, now: number): number => Math.max(now, row.updatedAt + 1);

/**
 * Whether any of these values differs from the row's. If not, an update returns the unchanged record and
 * emits no event (decisions, part 8).
 */
export const alters = (row: object, fields: object): boolean =>
  Object.entries(fields).some(([name, value]) => !isDeepStrictEqual(row[name as keyof object], value));

/** Picks the named fields that are present in a body. */
export function sent<B extends object, K extends keyof B>(body: B, ...names: K[]): Partial<Pick<B, K>> {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Partial<Pick<B, K>>;
}

/** Prevents an unhandled rejection of a read that is awaited later. Awaiting the read still throws. */
export function started<T>(reading: Promise<T>): Promise<T> {
  reading.catch(() => {});
  return reading;
}
