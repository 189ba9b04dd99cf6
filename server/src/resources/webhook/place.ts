import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import { type EventPlace, eventIdOf, placeOfEventId } from '../../feed/eventId.ts';

/** How far a webhook has come, as its state keeps it. */
interface Progress {
  cursor: string;
  seq: number;
}

const progressAt = (serverId: string, place: EventPlace): Progress => ({
  cursor: eventIdOf(serverId, place),
  seq: place.seq,
});

/** The end of the log: where a new webhook begins. */
export async function latestPlace(db: Reader, serverId: string): Promise<Progress> {
  return progressAt(serverId, (await endOf(db, serverId, 'desc')) ?? { epoch: '000000000000', seq: 0 });
}

/** The place after the event with this id. Throws INVALID_REQUEST for one that is not kept, and names the oldest that is. */
export async function keptPlace(db: Reader, serverId: string, cursor: string): Promise<Progress> {
  const oldest = await endOf(db, serverId, 'asc');
  const place = placeOfEventId(serverId, cursor);
  if (oldest && place) {
    // The one before the oldest is gone, and nothing after it is.
    if (place.seq === oldest.seq - 1) return progressAt(serverId, place);
    const there = await db.first(
      q.selectFrom('event').select('epoch').where('serverId', '=', serverId).where('seq', '=', place.seq),
    );
    if (there?.epoch === place.epoch) return progressAt(serverId, place);
  }
  const first = oldest && eventIdOf(serverId, { epoch: oldest.epoch, seq: oldest.seq - 1 });
  throw invalid(
    'after',
    `is no event of the log${first ? `: the oldest that can be gone on after is ${first}` : ''}`,
  );
}

const endOf = (db: Reader, serverId: string, order: 'asc' | 'desc'): Promise<EventPlace | undefined> =>
  db.first(
    q
      .selectFrom('event')
      .select(['epoch', 'seq'])
      .where('serverId', '=', serverId)
      .orderBy('seq', order)
      .limit(1),
  );
