import { find, q, remove, update } from '../db/statements.ts';
import { PASSWORD } from '../db/tables/identity.ts';
import type { WriteCall } from '../operations/call.ts';
import { touched } from '../resources/common.ts';
import { removeFactor } from './codes.ts';
import { clientOf, recordHistory } from './history/record.ts';
import { notify } from './notices.ts';

/**
 * Removes two-factor authentication and all sign-in methods except the password, because an attacker who took
 * over the account may have added them. Also removes the email address, because password reset links are sent
 * to it.
 */
export async function removeOtherWays(work: WriteCall, userId: string): Promise<void> {
  const { db, now } = work;
  const client = clientOf(work.from);
  if (await db.first(find('secondFactor', { id: userId })))
    await recordHistory(work, { userId, type: 'secondFactorRemoved', ...client });
  await removeFactor(work, userId);
  if ((await db.count(remove('passkey', { userId }))) > 0)
    await recordHistory(work, { userId, type: 'passkeyRemoved', ...client });
  const identities = q.deleteFrom('identity').where('userId', '=', userId).where('provider', '!=', PASSWORD);
  if ((await db.count(identities)) > 0)
    await recordHistory(work, { userId, type: 'identityRemoved', ...client });
  const found = await db.first(find('person', { id: userId }));
  if (!found || found.email === null) return;
  await notify(work, userId, 'emailRemoved');
  const set = { email: null, emailVerified: false, updatedAt: touched(found, now) };
  await db.run(update('person', userId, set));
}
