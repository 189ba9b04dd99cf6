import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { addMember } from '../../resources/serverMember/join.ts';
import { toMember } from '../../resources/serverMember/record.ts';

export async function createMember(work: Work, given: { server: string; user: string }) {
  const { id: serverId } = await load(work.db, 'server', given.server);
  const user = await load(work.db, 'user', given.user);
  return toMember(await addMember(work, { serverId, user }));
}
