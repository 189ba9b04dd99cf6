import type { Reader } from '../../db/contract.ts';
import type { RowOf } from '../../db/schema.ts';
import { find } from '../../db/statements.ts';
import { CommandError } from '../commandError.ts';

/** Finds a user by name, case-insensitively. Throws CommandError. */
export async function userNamed(db: Reader, username: string): Promise<RowOf<'user'>> {
  const user = await db.first(find('user', { username: username.toLowerCase() }));
  if (!user) throw new CommandError(`user ${JSON.stringify(username)} does not exist`);
  return user;
}
