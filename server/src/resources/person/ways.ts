import type { Reader } from '../../db/contract.ts';
import { find } from '../../db/statements.ts';
import type { Providers } from '../../providers/providers.ts';
import { PASSWORD } from './account.ts';

/**
 * True if a person can still sign in, also after the loss of one device: with a password, an account at a provider of the settings,
 * two passkeys, or one that is backed up.
 */
export async function hasWayIn(db: Reader, providers: Providers, userId: string): Promise<boolean> {
  const identities = await db.all(find('identity', { userId }));
  if (identities.some(({ provider }) => provider === PASSWORD || providers.of(provider))) return true;
  const passkeys = await db.all(find('passkey', { userId }));
  return passkeys.length > 1 || passkeys.some(({ backedUp }) => backedUp);
}
