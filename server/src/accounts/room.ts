import { q } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';

/** Tables of what strangers begin, and what waits for a person until it expires. */
type Waiting = 'approval' | 'authenticationRequest';

/** Rows that may wait: in all, and from one address. */
export interface Room {
  all: number;
  ofAddress: number;
}

/** True if no more may wait, in all or from an address. Others of the address wait for the transaction; the bound of all is not that sharp. */
export async function isFull(
  { db, now }: Pick<Work, 'db' | 'now'>,
  table: Waiting,
  address: string,
  { all, ofAddress }: Room,
): Promise<boolean> {
  await db.hold(`${table} ${address}`);
  const live = q.selectFrom(table).select('id').where('expiresAt', '>', now);
  const own = live.where('address', '=', address).limit(1);
  if (await db.first(own.offset(ofAddress - 1))) return true;
  return (await db.first(live.limit(1).offset(all - 1))) !== undefined;
}
