import type { Static, TObject } from 'typebox';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf, TableName } from '../db/schema.ts';
import { find } from '../db/statements.ts';
import { invalid, notFound } from '../errors.ts';
import { isId } from '../lib/deps.ts';
import type { Call } from '../operations/call.ts';
import type { Position } from '../operations/operation.ts';
import type { Page } from '../operations/read.ts';

/** Makes the function that picks a record's fields from a row. */
export function recordOf<S extends TObject>(schema: S): (row: object) => Static<S> {
  const names = Object.keys(schema.properties);
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const name of names) record[name] = (row as Record<string, unknown>)[name] ?? null;
    return record as Static<S>;
  };
}

/** `appInstall` as `app install`. */
const wordsOf = (table: string): string => table.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** The row with this id. Throws NOT_FOUND. */
export async function load<T extends TableName>(db: Reader, table: T, id: string): Promise<RowOf<T>> {
  const row = isId(id) ? await db.first(find(table, { id } as unknown as Partial<RowOf<T>>)) : undefined;
  if (!row) throw notFound(wordsOf(table));
  return row;
}

/**
 * The server that a request is about where nothing else tells: the one it names, or else the one that the caller acts in. Throws
 * NOT_FOUND, or INVALID_REQUEST where there is neither.
 */
export async function serverIdOf({ db, principal }: Call, given: string | undefined): Promise<string> {
  if (given !== undefined && given !== principal.serverId) await load(db, 'server', given);
  return given ?? ownServerId(principal);
}

/** The server that the caller acts in. Throws INVALID_REQUEST for one who acts in none. */
export function ownServerId({ serverId }: Principal): string {
  if (serverId === null) throw invalid('serverId', 'is required');
  return serverId;
}

/** A `serverId` that is given must be that of the request's other targets. Throws NOT_FOUND or INVALID_REQUEST. */
export async function requireSameServer(
  call: Call,
  given: string | undefined,
  serverId: string,
): Promise<void> {
  if (given === undefined || given === serverId) return;
  await serverIdOf(call, given);
  throw invalid('serverId', 'is another server than that of the rest of the request');
}

/** A page from rows of which one more than `limit` was asked for. */
export function pageOf<R, V>(
  rows: readonly R[],
  limit: number,
  positionOf: (row: R) => Position,
  toRecord: (row: R) => V,
): { records: V[]; next: Position | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return { records: shown.map(toRecord), next: rows.length > limit && last ? positionOf(last) : null };
}

/** A page of a list in the order of its rows' ids. */
export const pageById = <R extends { id: string }>(
  rows: readonly R[],
  limit: number,
  toRecord: (row: R) => unknown,
): Page => pageOf(rows, limit, (row) => [row.id], toRecord);

/** `updatedAt` of a row that changes now: later than it was, also on a clock that stands still. */
export const touched = (row: { updatedAt: number }, now: number): number => Math.max(now, row.updatedAt + 1);

/** The fields of a body that a row has and that were sent. */
export function sent<B extends object, K extends keyof B>(body: B, ...names: K[]): Partial<Pick<B, K>> {
  return Object.fromEntries(
    names.filter((name) => body[name] !== undefined).map((name) => [name, body[name]]),
  ) as Partial<Pick<B, K>>;
}
