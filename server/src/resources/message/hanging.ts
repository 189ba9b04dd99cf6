import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { q, remove } from '../../db/statements.ts';
import type { Work } from '../../http/endpoint.ts';
import { toNotification } from '../notification.ts';
import { toPin } from '../pin.ts';
import { toReaction } from '../reaction.ts';

const records = { pin: toPin, reaction: toReaction, notification: toNotification };

type Table = keyof typeof records;

interface Hanging {
  table: Table;
  rows: RowOf<Table>[];
}

/** What hangs on a message and goes with it, beside threads. */
export function hangingOn(db: Reader, message: RowOf<'message'>): Promise<Hanging[]> {
  const { id, pinned, reactions } = message;
  const tables: Table[] = [
    ...(pinned ? (['pin'] as const) : []),
    ...(reactions.length > 0 ? (['reaction'] as const) : []),
    'notification',
  ];
  return Promise.all(
    tables.map(async (table) => {
      const rows = q.selectFrom(table).selectAll().where('messageId', '=', id).orderBy('id');
      return { table, rows: await db.all(rows) };
    }),
  );
}

/** Removes it. */
export async function removeHanging({ db, emit }: Work, hanging: readonly Hanging[]): Promise<void> {
  for (const { table, rows } of hanging) {
    const [first] = rows;
    if (!first) continue;
    await db.run(remove(table, { messageId: first.messageId }));
    for (const row of rows) {
      const { serverId, channelId } = row;
      await emit({ type: `${table}.deleted`, serverId, channelId, data: records[table](row) });
    }
  }
}
