import type { RowOf } from '../db/schema.ts';
import { find, q, remove, update } from '../db/statements.ts';
import { markUser } from '../db/sweep.ts';
import { touched } from '../resources/common.ts';
import { renaming } from '../resources/serverMember/lookAlike.ts';
import { listedMemberOf, serverMemberEvents } from '../resources/serverMember/memberRecord.ts';
import type { Sweeping } from './sweeping.ts';

/** Selects the user's next membership that has not been updated since the user's last change. */
const nextMember = ({ id, updatedAt }: Pick<RowOf<'user'>, 'id' | 'updatedAt'>) =>
  q
    .selectFrom('serverMember')
    .select(['id', 'serverId'])
    .where('userId', '=', id)
    .where('updatedAt', '<', updatedAt)
    .limit(1);

/**
 * Propagates a profile change to one server, because member records contain the profile. Emits an event and
 * updates the search index. Once all servers are done, removes the mark and returns true.
 */
export async function sweepProfile({ read, change }: Sweeping, mark: RowOf<'sweep'>): Promise<boolean> {
  const user = await read.first(find('user', { id: mark.id }));
  const next = user && (await read.first(nextMember(user)));
  if (!next) {
    return change(async ({ db }) => {
      await db.count(remove('sweep', { id: mark.id }));
      // A concurrent change either waits until the mark is removed, or is visible here.
      const current = await db.first(find('user', { id: mark.id }));
      const isMissed = current && (await db.first(nextMember(current)));
      if (isMissed) await markUser(db, mark.id);
      return !isMissed;
    });
  }
  await change(async (work) => {
    const { db, emit, now } = work;
    const [current, member] = await Promise.all([
      db.first(find('user', { id: mark.id })),
      db.first(find('serverMember', { id: next.id })),
    ]);
    if (!current || !member || member.updatedAt >= current.updatedAt) return;
    const updatedAt = Math.max(touched(member, now), current.updatedAt);
    const { nickname, serverId } = member;
    const { naming, renamed } = await renaming(work, { serverId, user: current, nickname });
    const changed = { ...member, ...naming, updatedAt };
    await db.run(update('serverMember', member.id, { ...naming, updatedAt }));
    const toListed = await listedMemberOf(db, serverId, [changed]);
    await emit(serverMemberEvents.updated, toListed(changed));
    await renamed();
  }, next.serverId);
  return false;
}
