import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { Contents } from '../../server/src/feed/contents.ts';
import { ask } from './databases.ts';
import { eventIdOf, q } from './sources.ts';
import type { Json, World } from './world.ts';

/** An event as stored in the log. */
export interface Logged {
  /** The event's cursor, as clients get it. */
  id: string;
  seq: number;
  type: string;
  actorId: string | null;
  channelId: string | null;
  data: Json;
}

/**
 * A server's events after a sequence number, with the content that they refer to, as moderators see it. Asserts that
 * their numbers have no gaps.
 */
export async function logOf(
  { data: { db } }: Pick<World, 'data'>,
  serverId: string,
  after = 0,
): Promise<Logged[]> {
  const rows = await db.read.all(
    q
      .selectFrom('event')
      .select(['logId', 'seq', 'type', 'actorId', 'channelId', 'data', 'epoch', 'contentOf', 'version'])
      .where('logId', '=', serverId)
      .where('seq', '>', after)
      .orderBy('seq'),
  );
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    rows.map((_, index) => after + index + 1),
    'numbers grow by one, without gaps',
  );
  const contents = await Contents.of(db.read, rows);
  const logged: Logged[] = [];
  for (const row of rows) {
    const { epoch, seq, type, actorId, channelId } = row;
    const { data, earlier } = await contents.fill(row);
    const id = eventIdOf(serverId, { epoch, seq });
    logged.push({ id, seq, type, actorId, channelId, data: JSON.parse(earlier?.data ?? data) });
  }
  return logged;
}

/** The number of a server's latest event. */
export async function endOf({ data: { db } }: Pick<World, 'data'>, serverId: string): Promise<number> {
  const last = await db.read.first(
    q
      .selectFrom('event')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .where('logId', '=', serverId),
  );
  return last?.seq ?? 0;
}

/**
 * Appends message events to a server's log, directly in the database. Events whose number is a multiple of `every`
 * are deletions of an invite instead. Returns the number of the first event; `amount` more events follow it.
 */
export async function fillLog(
  world: Pick<World, 'data' | 'place'>,
  serverId: string,
  amount: number,
  every: number,
): Promise<number> {
  const { db } = world.data;
  const first = (await endOf(world, serverId)) + 1;
  const isSqlite = db.read.dialect.name === 'sqlite';
  const numbers = isSqlite
    ? sql`(with recursive numbers (n) as (select ${sql.lit(first)} union all select n + 1 from numbers where n < ${sql.lit(first + amount)}) select n from numbers)`
    : sql`(select generate_series(${sql.lit(first)}, ${sql.lit(first + amount)}) as n)`;
  const id = sql`(select "logId" from event where "logId" = ${serverId} limit 1)`;
  const epoch = sql`(select epoch from event where "logId" = ${serverId} limit 1)`;
  await db.write(
    (tx) =>
      tx.run(
        q
          .insertInto('event')
          .expression(
            sql`select ${id}, n, case when n % ${sql.lit(every)} = 0 then 'invite.deleted' else 'message.created' end,
            null, null, 0, '{"content":"some words"}', ${epoch} from ${numbers} as numbers` as never,
          )
          .columns(['logId', 'seq', 'type', 'actorId', 'channelId', 'at', 'data', 'epoch']),
      ),
    serverId,
  );
  if (world.place.database) await ask(world.place.database, 'analyze');
  return first;
}
