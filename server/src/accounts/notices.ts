import { find } from '../db/statements.ts';
import { isFull, post, recipientOf } from '../mail/outbox.ts';
import type { WriteCall } from '../operations/call.ts';

/** Notices per person and hour. */
const HOURLY_NOTICES = 20;

/** Account changes that are notified by mail, each with its sentence. */
const sentences = {
  password: 'has a new password. All its sessions have ended but that of the browser in which it was chosen.',
  passwordRemoved: 'no longer has a password.',
  passkeyAdded: 'has one more passkey with which you sign in.',
  passkeyRemoved: 'has one passkey less.',
  emailAdded: 'has an e-mail address that was confirmed just now.',
  emailRemoved: 'no longer has this e-mail address.',
  secondFactorAdded: 'has a second factor now: a code is asked for when you sign in.',
  secondFactorRemoved: 'no longer has a second factor.',
  recoveryCodes: 'has new recovery codes for its second factor. Those from before have ended.',
  identityAdded: 'has one more way to sign in: an account at another service was connected.',
  identityRemoved: 'has lost a way to sign in.',
} as const;

export type Notice = keyof typeof sentences;

const TITLE = 'Your account has changed';

/**
 * Queues a mail that notifies a person of a change to their account, if mail is configured and they have a verified
 * address. Call it in the transaction of the change, before an address is removed.
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
    'If that was not you, choose another password at once, and ask whoever operates the server for help.',
  ];
  await post(work, mail, {
    kind: 'notice',
    userId,
    recipient: recipientOf(person.email),
    to: person.email,
    words: { subject: TITLE, paragraphs },
  });
}
