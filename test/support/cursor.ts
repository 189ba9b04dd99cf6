import { eventIdOf, q } from './sources.ts';
import type { World } from './world.ts';

/** The id of a server's latest event. */
export async function cursorIn({ data }: World, serverId: string): Promise<string> {
  const rows = q.selectFrom('event').select(['seq', 'epoch']).where('logId', '=', serverId);
  const latest = await data.db.read.first(rows.orderBy('seq', 'desc').limit(1));
  return eventIdOf(serverId, latest as { seq: number; epoch: string });
}
