/**
 * A transactional outbox: the transaction that creates a token also inserts the email that carries it, so
 * neither exists without the other. `MailSender` delivers it after the commit.
 *
 * - A node claims an email by incrementing `attempts` with a compare-and-set, which also sets the time of the
 *   next attempt. That delay is longer than an attempt can take, so there is no lease to renew, and an email
 *   whose node dies is retried by another.
 * - Delivery is at least once, with the same Message-ID on every attempt, so receivers can deduplicate.
 * - Retries back off exponentially from a minute to an hour. An email is dropped when its link has expired,
 *   after a day, or when the server rejects the recipient.
 * - The text contains a token: it is encrypted while queued and deleted once sent or dropped. The rest of the
 *   row stays for an hour, because the hourly limits count rows.
 * - A request for an unknown account does the same work and inserts a row without a text, so timing reveals
 *   nothing.
 */

import { hash } from 'node:crypto';
import type { Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, q } from '../db/statements.ts';
import type { Seal } from '../lib/seal.ts';
import type { MailSettings } from './settings.ts';
import { type Letter, letterOf, type Words } from './text.ts';

export const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The outbox of a node that sends mail. */
export interface Outbox extends Pick<MailSettings, 'address' | 'hourly'> {
  /** Called when an email is about to be committed. */
  wake(): void;
}

/** Identifies the database cell of an email's text. `Seal` binds the text to it. */
const cellOf = (id: string) => ({ table: 'mail', column: 'sealed', id });

/** Returns the digest by which emails to a recipient are counted. */
export const recipientOf = (text: string): string =>
  hash('sha256', text.normalize('NFKC').toLowerCase(), 'hex');

type Kind = RowOf<'mail'>['kind'];

/**
 * Serializes transactions that count and insert emails. Otherwise, two of them together could exceed a limit.
 */
const holdMails = (db: Tx): Promise<void> => db.hold('mails');

/** Whether at least `most` emails of a kind were created in the last hour for a user or for a recipient. */
export async function isFull(
  db: Tx,
  now: number,
  kind: Kind,
  of: { userId: string } | { recipient: string },
  most: number,
): Promise<boolean> {
  await holdMails(db);
  const [[column, value]] = Object.entries(of) as [['userId' | 'recipient', string]];
  const made = q
    .selectFrom('mail')
    .select('id')
    .where(column, '=', value)
    .where('kind', '=', kind)
    .where('createdAt', '>', now - HOUR_MS)
    .limit(most);
  return (await db.all(made)).length >= most;
}

/** Whether the whole installation has reached its hourly limit. */
export async function isBusy(db: Tx, now: number, { hourly }: Pick<Outbox, 'hourly'>): Promise<boolean> {
  await holdMails(db);
  const made = q
    .selectFrom('mail')
    .select((rows) => rows.fn.countAll<number>().as('amount'))
    .where('createdAt', '>', now - HOUR_MS)
    .where((mail) => mail.or([mail('userId', 'is not', null), mail('kind', '=', 'invite')]));
  return Number((await db.first(made))?.amount ?? 0) >= hourly;
}

interface NewMail {
  kind: Kind;
  /**
   * Null for an invite to a person without an account. For other emails, null means that no mail is sent: the
   * row exists so that unknown accounts cause the same work.
   */
  userId: string | null;
  recipient: string;
  to: string;
  words: Words;
  /** Milliseconds until the email is useless, at most a day. */
  lifeMs?: number;
}

interface Work {
  db: Tx;
  newRow(): { id: string; createdAt: number; updatedAt: number };
  services: { seal: Seal };
}

/** Puts an email in the outbox. It is sent once the transaction has committed. */
export async function post(
  { db, newRow, services: { seal } }: Work,
  outbox: Outbox,
  { kind, userId, recipient, to, words, lifeMs = DAY_MS }: NewMail,
): Promise<void> {
  const made = newRow();
  const sealed = seal.seal(JSON.stringify(letterOf(to, words)), cellOf(made.id));
  const isSent = userId !== null || kind === 'invite';
  const uselessAt = made.createdAt + Math.min(lifeMs, DAY_MS);
  const row: RowOf<'mail'> = {
    ...made,
    kind,
    userId,
    recipient,
    sealed: isSent ? sealed : null,
    attempts: 0,
    dueAt: isSent ? made.createdAt : null,
    failedAt: null,
    uselessAt,
    forgetAt: isSent ? made.createdAt + DAY_MS + HOUR_MS : made.createdAt + HOUR_MS,
  };
  await db.run(insert('mail', row));
  if (isSent) outbox.wake();
}

/** Decrypts a queued email. Throws an Error if it was encrypted with another secret key. */
export const letterIn = (seal: Seal, { id, sealed }: Pick<RowOf<'mail'>, 'id' | 'sealed'>): Letter =>
  JSON.parse(seal.open(sealed as string, cellOf(id)));

/** Counts queued emails across all nodes. */
export async function waitingMails(db: Reader): Promise<number> {
  const waiting = q
    .selectFrom('mail')
    .select((rows) => rows.fn.countAll<number>().as('amount'))
    .where('dueAt', 'is not', null);
  return Number((await db.first(waiting))?.amount ?? 0);
}
