import { familyDigestOf, isGrantToken, isRefreshToken } from '../../access/credentials/grant.ts';
import { isAccessToken } from '../../access/credentials/session.ts';
import { digestOf } from '../../access/credentials/token.ts';
import { find, remove } from '../../db/statements.ts';
import type { Services } from '../../operations/services.ts';
import { personActor, transactOnAccount, workIn } from '../../operations/work.ts';
import { clientOf, recordHistory } from '../history/record.ts';
import { endGrant } from './grant.ts';

/**
 * Revokes an app's token, and with it the session or grant (RFC 7009). No other credential is needed, because
 * the token's holder could use the session anyway. Does nothing for an unknown token, or for the token of a
 * browser session. `address` is the client's network, which is shown in the account's history.
 */
export async function revoke(services: Services, token: string, address: string): Promise<void> {
  if (isGrantToken(token) || isRefreshToken(token)) return revokeGrant(services, token, address);
  if (!isAccessToken(token)) return;
  const found = await services.db.read.first(find('session', { digest: digestOf(token) }));
  if (!found) return;
  const { id, userId, device } = found;
  await transactOnAccount(services, userId, async (tx, pending) => {
    // Concurrent revocations are recorded once.
    if ((await tx.count(remove('session', { id }))) !== 1) return;
    const work = workIn(tx, services, personActor(userId), pending);
    await recordHistory(work, {
      userId,
      type: 'signedOut',
      ...clientOf({ device, address }),
    });
  });
}

/** Revokes the grant of an access token or a refresh token. */
async function revokeGrant(services: Services, token: string, address: string): Promise<void> {
  const digest = digestOf(token);
  const { read } = services.db;
  const found = isRefreshToken(token)
    ? await read.first(find('grant', { familyDigest: familyDigestOf(token) }))
    : ((await read.first(find('grant', { digest }))) ??
      (await read.first(find('grant', { earlierDigest: digest }))));
  if (!found) return;
  await transactOnAccount(services, found.userId, (tx, pending) =>
    endGrant(workIn(tx, services, personActor(found.userId), pending), found, address),
  );
}
