import { expressionBuilder } from 'kysely';
import type { Reads, Tx } from '../db/contract.ts';
import type { Tables } from '../db/schema.ts';
import { find, insert, prepare, q, update } from '../db/statements.ts';

/** A person's presence as others see it. Invisible people appear offline. */
export interface Shown {
  userId: string;
  status: 'online' | 'idle' | 'dnd' | 'offline';
  text: string | null;
  /** When the text expires, in ms; null for never. */
  textUntil: number | null;
}

interface Noted {
  nodeId: string;
  aliveUntil: number;
  come: readonly string[];
  left: readonly string[];
}

/**
 * Records the people who connected to or disconnected from a node, and renews the node's lease. Returns
 * true if the node had no row: it is new, or another node considered it dead.
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

/** Selects the nodes whose lease has expired. */
export const deadNodes = prepare((p: { now: number }) =>
  q.selectFrom('presenceNode').select('id').where('aliveUntil', '<', p.now).limit(10),
);

const people = expressionBuilder<Tables, 'user' | 'serverMember'>();

/**
 * Returns the condition that a person has an open stream. `now` is in ms. The rows of a dead node remain
 * until another node removes them, so the condition also checks the node's lease.
 */
export const isConnected = (userId: 'user.id' | 'serverMember.userId', now: number) =>
  people.exists(
    people
      .selectFrom('nodePerson')
      .innerJoin('presenceNode', 'presenceNode.id', 'nodePerson.presenceNodeId')
      .select('nodePerson.userId')
      .whereRef('nodePerson.userId', '=', userId)
      .where('presenceNode.aliveUntil', '>=', now),
  );

/** Selects the people who are connected to a node. */
export const peopleOf = async (db: Reads, presenceNodeId: string): Promise<string[]> =>
  (await db.all(find('nodePerson', { presenceNodeId }))).map(({ userId }) => userId);

/**
 * Returns the presence of these users. `now` is in ms. The result includes whether they are invisible, which
 * must not be revealed to others.
 */
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
      .select(isConnected('user.id', now).as('isConnected'))
      .where('user.id', 'in', [...userIds]),
  );
  return rows.map(({ userId, status, text, textUntil, isConnected }) => {
    const isInvisible = status === 'invisible';
    const hasText = text !== null && (textUntil === null || textUntil > now);
    return {
      userId,
      status: isInvisible || !isConnected ? 'offline' : (status ?? 'online'),
      text: hasText ? text : null,
      textUntil: hasText ? textUntil : null,
      isInvisible,
    };
  });
}

/** Returns the servers of each user. */
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
