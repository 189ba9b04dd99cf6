import { DatabaseSync } from 'node:sqlite';
import { createDeps, timeOfId } from '../server/src/lib/deps.ts';
import { type DataConfig, databaseFile } from '../server/src/node/data.ts';
import { ask } from '../test/support/databases.ts';

const vocabulary =
  'the quick brown fox jumps over a lazy dog while servers hum and people talk of rain in channels'.split(
    ' ',
  );

/**
 * Fills a channel with messages of ten words, directly in the table: one message per millisecond since `from`, or all
 * with the current time.
 */
export function seedMessages(
  file: string,
  channel: { id: string; serverId: string },
  creatorId: string,
  amount: number,
  from?: number,
): void {
  const db = new DatabaseSync(file);
  db.exec('pragma synchronous = off; pragma cache_size = -200000');
  const insert = db.prepare(`insert into message
    (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content, deleted, "editedAt",
     "threadId", "replyToId", pinned, reactions)
    values (?, ?, ?, ?, 'person', ?, 0, ?, ?, 0, null, null, null, 0, '[]')`);
  let time = from ?? 0;
  const { newId } = from === undefined ? createDeps() : createDeps(() => time++);
  db.exec('begin immediate');
  for (let index = 0; index < amount; index++) {
    const id = newId();
    const words = Array.from(
      { length: 10 },
      (_, word) => vocabulary[(index * 7 + word * word) % vocabulary.length],
    );
    insert.run(id, timeOfId(id), timeOfId(id), channel.serverId, channel.id, creatorId, words.join(' '));
    if (index % 10_000 === 9_999) db.exec('commit; begin immediate');
  }
  db.exec('commit');
  db.close();
}

/** Like `seedMessages`, with dates starting at a given time, on either engine. */
export async function seedSince(
  { data, database }: DataConfig,
  channel: { id: string; serverId: string },
  creatorId: string,
  { amount, from }: { amount: number; from: number },
): Promise<void> {
  if (!database) return seedMessages(databaseFile(data), channel, creatorId, amount, from);
  await ask(
    database,
    `insert into message (id, "createdAt", "updatedAt", "serverId", type, "channelId", "isThreadReply", "creatorId", content,
      deleted, pinned, reactions)
    select (lpad(to_hex(at), 12, '0') || '7000' || '8' || lpad(to_hex(n), 15, '0'))::uuid, at, at, $3::uuid, 'person',
      $4::uuid, false, $5::uuid, 'message number ' || n || ' of people who talk of rain', false, false, '[]'
    from (select n, $1::bigint + n as at from generate_series(1, $2::int) as numbers(n)) as times order by n`,
    [from, amount, channel.serverId, channel.id, creatorId],
  );
  await ask(database, 'vacuum analyze');
}
