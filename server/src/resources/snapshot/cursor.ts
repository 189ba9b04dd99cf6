import type { Reader } from '../../db/contract.ts';
import { eventIdOf } from '../../feed/eventId.ts';
import { latestPlace } from '../../feed/places.ts';

/** The cursor after the latest event of a server. */
export const cursorOf = async (db: Reader, serverId: string): Promise<string> =>
  eventIdOf(serverId, await latestPlace(db, serverId));
