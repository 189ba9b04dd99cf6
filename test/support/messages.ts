import { ask } from './databases.ts';
import { type NewRow, newRow, q, type Tx } from './sources.ts';
import type { Json, World } from './world.ts';

const vocabulary =
  'the quick brown fox jumps over a lazy dog while servers hum and people talk of rain in channels'.split(
    ' ',
  );
/** The number of rows per statement, few enough for every engine's limit on values. */
const BATCH_ROWS = 1_000;

/**
 * Fills a channel with messages of ten words each, or with the texts that `contentOf` returns, directly in the database.
 * `more` is called with their ids and can change them in the same transaction, before they can be read or indexed.
 * Without it, each statement has its own transaction: on a busy machine, PostgreSQL would end a long one, which is idle while
 * its statements are prepared.
 */
export async function fillChannel(
  { data: { db, deps }, place }: Pick<World, 'data' | 'place'>,
  channel: Json,
  creatorId: string,
  amount: number,
  more?: (tx: Tx, ids: string[]) => Promise<void>,
  contentOf: (number: number) => string = wordsAt,
): Promise<void> {
  const add = async (tx: Tx, first: number) => {
    const rows = Array.from({ length: Math.min(BATCH_ROWS, amount - first) }, (_, index) => ({
      ...newRow(deps, tx.time()),
      serverId: channel.serverId,
      type: 'person' as const,
      channelId: channel.id,
      isThreadReply: false,
      creatorId,
      content: contentOf(first + index),
      deleted: false,
      editedAt: null,
      threadId: null,
      replyToId: null,
      pinned: false,
      reactions: '[]',
    }));
    await tx.run(q.insertInto('message').values(rows as unknown as NewRow<'message'>[]));
    return rows.map(({ id }) => id);
  };
  const batches = Array.from({ length: Math.ceil(amount / BATCH_ROWS) }, (_, batch) => batch * BATCH_ROWS);
  if (more)
    await db.write(async (tx) => {
      const ids: string[] = [];
      for (const first of batches) ids.push(...(await add(tx, first)));
      await more(tx, ids);
    }, channel.serverId);
  else for (const first of batches) await db.write((tx) => add(tx, first), channel.serverId);
  // Autovacuum would do this soon, too. Until then, the planner has no statistics on the new rows and scans the
  // table.
  if (place.database) await ask(place.database, 'analyze');
}

const wordsAt = (number: number): string =>
  Array.from(
    { length: 10 },
    (_, word) => vocabulary[(number * 7 + word * word) % vocabulary.length] as string,
  ).join(' ');
