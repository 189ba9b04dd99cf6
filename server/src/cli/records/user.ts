import type { Reader } from '../../db/contract.ts';
import { q } from '../../db/statements.ts';
import type { Work } from '../../operations/work.ts';
import { addUser, toUser, usernameProblem } from '../../resources/user.ts';
import { CommandError } from '../commandError.ts';
import { nameProblem } from './name.ts';

export async function createUser(
  work: Work,
  given: { username: string; name?: string; agent?: boolean; platformAdmin?: boolean },
) {
  const username = given.username.toLowerCase();
  const problem = usernameProblem(username) ?? nameProblem(given.name);
  if (problem) throw new CommandError(problem);
  const fields = {
    username,
    name: given.name ?? given.username,
    type: given.agent ? ('agent' as const) : ('person' as const),
    platformAdmin: given.platformAdmin ?? false,
  };
  return toUser(await addUser(work, fields));
}

export const listUsers = async (db: Reader) =>
  (await db.all(q.selectFrom('user').selectAll().orderBy('id'))).map(toUser);
