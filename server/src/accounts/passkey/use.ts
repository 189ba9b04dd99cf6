import type { Static } from 'typebox';
import { unauthenticated } from '../../access/authenticator.ts';
import { find, q } from '../../db/statements.ts';
import type { ApiError } from '../../errors.ts';
import type { ActCall } from '../../operations/act.ts';
import type { WriteCall } from '../../operations/call.ts';
import { asserted, boundTo } from './ceremony.ts';
import { type Ceremony, CHALLENGE_MS, newChallenge, useChallenge } from './challenge.ts';
import type { assertion } from './options.ts';
import { requireHost } from './place.ts';

/** Creates the error for an unknown passkey or an invalid response. It does not reveal which one is wrong. */
const refusal = (): ApiError =>
  unauthenticated('UNAUTHORIZED', 'this passkey is unknown, or the request has expired. Try again');

/** Returns a person's passkeys for WebAuthn options, oldest first. */
export async function descriptorsOf({ db }: Pick<ActCall, 'db'>, userId: string) {
  const rows = await db.all(find('passkey', { userId }));
  return rows.map(({ credential, transports }) => ({
    type: 'public-key' as const,
    id: credential,
    transports: [...transports],
  }));
}

/**
 * Returns options to request an assertion from any passkey for the host, or from the given passkeys. Throws
 * INVALID_REQUEST.
 */
export const optionsFor = (
  call: ActCall,
  ceremony: Ceremony,
  allowCredentials: Awaited<ReturnType<typeof descriptorsOf>> = [],
) => ({
  rpId: requireHost(call),
  challenge: newChallenge(call, boundTo(call, ceremony)),
  timeout: CHALLENGE_MS,
  allowCredentials,
  userVerification: 'required' as const,
});

/**
 * Verifies a passkey's response. Returns the id of the passkey's owner, and `use`, which consumes the
 * challenge in the caller's transaction and throws if another request consumed it first. Throws UNAUTHORIZED
 * if the response is not valid.
 */
export async function passkeyOf(call: ActCall, ceremony: Ceremony, response: Static<typeof assertion>) {
  const passkey = await call.db.first(find('passkey', { credential: response.id }));
  const isOthers = ceremony === 'prove' && passkey?.userId !== call.principal.userId;
  const found = passkey && !isOthers && (await asserted(call, ceremony, passkey, response));
  if (!found) throw refusal();
  const { counter, backedUp } = found.told;
  const use = async (work: WriteCall): Promise<void> => {
    const isFirst = await useChallenge(work, found.challenge, found.expiresAt);
    // A counter that does not increase suggests a cloned authenticator, unless the authenticator has no
    // counter.
    const told = q
      .updateTable('passkey')
      .set({ counter, backedUp, lastUsedAt: work.now })
      .where('id', '=', passkey.id)
      .where('counter', counter === 0 ? '=' : '<', counter);
    if (!isFirst || (await work.db.count(told)) !== 1) throw refusal();
  };
  return { userId: passkey.userId, use };
}
