import type { RowOf } from '../../server/src/db/schema.ts';
import { insert, newRow, q, remove, update } from './sources.ts';
import type { Json, World } from './world.ts';

// Changes that no endpoint makes.

/** Removes a member and the member's roles from a server. */
export const takeMember = ({ data }: World, serverId: string, userId: string): Promise<unknown> =>
  data.db.write(async (tx) => {
    await tx.run(remove('userRole', { serverId, userId }));
    await tx.run(remove('serverMember', { serverId, userId }));
  });

/** Adds a run to a flow's list. */
export async function addRun(
  { data: { db, deps } }: World,
  fields: Pick<RowOf<'flowRun'>, 'flowId' | 'serverId'> & Partial<RowOf<'flowRun'>>,
): Promise<Json> {
  const made = newRow(deps);
  const ended = {
    status: 'done',
    position: null,
    wakeAt: null,
    endedAt: made.createdAt,
    error: null,
  } as const;
  const nothing = { eventId: null, channelId: null, actorId: null, input: null, steps: null, items: null };
  const counted = { attempt: 0, executed: 0, depth: 0, isLate: false };
  const row = { ...made, cause: made.id, triggeredBy: 'manual', ...ended, ...nothing, ...counted, ...fields };
  await db.write((tx) => tx.run(insert('flowRun', row)));
  return row;
}

/** Adds an executed step to a run. */
export const addStep = ({ data: { db, deps } }: World, runId: string): Promise<unknown> =>
  db.write((tx) => {
    const does = { position: '0', name: 'keep', type: 'set', status: 'done', attempts: 1 } as const;
    const values = { input: { values: { a: 1 } }, output: { a: 1 }, error: null };
    return tx.run(insert('flowStep', { ...newRow(deps), runId, ...does, ...values }));
  });

/** Adds a row for the event that a run waits for. */
export const addWait = ({ data: { db } }: World, { id, flowId, serverId }: Json): Promise<unknown> =>
  db.write((tx) =>
    tx.run(
      insert('flowWait', {
        ...{ id, flowId, serverId, type: 'pin.created', condition: null, isRead: false, cursor: '', seq: 0 },
        ...{ eventId: null, messageId: null, needed: 0, answers: [] },
      }),
    ),
  );

export const takeRun = ({ data }: World, id: string): Promise<unknown> =>
  data.db.write((tx) => tx.run(remove('flowRun', { id })));

/** Ends a run as one that failed. */
export const failRun = ({ data }: World, id: string): Promise<unknown> =>
  data.db.write((tx) =>
    tx.run(update('flowRun', id, { status: 'failed', endedAt: Date.now(), error: 'gone' })),
  );

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
