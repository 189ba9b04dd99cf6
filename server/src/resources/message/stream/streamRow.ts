import { removeTimer, setTimer } from '../../../clock/timers.ts';
import type { Reader, Tx } from '../../../db/contract.ts';
import type { RowOf } from '../../../db/schema.ts';
import { insert, prepare, q, remove } from '../../../db/statements.ts';
import { messageTarget } from '../load.ts';

/** A stream ends after this long without an append, in ms. */
export const SILENCE_MS = 60_000;

export type StreamRow = RowOf<'messageStream'>;

/** Finds the row of an open stream by the message's id. */
export const streamRow = prepare((p: { id: string }) =>
  q.selectFrom('messageStream').selectAll().where('id', '=', p.id),
);

/** Finds a message and its stream. Both are read together, to share a round trip to PostgreSQL. */
export async function streamTarget({ db }: { db: Reader }, id: string) {
  const [target, row] = await Promise.all([messageTarget(db, id), db.first(streamRow({ id }))]);
  return { ...target, row };
}

/** Starts the stream of a new message. */
export async function beginStream(
  db: Tx,
  { id, serverId, createdAt }: { id: string; serverId: string; createdAt: number },
  content: string,
): Promise<void> {
  const row = { id, createdAt, updatedAt: createdAt, serverId, holder: '', content };
  await db.run(insert('messageStream', row));
  await setTimer(db, { id, kind: 'stream', serverId, dueAt: createdAt + SILENCE_MS, now: createdAt });
}

/** Removes the data of a stream when its message is completed or deleted. */
export async function removeStream(db: Tx, id: string): Promise<void> {
  await removeTimer(db, id);
  await db.run(remove('messageStream', { id }));
}
