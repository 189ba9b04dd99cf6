import { api } from '../../../api/index.ts';
import type { Actions } from '../../../replica/index.ts';
import type { PlaceChange } from './arrangement.ts';

/** Saves a new position, and stores the result in the replica. Throws PalaverError. */
export async function storePlace(
  load: Actions['load'],
  serverId: string,
  { id, ...place }: PlaceChange,
  isCategory: boolean,
): Promise<void> {
  if (isCategory)
    await load(
      () => api(serverId).categoryUpdate({ id, position: place.position }),
      (category) => ({ category: [category] }),
    );
  else
    await load(
      () => api(serverId).channelUpdate({ channelId: id, ...place }),
      (channel) => ({ channel: [channel] }),
    );
}
