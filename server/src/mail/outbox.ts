import { hash } from 'node:crypto';
import type { Reader, Tx } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { insert, q } from '../db/statements.ts';
import type { Seal } from '../lib/seal.ts';
import type { MailSettings } from './settings.ts';
import { type Letter, letterOf, type Words } from './text.ts';

// The queue of mails is a table: the transaction that makes a token also makes the mail that carries it.

export const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The outbox of a node that sends mails. */
export interface Outbox extends Pick<MailSettings, 'address' | 'hourly'> {
  /** Tells that there will be a mail soon. */
  wake(): void;
}

/** The place of a mail's text, for `Seal`. */
const placeOf = (id: string) => ({ table: 'mail', column: 'sealed', id });

/** The digest by which mails to a recipient are counted. */
export const recipientOf = (text: string): string =>
  hash('sha256', text.normalize('NFKC').toLowerCase(), 'hex');

type Kind = RowOf<'mail'>['kind'];

/** Mails are counted and made by one transaction after the other. */
const holdMails = (db: Tx): Promise<void> => db.hold('mails');

/** True if `most` mails of a kind were made in the last hour: for a person, or for a recipient. */
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

/** True if the whole server has made as many mails in the last hour as it may. */
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
  /** Null for an invite to somebody who has yet to sign up. Otherwise null: nobody gets it, but as much is done as for one that somebody gets. */
  userId: string | null;
  recipient: string;
  to: string;
  words: Words;
  /** The milliseconds after which nobody has a use for it; a day at most. */
  lifeMs?: number;
}

interface Work {
  db: Tx;
  newRow(): { id: string; createdAt: number; updatedAt: number };
  seal: Seal;
}

/** Puts a mail into the outbox. It is sent once the transaction is durable. */
export async function post(
  { db, newRow, seal }: Work,
  outbox: Outbox,
  { kind, userId, recipient, to, words, lifeMs = DAY_MS }: NewMail,
): Promise<void> {
  const made = newRow();
  const sealed = seal.seal(JSON.stringify(letterOf(to, words)), placeOf(made.id));
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
    uselessAt,
    forgetAt: isSent ? made.createdAt + DAY_MS + HOUR_MS : made.createdAt + HOUR_MS,
  };
  await db.run(insert('mail', row));
  if (isSent) outbox.wake();
}

/** The text of a mail that waits. Throws an Error if the secret key is another. */
export const letterIn = (seal: Seal, { id, sealed }: Pick<RowOf<'mail'>, 'id' | 'sealed'>): Letter =>
  JSON.parse(seal.open(sealed as string, placeOf(id)));

/** The number of mails that wait, on all nodes. */
export async function waitingMails(db: Reader): Promise<number> {
  const waiting = q
    .selectFrom('mail')
    .select((rows) => rows.fn.countAll<number>().as('amount'))
    .where('dueAt', 'is not', null);
  return Number((await db.first(waiting))?.amount ?? 0);
}
