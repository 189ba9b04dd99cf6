import type { Reader } from '../../db/contract.ts';
import { eventIdOf } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';

/** The cursor after the latest event of a server. */
export const cursorOf = async (db: Reader, serverId: string): Promise<string> =>
  eventIdOf(serverId, await latestPosition(db, serverId));
