import type { Work } from '../../operations/work.ts';
import { load } from '../../resources/common.ts';
import { hasLeft } from '../../resources/serverMember/departure.ts';
import { addMember, isBanned } from '../../resources/serverMember/join.ts';
import { toMember } from '../../resources/serverMember/memberRecord.ts';
import { CommandError } from '../commandError.ts';
import { userNamed } from '../people/find.ts';

export async function createMember(work: Work, given: { server: string; username?: string; user?: string }) {
  const { id: serverId } = await load(work.db, 'server', given.server);
  const user = await userOf(work, given);
  if (await isBanned(work.db, serverId, user))
    throw new CommandError('the user is banned from the server: a moderator must lift the ban first');
  if (await hasLeft(work.db, serverId, user.id))
    throw new CommandError('the user left the server: only they can join it again');
  return toMember(await addMember(work, { serverId, user }));
}

async function userOf({ db }: Work, { username, user }: { username?: string; user?: string }) {
  if (username !== undefined && user === undefined) return userNamed(db, username);
  if (user !== undefined && username === undefined) return load(db, 'user', user);
  throw new CommandError('name the user: pass either --username or --user');
}
