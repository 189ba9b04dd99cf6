import type { RowOf } from '../../db/schema.ts';
import { remove } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { listedMemberOf, serverMemberEvents } from './record.ts';

/** Takes a member out of their server, with their roles and keys there. Returns the member's record. */
export async function removeMember({ db, emit }: Work, member: RowOf<'serverMember'>) {
  const removed = (await listedMemberOf(db, member.serverId, [member]))(member);
  await emit(serverMemberEvents.deleted, removed);
  await db.run(remove('serverMember', { id: member.id }));
  return removed;
}
