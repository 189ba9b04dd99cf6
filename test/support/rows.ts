import { insert, newRow, q, remove } from './sources.ts';
import type { Json, World } from './world.ts';

// Changes that no endpoint makes.

/** Removes a member and the member's roles from a server. */
export const takeMember = ({ data }: World, serverId: string, userId: string): Promise<unknown> =>
  data.db.write(async (tx) => {
    await tx.run(remove('userRole', { serverId, userId }));
    await tx.run(remove('serverMember', { serverId, userId }));
  });

export const takeFlow = ({ data }: World, id: string): Promise<unknown> =>
  data.db.write((tx) => tx.run(remove('flow', { id })));

/** Makes every server private. */
export const hideServers = ({ data }: World): Promise<unknown> =>
  data.db.write((tx) => tx.run(q.updateTable('server').set({ private: true })));

/** Adds a delivery attempt to a webhook's list. */
export async function addDelivery(
  { data: { db, deps } }: World,
  webhookId: string,
  fields: object = {},
): Promise<Json> {
  const attempt = { eventId: 'one', type: 'message.created', attempt: 1, status: 200, error: null, ms: 5 };
  const row = { ...newRow(deps), webhookId, ...attempt, nextAt: null, ...fields };
  await db.write((tx) => tx.run(insert('webhookDelivery', row)));
  return row;
}

export const takeDelivery = ({ data }: World, id: string): Promise<unknown> =>
  data.db.write((tx) => tx.run(remove('webhookDelivery', { id })));
