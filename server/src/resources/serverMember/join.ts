import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert, q } from '../../db/statements.ts';
import type { Work } from '../../http/endpoint.ts';
import { load } from '../common.ts';
import { defaultRole } from '../role.ts';
import { toServer } from '../server/record.ts';
import { toUser } from '../user.ts';
import { giveRole } from '../userRole.ts';
import { toMember } from './record.ts';

interface Newcomer {
  serverId: string;
  user: RowOf<'user'>;
  nickname?: string | null;
}

/** Makes a user a member, with the server's default role, and tells of it. Throws `UniqueViolation` for one who is a member. */
export async function addMember(work: Work, newcomer: Newcomer) {
  const { serverId } = newcomer;
  const role = await defaultRole(work.db, serverId);
  const member = await enter(work, newcomer, role ? [role.id] : []);
  await countMembers(work, serverId, 1);
  return member;
}

/** The same for a server that counts the member already. */
export async function enter(work: Work, newcomer: Newcomer, roleIds: readonly string[]) {
  const { db, emit, newRow } = work;
  const { serverId, user, nickname = null } = newcomer;
  const row = { ...newRow(), serverId, userId: user.id, nickname };
  await db.run(insert('serverMember', row));
  const member = { ...toMember(row), user: toUser(user), roleIds: [...roleIds] };
  await emit({ type: 'serverMember.created', serverId, data: member });
  for (const roleId of roleIds) {
    const data = await giveRole(work, { serverId, userId: user.id, roleId });
    await emit({ type: 'userRole.created', serverId, data });
  }
  return member;
}

/** Keeps the number of members that a server shows. */
export async function countMembers(
  { db, emit, now }: Pick<Work, 'db' | 'emit' | 'now'>,
  serverId: string,
  change: 1 | -1,
): Promise<void> {
  // By the database, for a command takes no turn among the writes of the server.
  await db.run(
    q
      .updateTable('server')
      .set((eb) => ({
        memberCount: eb('memberCount', '+', change),
        updatedAt: eb
          .case()
          .when('updatedAt', '<', now)
          .then(now)
          .else(eb('updatedAt', '+', 1))
          .end(),
      }))
      .where('id', '=', serverId),
  );
  await emit({ type: 'server.updated', serverId, data: toServer(await load(db, 'server', serverId)) });
}

/** True if the user is a member of the server. */
export const isMember = async (db: Reader, serverId: string, userId: string): Promise<boolean> =>
  (await db.first(find('serverMember', { serverId, userId }))) !== undefined;
