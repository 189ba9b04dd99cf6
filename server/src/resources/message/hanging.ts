import { hangingOn } from '../../db/bonds.ts';
import type { Reader } from '../../db/contract.ts';
import { type Consequences, ROWS_IN_WRITE, releaseHanging, removeHanging } from '../../db/removal.ts';
import type { RowOf, TableName } from '../../db/schema.ts';
import { q, remove } from '../../db/statements.ts';
import { mark } from '../../db/sweep.ts';
import type { Work, WriteCall } from '../../http/endpoint.ts';
import { toNotification } from '../notification.ts';
import { toPin } from '../pin.ts';
import { toReaction } from '../reaction.ts';
import { releaseThreads } from '../thread.ts';

const records = { pin: toPin, reaction: toReaction, notification: toNotification };

type Told = keyof typeof records;

interface Hanging {
  table: TableName;
  rows: { id: string }[];
}

/** What goes with a message, beside threads; of each table as much as a write removes, and one more. */
export function readHanging(db: Reader, message: RowOf<'message'>): Promise<Hanging[]> {
  const { id, pinned, reactions } = message;
  const isKnownEmpty: { [T in TableName]?: boolean } = { pin: !pinned, reaction: reactions.length === 0 };
  const tables = hangingOn('message', 'sweep').map(({ table }) => table as Told);
  return Promise.all(
    tables
      .filter((table) => !isKnownEmpty[table])
      .map(async (table) => {
        const rows = q.selectFrom(table).selectAll().where('messageId', '=', id);
        const some = await db.all(rows.limit(ROWS_IN_WRITE + 1));
        return { table, rows: some.sort((one, other) => (one.id < other.id ? -1 : 1)) };
      }),
  );
}

/** Removes what goes with a message that is gone, and sees to its threads: what a write takes no time for is swept later. */
export async function removeHangingOn(
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
      await db.run(remove(table as Told, { messageId: id }));
      await consequences.removed[table as Told]?.(rows as never);
    }
  }
  const isAll = isMuch
    ? await removeHanging(db, 'message', id, ROWS_IN_WRITE, consequences)
    : await releaseHanging(db, 'message', [id], ROWS_IN_WRITE, consequences.release);
  if (!isAll) await mark(db, { noun: 'message', id, serverId, channelId, actorId: principal.userId });
}

/** What is told of that which goes with a message, and what becomes of its threads. */
export function consequencesOf(work: Work) {
  const tell =
    (table: Told) =>
    async (rows: RowOf<Told>[]): Promise<void> => {
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
