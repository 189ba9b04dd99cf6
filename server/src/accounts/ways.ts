import type { Reader } from '../db/contract.ts';
import { find } from '../db/statements.ts';
import { PASSWORD } from '../db/tables/identity.ts';
import type { ActCall } from '../operations/act.ts';
import { hostOfOrigin } from './passkey/place.ts';

/**
 * Whether a person can still sign in here after losing one device. They need a password, an account
 * at a configured provider, two passkeys, or one passkey that is backed up. If the `address` setting is
 * set, passkeys for another host, such as a previous address, are ignored, because they no longer work.
 */
export async function hasWayIn(
  db: Reader,
  {
    services: { providers },
    origin,
    hasFixedOrigin,
  }: Pick<ActCall, 'services' | 'origin' | 'hasFixedOrigin'>,
  userId: string,
): Promise<boolean> {
  const identities = await db.all(find('identity', { userId }));
  if (identities.some(({ provider }) => provider === PASSWORD || providers.of(provider))) return true;
  const passkeys = await db.all(find('passkey', { userId }));
  const working = passkeys.filter(
    (one) => !hasFixedOrigin || hostOfOrigin(one.origin) === hostOfOrigin(origin),
  );
  return working.length > 1 || working.some(({ backedUp }) => backedUp);
}
