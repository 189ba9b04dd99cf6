import { sql } from 'kysely';
import { q } from '../db/statements.ts';
import { siteOf } from '../lib/network.ts';
import { RESERVED } from '../lib/tenantShares.ts';
import type { Work } from '../operations/work.ts';

/**
 * Tables of pending requests. Strangers can create them, and they remain until a person acts on them or they
 * expire.
 */
type Waiting = 'approval' | 'authenticationRequest';

/** Limits on pending rows: in total, and per address. */
export interface Room {
  all: number;
  ofAddress: number;
}

/**
 * Whether the limit of pending rows is reached, in total or for an address. The last quarter of the total is
 * reserved for sites (`siteOf`) that use less than a quarter, as with a node's limits (`TenantShares`).
 * Concurrent requests from the same address wait for this transaction, but requests from others do not, so
 * the total is approximate.
 */
export async function isFull(
  { db, now }: Pick<Work, 'db' | 'now'>,
  table: Waiting,
  address: string,
  { all, ofAddress }: Room,
): Promise<boolean> {
  await db.hold(`${table} ${address}`);
  let live = q.selectFrom(table).select('id').where('expiresAt', '>', now);
  // Used codes are kept but are no longer pending.
  if (table === 'approval') live = live.where(sql.ref('status'), '!=', 'used');
  const has = async (rows: typeof live, count: number): Promise<boolean> =>
    (await db.first(rows.limit(1).offset(count - 1))) !== undefined;
  if (await has(live.where('address', '=', address), ofAddress)) return true;
  if (!(await has(live, Math.ceil(all * (1 - RESERVED))))) return false;
  if (await has(live, all)) return true;
  const site = siteOf(address);
  const ofSite =
    site === address
      ? live.where('address', '=', address)
      : live.where('address', 'like', `${site.slice(0, -'::/48'.length)}:%`);
  return has(ofSite, Math.ceil(all * RESERVED));
}
