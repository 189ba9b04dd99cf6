import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../contract.ts';
import { prepareKnown } from '../known.ts';
import { prepare } from '../statements.ts';
import type { NewBlock } from './build.ts';
import { PAGES_PER_BLOCK } from './pages.ts';
import { type Block, s } from './tables.ts';

// The indexer's writes. Statements have a fixed number of rows to limit the number of prepared statements.

/** Pages per statement. */
const PAGES = 32;

/** Lease time of the indexing task. A process that does not renew it loses the task. */
const OWNED_MS = 30_000;

const claim = prepare((p: { owner: string; now: number; until: number }) =>
  s
    .updateTable('searchProgress')
    .set({ owner: p.owner, ownedUntil: p.until })
    .where((eb) => eb.or([eb('owner', '=', p.owner), eb('ownedUntil', '<', p.now)])),
);

const free = prepare((p: { owner: string }) =>
  s.updateTable('searchProgress').set({ owner: null, ownedUntil: 0 }).where('owner', '=', p.owner),
);

/** This process's lease on the indexing task. */
export class IndexingTask {
  readonly #owner = randomUUID();
  /** Whether this process may hold the lease. */
  #isOwner = false;

  /** Acquires or renews the lease. Returns false if another process holds it. */
  async take(tx: Tx): Promise<boolean> {
    const now = Date.now();
    this.#isOwner = (await tx.count(claim({ owner: this.#owner, now, until: now + OWNED_MS }))) === 1;
    return this.#isOwner;
  }

  /** Releases the lease, so that another process can take it immediately. Never rejects. */
  async release(db: Pick<Db, 'write'>): Promise<void> {
    if (!this.#isOwner) return;
    // If the database is unavailable, the lease expires.
    await db.write((tx) => tx.run(free({ owner: this.#owner }))).catch(() => {});
  }
}

const lastBlock = prepare(() => s.selectFrom('searchProgress').select('block'));
const setLastBlock = prepare((p: { block: number }) =>
  s.updateTable('searchProgress').set({ block: p.block }),
);
const insertBlock = prepare((p: Omit<Block, 'stale'>) =>
  s.insertInto('searchBlock').values({
    ...{ id: p.id, serverId: p.serverId, first: p.first, last: p.last, messages: p.messages, level: p.level },
    stale: sql.lit(false),
  }),
);

/** Stores blocks. */
export async function store(tx: Tx, blocks: readonly NewBlock[]): Promise<void> {
  if (blocks.length === 0) return;
  let { block } = (await tx.first(lastBlock({}))) as { block: number };
  const rows: { id: number; data: Uint8Array }[] = [];
  for (const { pages, ...one } of blocks) {
    const id = ++block;
    await tx.run(insertBlock({ id, ...one }));
    rows.push(...pages.map((data, number) => ({ id: id * PAGES_PER_BLOCK + number, data })));
  }
  while (rows.length >= PAGES) await tx.run(s.insertInto('searchPage').values(rows.splice(0, PAGES)));
  for (const row of rows) await tx.run(s.insertInto('searchPage').values(row));
  await tx.run(setLastBlock({ block }));
}

const removeBlock = prepare((p: { id: number }) => s.deleteFrom('searchBlock').where('id', '=', p.id));
const removePages = prepare((p: { first: number; beyond: number }) =>
  s.deleteFrom('searchPage').where('id', '>=', p.first).where('id', '<', p.beyond),
);

/** Removes blocks that were replaced. */
export async function discard(tx: Tx, blocks: readonly { id: number }[]): Promise<void> {
  for (const { id } of blocks) {
    await tx.run(removeBlock({ id }));
    await tx.run(removePages({ first: id * PAGES_PER_BLOCK, beyond: (id + 1) * PAGES_PER_BLOCK }));
  }
}

export const moveOrd = prepare((p: { ord: number }) => s.updateTable('searchProgress').set({ ord: p.ord }));
export const moveUpTo = prepare((p: { upTo: string | null }) =>
  s.updateTable('searchProgress').set({ upTo: p.upTo }),
);

const dequeued = prepareKnown<Queued, never>(
  { serverId: 'uuid', messageId: 'uuid', edits: 'bigint' },
  (known) =>
    s
      .deleteFrom('searchQueue')
      .where(
        sql<boolean>`("serverId", "messageId", edits) in (select "serverId", "messageId", edits from ${known} as known)`,
      ) as never,
);

interface Queued {
  serverId: string;
  messageId: string;
  edits: number;
}

/** Removes changes from the queue, unless the same messages have changed again since. */
export const dequeue = (tx: Tx, rows: readonly Queued[]): Promise<void> =>
  rows.length === 0 ? Promise.resolve() : tx.run(dequeued(tx.dialect, rows));

const fresh = prepare((p: { serverId: string }) =>
  s
    .selectFrom('searchBlock')
    .select(['id', 'first', 'last'])
    .where('serverId', '=', p.serverId)
    .where('stale', '=', sql.lit(false)),
);
const setStale = prepare((p: { id: number }) =>
  s
    .updateTable('searchBlock')
    .set({ stale: sql.lit(true) })
    .where('id', '=', p.id),
);

/** Marks the blocks that may contain words of deleted or edited messages. */
export async function markStale(tx: Tx, changed: readonly { serverId: string; id: string }[]): Promise<void> {
  for (const [serverId, messages = []] of Object.entries(Object.groupBy(changed, (one) => one.serverId)))
    for (const { id, first, last } of await tx.all(fresh({ serverId })))
      if (messages.some((one) => one.id >= first && one.id <= last)) await tx.run(setStale({ id }));
}
