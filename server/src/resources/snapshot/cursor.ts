import type { Reader } from '../../db/contract.ts';
import { eventIdOf } from '../../feed/eventId.ts';
import { latestPosition } from '../../feed/positions.ts';

/** Returns the cursor after a server's latest event. */
export const cursorOf = async (db: Reader, serverId: string): Promise<string> =>
  eventIdOf(serverId, await latestPosition(db, serverId));
