import { sql } from 'kysely';
import { q } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';

/** Tables of requests that strangers can start, and that wait for a person until they expire. */
type Waiting = 'approval' | 'authenticationRequest';

/** Limits on pending rows: in total, and per address. */
export interface Room {
  all: number;
  ofAddress: number;
}

/**
 * Whether no more rows may be pending, in total or for an address. Concurrent requests from the same
 * address wait for this transaction; the total limit is approximate.
 */
export async function isFull(
  { db, now }: Pick<Work, 'db' | 'now'>,
  table: Waiting,
  address: string,
  { all, ofAddress }: Room,
): Promise<boolean> {
  await db.hold(`${table} ${address}`);
  let live = q.selectFrom(table).select('id').where('expiresAt', '>', now);
  // Used codes are remembered, but nobody waits for them.
  if (table === 'approval') live = live.where(sql.ref('status'), '!=', 'used');
  const own = live.where('address', '=', address).limit(1);
  if (await db.first(own.offset(ofAddress - 1))) return true;
  return (await db.first(live.limit(1).offset(all - 1))) !== undefined;
}
