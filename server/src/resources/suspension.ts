import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { q, update } from '../db/statements.ts';
import type { Work } from '../operations/work.ts';

/** Maximum agents that one request suspends or reinstates along with their creator. */
const MAX_AGENTS = 5_000;
/** Number of users per statement. */
const BATCH_USERS = 500;

/** The affected agents, and whether these are all of them. */
interface Reached {
  agents: number;
  isAll: boolean;
}

/** Suspends a user and the agents they created, directly or through other agents, up to `MAX_AGENTS`. */
export async function suspend({ db, now }: Pick<Work, 'db' | 'now'>, user: RowOf<'user'>): Promise<Reached> {
  if (user.suspendedAt === null)
    await db.run(update('user', user.id, { suspendedAt: now, suspendedWithId: null }));
  const agents = await agentsMadeBy(db, user.id, MAX_AGENTS + 1);
  return setAll(db, agents, { suspendedAt: now, suspendedWithId: user.id });
}

/** Lifts the suspension of a user and of the agents suspended with them, up to `MAX_AGENTS`. */
export async function lift({ db }: Work, user: RowOf<'user'>): Promise<Reached> {
  await db.run(update('user', user.id, { suspendedAt: null, suspendedWithId: null }));
  const rows = q
    .selectFrom('user')
    .select('id')
    .where('suspendedWithId', '=', user.id)
    .limit(MAX_AGENTS + 1);
  const agents = (await db.all(rows)).map(({ id }) => id);
  return setAll(db, agents, { suspendedAt: null, suspendedWithId: null });
}

async function setAll(
  db: Work['db'],
  found: readonly string[],
  set: Pick<RowOf<'user'>, 'suspendedAt' | 'suspendedWithId'>,
): Promise<Reached> {
  const ids = found.slice(0, MAX_AGENTS);
  for (let first = 0; first < ids.length; first += BATCH_USERS) {
    const some = ids.slice(first, first + BATCH_USERS);
    await db.run(q.updateTable('user').set(set).where('id', 'in', some));
  }
  return { agents: ids.length, isAll: ids.length === found.length };
}

/**
 * Finds up to `limit` agents that a user created, directly or through other agents, and that are not
 * suspended yet.
 */
async function agentsMadeBy(db: Reader, userId: string, limit: number): Promise<string[]> {
  const seen = new Set([userId]);
  const found: string[] = [];
  let makers = [userId];
  while (makers.length > 0 && found.length < limit) {
    const next: string[] = [];
    for (let first = 0; first < makers.length; first += BATCH_USERS) {
      const made = await db.all(
        q
          .selectFrom('user')
          .select(['id', 'suspendedAt'])
          .where('creatorId', 'in', makers.slice(first, first + BATCH_USERS)),
      );
      for (const { id, suspendedAt } of made) {
        if (seen.has(id)) continue;
        seen.add(id);
        next.push(id);
        if (suspendedAt === null) found.push(id);
      }
    }
    makers = next;
  }
  return found.slice(0, limit);
}
