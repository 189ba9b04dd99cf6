import type { Reader } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';

/**
 * True if a person can still sign in, also after the loss of one device: with a password or another identity, two passkeys, or one
 * that is backed up.
 */
export async function hasWayIn(db: Reader, userId: string): Promise<boolean> {
  if (await db.first(find('identity', { userId }))) return true;
  const passkeys = await db.all(find('passkey', { userId }));
  return passkeys.length > 1 || passkeys.some(({ backedUp }) => backedUp);
}
