import type { Reader } from '../../db/contract.ts';
import { invalid } from '../../errors.ts';
import { eventIdOf, type LogPosition } from '../../feed/eventId.ts';
import { latestPosition, positionAfter } from '../../feed/positions.ts';

/** The position of a webhook or flow in the log, as columns of its state. */
interface Progress {
  cursor: string;
  seq: number;
}

const progressAt = (serverId: string, place: LogPosition): Progress => ({
  cursor: eventIdOf(serverId, place),
  seq: place.seq,
});

/** Returns the end of the log, where a new webhook or flow starts. */
export const progressAtEnd = async (db: Reader, serverId: string): Promise<Progress> =>
  progressAt(serverId, await latestPosition(db, serverId));

/**
 * Returns the position after the event with this id. Throws INVALID_REQUEST, with the oldest valid cursor, if
 * the log does not contain the event.
 */
export async function progressAfter(db: Reader, serverId: string, cursor: string): Promise<Progress> {
  const found = await positionAfter(db, serverId, cursor);
  if ('place' in found) return progressAt(serverId, found.place);
  const { reason, oldest } = found.gap;
  const message = `is not an event in the log, which starts after ${oldest}`;
  throw invalid(reason === 'expired' ? 'expired' : 'other_history', 'after', message, oldest);
}

/** The state of a webhook that no node has claimed and that has no failed attempts. */
export const unclaimed = { owner: null, ownedUntil: 0, attempt: 0, nextAt: null } as const;
