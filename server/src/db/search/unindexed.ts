import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { backoffMs } from '../../lib/backoff.ts';
import type { Db, Tx } from '../contract.ts';
import { prepare, q } from '../statements.ts';
import { s } from './tables.ts';
import { indexablesOf, type Waiting } from './waiting.ts';

/**
 * Messages whose words cannot be extracted. They are indexed without words and retried with backoff, so that
 * one such message does not block the others.
 */

const BACKOFF = { first: 60_000, most: 60 * 60_000 };
/** Messages retried at once. */
const RETRIED = 8;

/** Callback for a message that fails, or that is indexed after failures. */
export type OnUnindexed = (messageId: string, isFailing: boolean) => void;

const itemOf = (id: string) => `search:${id}`;

const failures = prepare(() =>
  q.selectFrom('failure').select(['item', 'attempts', 'since']).where('queue', '=', sql.lit('search')),
);

/** Records which messages failed, and removes those that no longer do. */
export async function noteOutcome(
  tx: Tx,
  indexed: readonly Waiting[],
  failing: ReadonlyMap<string, string>,
  tell: OnUnindexed,
): Promise<void> {
  const known = new Map((await tx.all(failures({}))).map((row) => [row.item, row]));
  if (known.size === 0 && failing.size === 0) return;
  const now = Date.now();
  for (const { id } of indexed) {
    if (failing.has(id) || !known.has(itemOf(id))) continue;
    await tx.run(q.deleteFrom('failure').where('item', '=', itemOf(id)));
    tell(id, false);
  }
  const tried = new Set(indexed.map(({ id }) => id));
  for (const [id, reason] of failing) {
    const item = itemOf(id);
    // Rewriting a block that contains the message does not count as an attempt.
    if (!tried.has(id) && known.has(item)) continue;
    const { attempts = 0, since = now } = known.get(item) ?? {};
    const row = {
      attempts: attempts + 1,
      nextAt: now + backoffMs(attempts + 1, BACKOFF, { randomBytes }),
      reason,
    };
    await tx.run(
      q
        .insertInto('failure')
        .values({ item, queue: 'search', since, ...row })
        .onConflict((conflict) => conflict.column('item').doUpdateSet(row)),
    );
    if (attempts === 0) tell(id, true);
  }
}

/** Requeues messages that are due for a retry. Returns whether there were any. */
export async function requeueDue(db: Pick<Db, 'read' | 'write'>): Promise<boolean> {
  const now = Date.now();
  const due = await db.read.all(
    q
      .selectFrom('failure')
      .select('item')
      .where('queue', '=', 'search')
      .where('nextAt', '<=', now)
      .limit(RETRIED),
  );
  if (due.length === 0) return false;
  const ids = due.map(({ item }) => ({ id: item.slice(itemOf('').length) }));
  const found = await db.read.all(indexablesOf(db.read.dialect, ids));
  await db.write(async (tx) => {
    for (const { id, serverId } of found)
      await tx.run(
        s
          .insertInto('searchQueue')
          .values({ serverId, messageId: id, edits: 0 })
          .onConflict((conflict) => conflict.columns(['serverId', 'messageId']).doNothing()),
      );
    for (const { id } of ids)
      if (!found.some((one) => one.id === id))
        await tx.run(q.deleteFrom('failure').where('item', '=', itemOf(id)));
  });
  return true;
}
