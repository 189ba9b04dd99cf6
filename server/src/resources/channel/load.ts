import type { Principal } from '../../access/principal.ts';
import type { Readable } from '../../access/visibility.ts';
import { sightOf } from '../../access/whereVisible.ts';
import type { Reader } from '../../db/contract.ts';
import { load } from '../common.ts';

/** Loads a channel as the target of a read or write. Throws NOT_FOUND. */
export async function channelTarget(db: Reader, channelId: string) {
  const found = await load(db, 'channel', channelId);
  return { serverId: found.serverId, channel: found };
}

/**
 * Implements `ahead` for a read in a channel whose queries check `isSeen`. Returns the target without the
 * channel. Undefined if the queries cannot check access to it and therefore must not start.
 */
export const aheadInChannel = (principal: Principal, channelId: string): Readable | undefined =>
  sightOf(principal, channelId) && { serverId: principal.serverId };
