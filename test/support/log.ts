import assert from 'node:assert/strict';
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

/** A server's stored events after a number. Asserts that their numbers have no gaps. */
export async function logOf(
  { data: { db } }: Pick<World, 'data'>,
  serverId: string,
  after = 0,
): Promise<Logged[]> {
  const rows = await db.read.all(
    q
      .selectFrom('event')
      .select(['seq', 'type', 'actorId', 'channelId', 'data', 'epoch'])
      .where('logId', '=', serverId)
      .where('seq', '>', after)
      .orderBy('seq'),
  );
  assert.deepEqual(
    rows.map(({ seq }) => seq),
    rows.map((_, index) => after + index + 1),
    'numbers grow by one, without gaps',
  );
  return rows.map(({ epoch, ...row }) => {
    const id = eventIdOf(serverId, { epoch, seq: row.seq });
    return { ...row, id, data: JSON.parse(row.data) };
  });
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
