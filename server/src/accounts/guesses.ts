import { hash } from 'node:crypto';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove } from '../db/statements.ts';
import { ApiError } from '../errors.ts';
import type { ActCall } from '../operations/act.ts';
import type { WriteCall } from '../operations/call.ts';
import { notify } from './notices.ts';

/**
 * Limits password guessing. Rate limits alone would allow thousands of guesses a day, forever. After
 * `MAX_FAILURES` wrong passwords or codes in an hour, unknown browsers are blocked until the account's owner
 * signs in from a known browser, or with a passkey, a provider or a link. Unknown usernames are treated
 * the same way, so the responses do not reveal which accounts exist.
 */
const MAX_FAILURES = 20;
const HOUR_MS = 60 * 60_000;
/** Failed attempts in a session expire after this time, or when the person confirms their identity. */
const SESSION_MS = 30 * 24 * HOUR_MS;
/**
 * Maximum duration of a block. The owner of an account can end its block earlier. Nobody can end the block of
 * an unknown name early.
 */
const BLOCK_MS = 90 * 24 * HOUR_MS;
/**
 * Maximum number of blocked unknown names, because anyone can invent names. Beyond it, the oldest are
 * deleted.
 */
const MAX_NOBODIES = 20_000;
/** Maximum rows deleted at once. */
const MAX_DELETED = 20;

/** The target of a sign-in attempt: an account, or an unknown name. */
export interface Guessed {
  userId: string | null;
  /** The name as it was entered. */
  name: string;
}

/**
 * Returns the subject of a guess counter. The username and the email address of an account have separate
 * counters. Otherwise, a block of both would reveal that they belong to the same account.
 */
function subjectOf({ userId, name }: Guessed): string {
  if (userId === null) return hash('sha256', `name ${name.normalize('NFKC').toLowerCase()}`);
  return hash('sha256', name.includes('@') ? `email of ${userId}` : userId);
}

/** The rule named in the errors. */
export const GUESSES_RULE = 'signIn: after many wrong passwords, a browser used with the account before';

/** Throws FORBIDDEN if unknown browsers are blocked from signing in as this account. */
export async function requireUnblocked(call: Pick<ActCall, 'db' | 'now'>, guessed: Guessed): Promise<void> {
  const row = await call.db.first(find('guess', { subject: subjectOf(guessed) }));
  if (!row || row.blockedAt === null || row.forgetAt <= call.now) return;
  throw new ApiError(
    'FORBIDDEN',
    'there were too many wrong passwords or codes. Sign in from a browser that you have used here before, with a passkey, or with a password reset link',
    { rule: GUESSES_RULE, have: [], need: [] },
  );
}

/** Counts a wrong password or code from an unknown browser. Notifies the owner when this causes a block. */
export async function noteGuess(work: WriteCall, guessed: Guessed): Promise<void> {
  const { db, now } = work;
  const subject = subjectOf(guessed);
  await db.hold(`guess ${subject}`);
  const row = await db.first(find('guess', { subject }));
  // Attempts that were in progress when the block began do not count.
  if (row && row.blockedAt !== null && row.forgetAt > now) return;
  const isRecent = row !== undefined && now - row.since < HOUR_MS;
  const failures = isRecent ? row.failures + 1 : 1;
  const isBlocked = failures >= MAX_FAILURES;
  const set: Omit<RowOf<'guess'>, 'subject' | 'userId'> = {
    failures,
    since: isRecent ? row.since : now,
    blockedAt: isBlocked ? now : null,
    forgetAt: now + (isBlocked ? BLOCK_MS : HOUR_MS),
  };
  await db.run(
    row
      ? q.updateTable('guess').set(set).where('subject', '=', subject)
      : insert('guess', { subject, userId: guessed.userId, ...set }),
  );
  if (!isBlocked) return;
  if (guessed.userId === null) await boundNobodies(work);
  else await notify(work, guessed.userId, 'guessing');
}

async function boundNobodies({ db }: WriteCall): Promise<void> {
  const blocked = q
    .selectFrom('guess')
    .select('subject')
    .where('userId', 'is', null)
    .where('blockedAt', 'is not', null);
  const beyond = await db.all(blocked.limit(MAX_DELETED).offset(MAX_NOBODIES));
  if (beyond.length === 0) return;
  for (const { subject } of await db.all(blocked.orderBy('forgetAt').limit(beyond.length)))
    await db.run(remove('guess', { subject }));
}

/** Resets the guess counters of an account after its owner has signed in. */
export const forgetGuesses = ({ db }: Pick<WriteCall, 'db'>, userId: string): Promise<unknown> =>
  db.run(remove('guess', { userId }));

const subjectOfSession = (sessionId: string): string => hash('sha256', `session ${sessionId}`);

/**
 * Records a wrong password or code, and revokes the session after too many, so that a stolen session cannot be
 * used for guessing. The person can sign in again.
 */
export async function noteSessionGuess(work: WriteCall, userId: string, sessionId: string): Promise<void> {
  const { db, now } = work;
  const subject = subjectOfSession(sessionId);
  await db.hold(`guess ${subject}`);
  const row = await db.first(find('guess', { subject }));
  const failures = row && row.forgetAt > now ? row.failures + 1 : 1;
  if (failures >= MAX_FAILURES) {
    await db.run(remove('guess', { subject }));
    if ((await db.count(remove('session', { id: sessionId }))) > 0)
      await notify(work, userId, 'sessionGuessing');
    return;
  }
  const set = { failures, since: now, blockedAt: null, forgetAt: now + SESSION_MS };
  // The row does not contain the user, so that a sign-in elsewhere does not reset it.
  await db.run(
    row
      ? q.updateTable('guess').set(set).where('subject', '=', subject)
      : insert('guess', { subject, userId: null, ...set }),
  );
}

/** Resets the counter of a session after the person has confirmed their identity. */
export const forgetSessionGuesses = ({ db }: Pick<WriteCall, 'db'>, sessionId: string): Promise<unknown> =>
  db.run(remove('guess', { subject: subjectOfSession(sessionId) }));
