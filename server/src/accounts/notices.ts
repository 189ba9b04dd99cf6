import { find } from '../db/statements.ts';
import { isFull, post, recipientOf } from '../mail/outbox.ts';
import type { WriteCall } from '../operations/call.ts';

/** Maximum notices per person and hour. */
const HOURLY_NOTICES = 20;

/** Account changes of which people are notified by mail, each with its sentence. */
const sentences = {
  guessing:
    'got many wrong passwords or codes within an hour. Nobody can sign in from a browser that is new to your account until you sign in from one that you have used before, with a passkey, or with a password reset link.',
  password: 'has a new password. All other sessions were signed out.',
  passwordRemoved: 'no longer has a password.',
  passkeyAdded: 'has a new passkey that can sign you in.',
  passkeyRemoved: 'had a passkey removed.',
  emailAdded: 'now uses this email address.',
  emailRemoved: 'no longer uses this email address.',
  secondFactorAdded: 'now has two-factor authentication: signing in requires a code.',
  secondFactorRemoved: 'no longer has two-factor authentication.',
  recoveryCodes: 'has new recovery codes. The previous ones no longer work.',
  identityAdded: 'has a new way to sign in: an account at another service was linked.',
  identityRemoved: 'had a linked sign-in account removed.',
} as const;

export type Notice = keyof typeof sentences;

const TITLE = 'Your account has changed';

/**
 * Queues a mail that notifies a person of a change to their account, if mail is configured and they have a
 * verified address. Call it in the same transaction as the change, before an address is removed.
 */
export async function notify(
  work: Pick<WriteCall, 'db' | 'now' | 'newRow' | 'services'>,
  userId: string,
  notice: Notice,
): Promise<void> {
  const { db, now, services } = work;
  const { mail } = services;
  if (!mail) return;
  const [user, person] = [
    await db.first(find('user', { id: userId })),
    await db.first(find('person', { id: userId })),
  ];
  if (!user || !person?.email || !person.emailVerified) return;
  if (await isFull(db, now, 'notice', { userId }, HOURLY_NOTICES)) return;
  const paragraphs = [
    `Hello ${user.name},`,
    `Your account ${user.username} at ${mail.address} ${sentences[notice]}`,
    "If this wasn't you, change your password right away and contact the server's operator.",
  ];
  await post(work, mail, {
    kind: 'notice',
    userId,
    recipient: recipientOf(person.email),
    to: person.email,
    words: { subject: TITLE, paragraphs },
  });
}
