import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { addUser, isReserved, requireUsername, toUser } from '../../resources/user.ts';
import { CommandError } from '../commandError.ts';
import { nameFrom } from './name.ts';

export async function createUser(
  work: Work,
  given: { username: string; name?: string; agent?: boolean; platformAdmin?: boolean },
) {
  const username = given.username.toLowerCase();
  requireUsername(username);
  if (isReserved(username, { byPerson: false }))
    throw new CommandError(`the username ${username} is reserved`);
  const fields = {
    username,
    name: nameFrom(given.name) ?? given.username,
    type: given.agent ? ('agent' as const) : ('person' as const),
    platformAdmin: given.platformAdmin ?? false,
  };
  return toUser(await addUser(work, fields));
}

export const listUsers = async (db: Reader) =>
  (await db.all(q.selectFrom('user').selectAll().orderBy('id'))).map(toUser);
