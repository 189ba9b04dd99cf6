import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';

/** Records that a member left, if they removed themselves. From then on, nobody else can add them. */
export async function recordDeparture(
  { db, actorId, newRow }: Work,
  { serverId, userId, timeoutUntil }: RowOf<'serverMember'>,
): Promise<void> {
  if (actorId === userId) await db.run(insert('departure', { ...newRow(), serverId, userId, timeoutUntil }));
}

/** Whether the user has left the server and not come back. */
export const hasLeft = async (db: Reader, serverId: string, userId: string): Promise<boolean> =>
  (await db.first(find('departure', { serverId, userId }))) !== undefined;
