import { unauthenticated } from '../access/authenticator.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import { PASSWORD } from '../db/tables/identity.ts';
import type { ApiError } from '../errors.ts';
import type { ActCall } from '../operations/act.ts';
import type { Call } from '../operations/call.ts';
import type { Work } from '../operations/work.ts';
import { touched } from '../resources/common.ts';
import { claimByAddress, endPlaceholder } from '../resources/placeholder.ts';

/** This message is also used for unknown names, so that it does not reveal which accounts exist. */
const WRONG = 'the username or password is wrong';

interface Account {
  userId: string;
  /** The password's hash. It is computed before the transaction, because hashing is slow. */
  hash: string;
  /** A verified email address; null keeps the current one. */
  email: string | null;
  /** The session to keep; all others are revoked. If omitted, all sessions are revoked. */
  keptSessionId?: string | undefined;
  /** Whether apps keep the access that the user granted them. */
  keepsGrants?: boolean;
}

/** Selects the user's password identity; undefined if they have none. */
export const passwordOf = ({ db }: Pick<Call, 'db'>, userId: string) =>
  db.first(find('identity', { userId, provider: PASSWORD }));

/**
 * Finds the account with this username or email address, and its password's hash. Undefined if there is none,
 * or if it has no password.
 */
export async function accountNamed({ db }: Pick<ActCall, 'db'>, given: string): Promise<Named | undefined> {
  const name = given.toLowerCase();
  const passwords = q
    .selectFrom('identity')
    .select(['identity.userId', 'identity.password'])
    .where('identity.provider', '=', PASSWORD);
  const found = await db.first(
    name.includes('@')
      ? passwords.innerJoin('person', 'person.id', 'identity.userId').where('person.email', '=', name)
      : passwords.innerJoin('user', 'user.id', 'identity.userId').where('user.username', '=', name),
  );
  return found?.password ? { userId: found.userId, password: found.password } : undefined;
}

/** An account that has a password. */
export interface Named {
  userId: string;
  /** The hash of the password. */
  password: string;
}

/** Creates the error for an unknown name or a wrong password. It does not reveal which one is wrong. */
export const wrongPassword = (): ApiError => unauthenticated('UNAUTHORIZED', WRONG);

/** Throws UNAUTHORIZED if the user's password hash has changed since it was checked. */
export async function requireHash(work: Pick<Work, 'db'>, userId: string, hash: string): Promise<void> {
  const identity = await passwordOf(work, userId);
  if (identity?.password !== hash) throw unauthenticated('UNAUTHORIZED', WRONG);
}

/** Replaces the user's password hash with another hash of the same password. */
export async function replaceHash(work: Work, userId: string, hash: string): Promise<void> {
  const identity = await passwordOf(work, userId);
  if (identity)
    await work.db.run(
      update('identity', identity.id, { password: hash, updatedAt: touched(identity, work.now) }),
    );
}

/**
 * Creates a user's account or replaces its password. Revokes all sessions except `keptSessionId`, all links,
 * app approvals that have not been exchanged yet, and, unless `keepsGrants` is set, all grants. Throws
 * UniqueViolation if the email address is taken.
 */
export async function putAccount(
  work: Work,
  { userId, hash, email, keptSessionId, keepsGrants = false }: Account,
): Promise<void> {
  const { db, newRow, now } = work;
  const found = await db.first(find('person', { id: userId }));
  const verified = email === null ? {} : { email, emailVerified: true };
  if (!found) {
    await db.run(
      insert('person', { ...newRow(), email: null, emailVerified: false, ...verified, id: userId }),
    );
  } else if (email !== null) {
    await db.run(update('person', userId, { ...verified, updatedAt: touched(found, now) }));
  }
  const identity = await passwordOf(work, userId);
  if (identity) {
    await db.run(update('identity', identity.id, { password: hash, updatedAt: touched(identity, now) }));
  } else {
    const row: RowOf<'identity'> = {
      ...newRow(),
      userId,
      provider: PASSWORD,
      account: userId,
      password: hash,
    };
    await db.run(insert('identity', row));
  }
  await db.run(remove('approval', { userId }));
  if (!keepsGrants) await db.run(remove('grant', { userId }));
  await db.run(
    keptSessionId === undefined
      ? remove('session', { userId })
      : q.deleteFrom('session').where('userId', '=', userId).where('id', '!=', keptSessionId),
  );
  // Somebody else may have a link and could use it to replace the new password.
  await db.run(remove('link', { userId }));
  if (!found) await endPlaceholder(work, userId);
  if (email !== null) await claimByAddress(work, userId, email);
}

interface NewIdentity {
  userId: string;
  issuer: string;
  /** The subject identifier at the issuer. */
  account: string;
  /** A verified email address for a new account; null if there is none. */
  email: string | null;
}

/**
 * Connects an account at a provider, and creates the user's account if there is none. Throws UniqueViolation
 * if the identity is already connected.
 */
export async function putIdentity(
  work: Work,
  { userId, issuer, account, email }: NewIdentity,
): Promise<RowOf<'identity'>> {
  const { db, newRow } = work;
  if (!(await db.first(find('person', { id: userId })))) {
    await db.run(insert('person', { ...newRow(), id: userId, email, emailVerified: email !== null }));
    if (email !== null) await claimByAddress(work, userId, email);
  }
  const row: RowOf<'identity'> = { ...newRow(), userId, provider: issuer, account, password: null };
  await db.run(insert('identity', row));
  return row;
}
