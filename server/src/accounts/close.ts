import { conditions, requireCondition } from '../access/conditions.ts';
import type { Tx } from '../db/contract.ts';
import { lockPlatform } from '../db/platform.ts';
import { insert, q, remove, update } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { HOUR_MS } from '../mail/outbox.ts';
import { act } from '../operations/act.ts';
import { provenAtOf } from '../operations/call.ts';
import { body, oneOf, text } from '../operations/fields.ts';
import { load } from '../resources/common.ts';
import { requireUserFree } from '../resources/hold/scope.ts';
import { removeKeywords } from '../resources/keywords/keywords.ts';
import { recordAct } from '../resources/recordAct.ts';
import { suspend } from '../resources/suspension.ts';
import { otherPlatformAdmins } from '../resources/user.ts';
import { person, personOf } from './personRecord.ts';

export const personClose = act({
  operation: 'personClose',
  people: true,
  method: 'POST',
  path: '/close',
  resource: 'person',
  verb: 'delete',
  summary: 'Close your account permanently',
  description:
    'Revokes all your sessions and keys, and those of your agents, immediately. Within minutes you leave your servers and your name is removed everywhere; only an identifier remains. Requires a confirmed identity and your username. If you own servers, transfer or delete them first.',
  body: body({
    username: text({ max: 100, description: 'Your username, as confirmation', examples: ['ada'] }),
    messages: oneOf(
      ['keep', 'delete'],
      '`keep` leaves your messages and reactions, attributed to a deleted user; `delete` deletes them',
    ),
  }),
  answer: person,
  proven: true,
  async run(call, { body }) {
    const { principal } = call;
    const { userId } = principal;
    const data = await personOf(call.db, userId, provenAtOf(call));
    await call.writeOnAccount(userId, async (work) => {
      const { db, now, newRow } = work;
      const user = await load(db, 'user', userId);
      if (body.username !== user.username)
        throw invalid('mismatch', 'username', 'does not match your username');
      await requireUserFree(db, userId, now);
      const own = q.selectFrom('server').select('id').where('creatorId', '=', userId);
      const servers = (await db.all(own.where('deletedAt', 'is', null).limit(1))).length;
      requireCondition(principal, conditions.ownsNoServer, { servers });
      if (user.platformAdmin) {
        await lockPlatform(db, now);
        const others = await otherPlatformAdmins(db, userId);
        requireCondition(principal, conditions.lastPlatformAdmin, { others });
      }
      await removeAccount(db, userId, now);
      // From now on, neither the user nor their agents can act. A background job then removes them from their
      // servers.
      await suspend(work, user);
      await db.run(update('user', userId, { platformAdmin: false }));
      await db.run(insert('closing', { ...newRow(), id: userId, withMessages: body.messages === 'delete' }));
      await recordAct(work, 'account close', { id: userId });
    });
    return { data, token: null };
  },
});

/** Deletes the account with which a user signs in, and everything that belongs to it. */
export async function removeAccount(tx: Tx, userId: string, now: number): Promise<void> {
  for (const table of [
    'session',
    'grant',
    'identity',
    'link',
    'recoveryCode',
    'passkey',
    'approval',
    'authenticationRequest',
    'history',
    'personExport',
    'invitation',
    'departure',
    'guess',
    'pushSubscription',
  ] as const)
    await tx.run(remove(table, { userId }));
  // Drops queued emails, but counts them towards the mail limits for an hour. Otherwise, somebody could evade
  // the limits by creating and closing accounts.
  const unsent = { sealed: null, dueAt: null, forgetAt: now + HOUR_MS, updatedAt: now };
  await tx.run(q.updateTable('mail').set(unsent).where('userId', '=', userId).where('dueAt', 'is not', null));
  await tx.run(remove('secondFactor', { id: userId }));
  await tx.run(remove('presence', { id: userId }));
  await tx.run(remove('emailDigest', { id: userId }));
  await tx.run(remove('placeholder', { id: userId }));
  await removeKeywords(tx, userId);
  await tx.run(remove('person', { id: userId }));
}
