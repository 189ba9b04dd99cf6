import type { RowOf } from '../../db/schema.ts';
import { find, remove } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { listedMemberOf, serverMemberEvents } from './record.ts';

/** Removes a member, and by the consequences of the event all that hangs on the membership. Returns the record. */
export async function removeMember({ db, emit }: Work, member: RowOf<'serverMember'>) {
  const removed = (await listedMemberOf(db, member.serverId, [member]))(member);
  await emit(serverMemberEvents.deleted, removed);
  await db.run(remove('serverMember', { id: member.id }));
  return removed;
}

/** Removes a user from a server, if they are a member. */
export async function removeUser(
  work: Work,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<void> {
  const member = await work.db.first(find('serverMember', { serverId, userId }));
  if (member) await removeMember(work, member);
}
