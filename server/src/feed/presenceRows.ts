import type { Reads, Tx } from '../db/contract.ts';
import { sql } from '../db/kysely.ts';
import { find, insert, prepare, q, update } from '../db/statements.ts';

/** How a person is shown to others. Somebody who is invisible is shown as offline. */
export interface Shown {
  userId: string;
  status: 'online' | 'idle' | 'dnd' | 'offline';
  text: string | null;
  /** The time at which the text ends, in ms; null for never. */
  textUntil: number | null;
}

interface Noted {
  nodeId: string;
  aliveUntil: number;
  come: readonly string[];
  left: readonly string[];
}

/**
 * Notes who has come to a node and left it, and until when the node is alive. Returns true if nothing of the node was noted: it is
 * new, or another one took it for dead.
 */
export async function noteOf(tx: Tx, { nodeId, aliveUntil, come, left }: Noted): Promise<boolean> {
  const isNew = (await tx.count(update('presenceNode', nodeId, { aliveUntil }))) === 0;
  if (isNew) await tx.run(insert('presenceNode', { id: nodeId, aliveUntil }));
  if (come.length > 0)
    await tx.run(
      q
        .insertInto('nodePerson')
        .values(come.map((userId) => ({ presenceNodeId: nodeId, userId })))
        .onConflict((conflict) => conflict.doNothing()),
    );
  if (left.length > 0)
    await tx.run(
      q
        .deleteFrom('nodePerson')
        .where('presenceNodeId', '=', nodeId)
        .where('userId', 'in', [...left]),
    );
  return isNew;
}

/** Nodes that have not said for long that they are alive. */
export const deadNodes = prepare((p: { now: number }) =>
  q.selectFrom('presenceNode').select('id').where('aliveUntil', '<', p.now).limit(10),
);

/** The people of a node. */
export const peopleOf = async (db: Reads, presenceNodeId: string): Promise<string[]> =>
  (await db.all(find('nodePerson', { presenceNodeId }))).map(({ userId }) => userId);

/** How these users are shown at a time, in ms; with whether they are invisible, which nobody else may know. */
export async function shownOf(
  db: Reads,
  userIds: readonly string[],
  now: number,
): Promise<(Shown & { isInvisible: boolean })[]> {
  const rows = await db.all(
    q
      .selectFrom('user')
      .leftJoin('presence', 'presence.id', 'user.id')
      .select(['user.id as userId', 'presence.status', 'presence.text', 'presence.textUntil'])
      .select((eb) =>
        eb
          .selectFrom('nodePerson')
          .innerJoin('presenceNode', 'presenceNode.id', 'nodePerson.presenceNodeId')
          .select(sql<number>`count(*)`.as('streams'))
          .whereRef('nodePerson.userId', '=', 'user.id')
          .where('presenceNode.aliveUntil', '>=', now)
          .as('streams'),
      )
      .where('user.id', 'in', [...userIds]),
  );
  return rows.map(({ userId, status, text, textUntil, streams }) => {
    const isInvisible = status === 'invisible';
    const hasText = text !== null && (textUntil === null || textUntil > now);
    return {
      userId,
      status: isInvisible || Number(streams) === 0 ? 'offline' : (status ?? 'online'),
      text: hasText ? text : null,
      textUntil: hasText ? textUntil : null,
      isInvisible,
    };
  });
}

/** The servers of which users are members. */
export async function membershipsOf(
  db: Reads,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const rows = await db.all(
    q
      .selectFrom('serverMember')
      .select(['userId', 'serverId'])
      .where('userId', 'in', [...userIds]),
  );
  const of = new Map<string, string[]>();
  for (const { userId, serverId } of rows) of.set(userId, [...(of.get(userId) ?? []), serverId]);
  return of;
}
