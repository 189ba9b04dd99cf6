import type { Reader as Data } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import { type EventPlace, eventIdOf, placeOfEventId } from './eventId.ts';

/** Why a log cannot go on from a cursor. */
export interface Gap {
  /** Older than all that is kept; or of a history that the data no longer have, as after a restored backup. */
  reason: 'expired' | 'unknown';
  /** The cursor before the oldest event that is kept, and that of the latest. */
  oldest: string;
  latest: string;
}

const placesOf = (logId: string) => q.selectFrom('event').select(['seq', 'epoch']).where('logId', '=', logId);

const latestOf = prepare((p: { logId: string }) => placesOf(p.logId).orderBy('seq', 'desc').limit(1));
const oldestOf = prepare((p: { logId: string }) => placesOf(p.logId).orderBy('seq').limit(1));
const at = prepare((p: { logId: string; seq: number }) => placesOf(p.logId).where('seq', '=', p.seq));

/** The place before the first event. */
const START: EventPlace = { epoch: '000000000000', seq: 0 };

/** The place of the latest event of a log. */
export const latestPlace = async (db: Data, logId: string): Promise<EventPlace> =>
  (await db.first(latestOf({ logId }))) ?? START;

/** The place before the oldest event that is kept. */
export async function oldestPlace(db: Data, logId: string): Promise<EventPlace> {
  const oldest = await db.first(oldestOf({ logId }));
  return oldest ? { epoch: oldest.epoch, seq: oldest.seq - 1 } : START;
}

/** True if there is an event at this place: one of this number and of this history. */
export async function isThere(db: Data, logId: string, { seq, epoch }: EventPlace): Promise<boolean> {
  return (await db.first(at({ logId, seq })))?.epoch === epoch;
}

/** The place from which the log goes on after a cursor, or why it cannot. */
export async function placeAfter(
  db: Data,
  logId: string,
  cursor: string,
): Promise<{ place: EventPlace } | { gap: Gap }> {
  const place = placeOfEventId(logId, cursor);
  const oldest = await oldestPlace(db, logId);
  // The event before the oldest is gone, and nothing has been missed.
  if (place && (place.seq === oldest.seq || (await isThere(db, logId, place)))) return { place };
  const reason = place && place.seq < oldest.seq ? 'expired' : 'unknown';
  const latest = eventIdOf(logId, await latestPlace(db, logId));
  return { gap: { reason, oldest: eventIdOf(logId, oldest), latest } };
}
