import type { Reader } from '../../db/contract.ts';
import { type Consequences, ROWS_IN_WRITE, releaseHanging, removeHanging } from '../../db/removal.ts';
import type { RowOf } from '../../db/schema.ts';
import { q, remove } from '../../db/statements.ts';
import { mark } from '../../db/sweep.ts';
import type { Work, WriteCall } from '../../http/endpoint.ts';
import { toNotification } from '../notification.ts';
import { toPin } from '../pin.ts';
import { toReaction } from '../reaction.ts';
import { releaseThreads } from '../thread.ts';

const records = { pin: toPin, reaction: toReaction, notification: toNotification };

type Table = keyof typeof records;

interface Hanging {
  table: Table;
  rows: RowOf<Table>[];
}

/** What hangs on a message and goes with it, beside threads; of each kind as much as a write removes, and one more. */
export function hangingOn(db: Reader, message: RowOf<'message'>): Promise<Hanging[]> {
  const { id, pinned, reactions } = message;
  const tables: Table[] = [
    ...(pinned ? (['pin'] as const) : []),
    ...(reactions.length > 0 ? (['reaction'] as const) : []),
    'notification',
  ];
  return Promise.all(
    tables.map(async (table) => {
      const rows = q
        .selectFrom(table)
        .selectAll()
        .where('messageId', '=', id)
        .limit(ROWS_IN_WRITE + 1);
      return { table, rows: (await db.all(rows)).sort((one, other) => (one.id < other.id ? -1 : 1)) };
    }),
  );
}

/** Removes it, and what becomes of threads: what a write takes no time for is swept later. */
export async function removeFrom(
  call: WriteCall,
  { id, serverId, channelId }: RowOf<'message'>,
  hanging: readonly Hanging[],
): Promise<void> {
  const { db, principal } = call;
  const consequences = consequencesOf(call);
  const isMuch = hanging.some(({ rows }) => rows.length > ROWS_IN_WRITE);
  if (!isMuch) {
    for (const { table, rows } of hanging) {
      if (rows.length === 0) continue;
      await db.run(remove(table, { messageId: id }));
      await consequences.removed[table](rows as never);
    }
  }
  const isAll = isMuch
    ? await removeHanging(db, 'message', id, ROWS_IN_WRITE, consequences)
    : await releaseHanging(db, 'message', [id], ROWS_IN_WRITE, consequences.release);
  if (!isAll) await mark(db, { noun: 'message', id, serverId, channelId, actorId: principal.userId });
}

/** What is told when that goes which hangs on a message. */
export function consequencesOf(work: Work) {
  const tell =
    (table: Table) =>
    async (rows: RowOf<Table>[]): Promise<void> => {
      for (const row of rows) {
        const { serverId, channelId } = row;
        await work.emit({ type: `${table}.deleted`, serverId, channelId, data: records[table](row) });
      }
    };
  return {
    removed: { pin: tell('pin'), reaction: tell('reaction'), notification: tell('notification') },
    release: (threads) => releaseThreads(work, threads),
  } satisfies Consequences;
}
