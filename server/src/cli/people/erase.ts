import type { Data } from '../../node/data.ts';
import { operator } from '../../operations/work.ts';
import { type Erasure, eraseUser as erase } from '../../removal/erase.ts';
import { CommandError } from '../commandError.ts';
import type { TellStep } from '../terminal.ts';
import { userNamed } from './find.ts';

/**
 * Implements `palaver user erase`. If it is interrupted, running it again continues where it left off. Throws
 * CommandError.
 */
export async function eraseUser(
  data: Data,
  given: { username: string; messages: string },
  tell: TellStep = () => {},
): Promise<Erasure> {
  if (given.messages !== 'keep' && given.messages !== 'delete')
    throw new CommandError('--messages must be keep or delete');
  const user = await userNamed(data.db.read, given.username);
  return erase({ ...data, actor: operator }, user, { withMessages: given.messages === 'delete', tell });
}
