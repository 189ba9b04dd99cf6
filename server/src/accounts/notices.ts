import { find } from '../db/statements.ts';
import type { HistoryType } from '../db/tables/history.ts';
import { isFull, post, recipientOf } from '../mail/outbox.ts';
import type { WriteCall } from '../operations/call.ts';
import { clientOf, recordHistory } from './history/record.ts';

/**
 * Maximum notices of one kind per person and hour. Each kind has its own limit, so that an attacker who has
 * taken over an account cannot exhaust the limit with one kind of change and then make another kind
 * unnoticed.
 */
const HOURLY_NOTICES = 4;

/**
 * The account changes that trigger an email, each with the sentence in the email and the entry in the
 * history.
 */
const notices = {
  guessing: {
    type: 'signInBlocked',
    sentence:
      'had many sign-in attempts with wrong passwords or codes within an hour. Its password does not work in new browsers for 90 days, or until you sign in from a browser that you have used before, with a passkey, or with a password reset link.',
  },
  sessionGuessing: {
    type: 'sessionRevoked',
    sentence: 'had a session signed out, because too many wrong passwords or codes were entered in it.',
  },
  password: {
    type: 'passwordChanged',
    sentence: 'has a new password. All other sessions were signed out.',
  },
  passwordRemoved: { type: 'passwordRemoved', sentence: 'no longer has a password.' },
  passkeyAdded: { type: 'passkeyAdded', sentence: 'has a new passkey that can sign you in.' },
  passkeyRemoved: { type: 'passkeyRemoved', sentence: 'had a passkey removed.' },
  emailAdded: { type: 'emailAdded', sentence: 'now uses this email address.' },
  emailRemoved: { type: 'emailRemoved', sentence: 'no longer uses this email address.' },
  secondFactorAdded: {
    type: 'secondFactorAdded',
    sentence: 'now has two-factor authentication: signing in requires a code.',
  },
  secondFactorRemoved: {
    type: 'secondFactorRemoved',
    sentence: 'no longer has two-factor authentication.',
  },
  recoveryCodes: {
    type: 'recoveryCodesCreated',
    sentence: 'has new recovery codes. The previous ones no longer work.',
  },
  dataExported: {
    type: 'dataExported',
    sentence: 'is being exported: its messages, files and settings can be downloaded for seven days.',
  },
  identityAdded: {
    type: 'identityAdded',
    sentence: 'has a new way to sign in: an account at another service was linked.',
  },
  identityRemoved: { type: 'identityRemoved', sentence: 'had a linked sign-in account removed.' },
} as const satisfies Record<string, { type: HistoryType; sentence: string }>;

export type Notice = keyof typeof notices;

const CHANGED = 'Your account has changed';
const NEW_SIGN_IN = 'New sign-in to your account';

type Notifier = Pick<WriteCall, 'db' | 'now' | 'newRow' | 'services'>;

/**
 * Records a change in the history of an account, and queues an email that notifies the person, if mail is
 * configured and they have a verified address. Call this in the same transaction as the change, before an
 * address is removed.
 */
export async function notify(work: Notifier & Pick<WriteCall, 'from'>, userId: string, notice: Notice) {
  const { type, sentence } = notices[notice];
  const actor = notice === 'guessing' || notice === 'sessionGuessing' ? 'unknown' : 'person';
  await recordHistory(work, { userId, type, actor, ...clientOf(work.from) });
  await mailNotice(work, userId, { kind: notice, subject: CHANGED, sentence });
}

/** Notifies a person by email about a sign-in from a browser or app that has not been used before. */
export async function notifyOfSignIn(
  work: Notifier,
  userId: string,
  { device, address }: ReturnType<typeof clientOf>,
): Promise<void> {
  const from = [device && `Device: ${device}.`, address && `Network: ${address}.`].filter(Boolean).join(' ');
  await mailNotice(work, userId, {
    kind: 'signIn',
    subject: NEW_SIGN_IN,
    sentence: 'was used to sign in from a browser or app that had not been used with it before.',
    ...(from !== '' && { more: from }),
  });
}

async function mailNotice(
  work: Notifier,
  userId: string,
  { kind, subject, sentence, more }: { kind: string; subject: string; sentence: string; more?: string },
): Promise<void> {
  const { db, now, services } = work;
  const { mail } = services;
  if (!mail) return;
  const [user, person] = [
    await db.first(find('user', { id: userId })),
    await db.first(find('person', { id: userId })),
  ];
  if (!user || !person?.email || !person.emailVerified) return;
  const recipient = recipientOf(`${userId} ${kind}`);
  if (await isFull(db, now, 'notice', { recipient }, HOURLY_NOTICES)) return;
  const paragraphs = [
    `Hello ${user.name},`,
    `Your account ${user.username} at ${mail.address} ${sentence}`,
    ...(more ? [more] : []),
    "If this wasn't you, change your password right away and contact the server's operator.",
  ];
  await post(work, mail, {
    kind: 'notice',
    userId,
    recipient,
    to: person.email,
    words: { subject, paragraphs },
  });
}
