import { sql } from 'kysely';
import type { Reads } from '../contract.ts';
import { prepareKnown } from '../known.ts';
import { prepare, q } from '../statements.ts';
import type { Indexable } from './keys.ts';
import { s } from './tables.ts';

// Messages that are not in the index: new and edited ones and, after an upgrade, old ones.

/** A message to index. `edits` is set if it is in the queue; `ord` if it is new on SQLite. */
export interface Waiting extends Pick<Indexable, 'id' | 'serverId'> {
  edits?: number;
  ord?: number;
}

const newOnes = prepare((p: { ord: number; rows: number }) =>
  q
    .selectFrom('message')
    .select(['id', 'serverId', 'ord'])
    .where('ord', '>', p.ord)
    .orderBy('ord')
    .limit(p.rows),
);
const queued = prepare((p: { rows: number }) =>
  s
    .selectFrom('searchQueue')
    .select(['messageId as id', 'serverId', 'edits'])
    .orderBy('serverId')
    .orderBy('messageId')
    .limit(p.rows),
);

/** Returns up to `rows` new and edited messages. */
export async function waiting(db: Reads, ord: number, rows: number): Promise<Waiting[]> {
  const inQueue = await db.all(queued({ rows }));
  if (db.dialect.name === 'postgres' || inQueue.length === rows) return inQueue;
  return [...inQueue, ...(await db.all(newOnes({ ord, rows: rows - inQueue.length })))];
}

/** Returns the indexed columns of messages, each looked up by primary key. */
export const indexablesOf = prepareKnown<{ id: string }, Indexable>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('message', 'message.id', 'known.id')
    .leftJoin('channel', 'channel.id', 'message.channelId')
    .select([
      'channel.memberIds',
      'message.id',
      'message.serverId',
      'message.channelId',
      'message.creatorId',
      'message.type',
      'message.isThreadReply',
      'message.content',
    ]),
);

export const contentsOf = prepareKnown<{ id: string }, { id: string; content: string | null }>(
  { id: 'uuid' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .select([
        sql<string>`known.id`.as('id'),
        sql<string | null>`(select content from message where message.id = known.id)`.as('content'),
      ]),
);

interface Range {
  /** The first and the last id, inclusive. */
  from: string;
  to: string;
  rows: number;
}

const inRange = (isDown: boolean) =>
  prepare((p: Range) =>
    q
      .selectFrom('message')
      .select(['id', 'serverId', 'channelId'])
      .where('id', isDown ? '<=' : '>=', p.from)
      .where('id', isDown ? '>=' : '<=', p.to)
      .orderBy('id', isDown ? 'desc' : 'asc')
      .limit(p.rows),
  );
const inRangeOfChannel = (isDown: boolean) =>
  prepare((p: Range & { channelId: string }) =>
    q
      .selectFrom('message')
      .select(['id', 'serverId', 'channelId'])
      .where('channelId', '=', p.channelId)
      .where('id', isDown ? '<=' : '>=', p.from)
      .where('id', isDown ? '>=' : '<=', p.to)
      .orderBy('channelId', isDown ? 'desc' : 'asc')
      .orderBy('id', isDown ? 'desc' : 'asc')
      .limit(p.rows),
  );
const [down, up] = [inRange(true), inRange(false)];
const [downOfChannel, upOfChannel] = [inRangeOfChannel(true), inRangeOfChannel(false)];

/** Returns the messages in a range of ids, newest or oldest first, optionally only those in one channel. */
export function oldOnes(range: Range, isDown: boolean, channelId?: string) {
  if (channelId === undefined) return (isDown ? down : up)(range);
  return (isDown ? downOfChannel : upOfChannel)({ ...range, channelId });
}

/** Requeues messages whose visibility has changed. */
export const requeue = (rows: readonly { serverId: string; messageId: string }[]) =>
  s
    .insertInto('searchQueue')
    .values(rows.map((row) => ({ ...row, edits: 1 })))
    .onConflict((conflict) =>
      conflict
        .columns(['serverId', 'messageId'])
        .doUpdateSet({ edits: sql<number>`"searchQueue".edits + 1` }),
    );
