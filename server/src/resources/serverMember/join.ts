import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, insert } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { defaultRole } from '../role.ts';
import { toUser } from '../user.ts';
import { serverMemberEvents, toMember } from './record.ts';

interface Newcomer {
  serverId: string;
  user: RowOf<'user'>;
  nickname?: string | null;
}

/** The roles that a new member gets; and whether the server counts the member already. */
export interface Entry {
  roleIds: readonly string[];
  isCounted: boolean;
}

/** Makes a user a member, with the server's default role. Throws `UniqueViolation` for one who is a member. */
export async function addMember(work: Work, newcomer: Newcomer) {
  const role = await defaultRole(work.db, newcomer.serverId);
  return enter(work, newcomer, { roleIds: role ? [role.id] : [], isCounted: false });
}

/** The same with other roles. Giving the roles, and counting, are consequences of the event. */
export async function enter({ db, emit, newRow }: Work, newcomer: Newcomer, entry: Entry) {
  const { serverId, user, nickname = null } = newcomer;
  const row = { ...newRow(), serverId, userId: user.id, nickname };
  await db.run(insert('serverMember', row));
  const member = { ...toMember(row), user: toUser(user), roleIds: [...entry.roleIds] };
  await emit(serverMemberEvents.created, member, { known: entry });
  return member;
}

/** True if the user is a member of the server. */
export const isMember = async (db: Reader, serverId: string, userId: string): Promise<boolean> =>
  (await db.first(find('serverMember', { serverId, userId }))) !== undefined;
