import type { Reader as Data } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import { type EventPlace, eventIdOf, placeOfEventId } from './eventId.ts';

/** Why the log cannot go on from a cursor. */
export interface Gap {
  /** Older than what is kept; or of a history that the data no longer have, as after a restored backup. */
  reason: 'expired' | 'unknown';
  /** The cursor before the oldest event that is kept, and that of the latest. */
  oldest: string;
  latest: string;
}

const placesOf = (serverId: string) =>
  q.selectFrom('event').select(['seq', 'epoch']).where('serverId', '=', serverId);

const latestOf = prepare((p: { serverId: string }) => placesOf(p.serverId).orderBy('seq', 'desc').limit(1));
const oldestOf = prepare((p: { serverId: string }) => placesOf(p.serverId).orderBy('seq').limit(1));
const at = prepare((p: { serverId: string; seq: number }) => placesOf(p.serverId).where('seq', '=', p.seq));

/** The place before the first event. */
const START: EventPlace = { epoch: '000000000000', seq: 0 };

/** The place of the latest event of a server. */
export const latestPlace = async (db: Data, serverId: string): Promise<EventPlace> =>
  (await db.first(latestOf({ serverId }))) ?? START;

/** The place before the oldest event that is kept. */
export async function oldestPlace(db: Data, serverId: string): Promise<EventPlace> {
  const oldest = await db.first(oldestOf({ serverId }));
  return oldest ? { epoch: oldest.epoch, seq: oldest.seq - 1 } : START;
}

/** True if there is an event at this place: one of this number and of this history. */
export async function isThere(db: Data, serverId: string, { seq, epoch }: EventPlace): Promise<boolean> {
  return (await db.first(at({ serverId, seq })))?.epoch === epoch;
}

/** The place from which the log goes on after a cursor, or why it cannot. */
export async function placeAfter(
  db: Data,
  serverId: string,
  cursor: string,
): Promise<{ place: EventPlace } | { gap: Gap }> {
  const place = placeOfEventId(serverId, cursor);
  const oldest = await oldestPlace(db, serverId);
  // The event before the oldest is gone, and nothing has been missed.
  if (place && (place.seq === oldest.seq || (await isThere(db, serverId, place)))) return { place };
  const reason = place && place.seq < oldest.seq ? 'expired' : 'unknown';
  const latest = eventIdOf(serverId, await latestPlace(db, serverId));
  return { gap: { reason, oldest: eventIdOf(serverId, oldest), latest } };
}
