import type { Tx } from './contract.ts';
import { q } from './statements.ts';
import { PLATFORM_ID } from './tables/platform.ts';

/**
 * Serializes the rest of the transaction with all other transactions that call this, across all nodes. Used
 * for changes that depend on the rows of several users, such as a check that one platform admin remains.
 */
export async function lockPlatform(tx: Tx, now: number): Promise<void> {
  const row = { id: PLATFORM_ID, createdAt: now, updatedAt: now, settings: '{}' };
  await tx.count(
    q
      .insertInto('platform')
      .values(row as never)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ updatedAt: now })),
  );
}
