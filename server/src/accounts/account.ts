import { unauthenticated } from '../access/authenticator.ts';
import type { RowOf } from '../db/schema.ts';
import { find, insert, q, remove, update } from '../db/statements.ts';
import type { ActCall } from '../operations/act.ts';
import type { Call } from '../operations/call.ts';
import type { Work } from '../operations/work.ts';
import { touched } from '../resources/common.ts';
import { isPassword } from './password.ts';

/** The refusal of a sign-in, whatever was wrong. */
const WRONG = 'the name or the password is wrong';

/** The provider of an identity that is a password. */
export const PASSWORD = 'credential';

interface Account {
  userId: string;
  /** The hash of the password, which takes too long to be made in a transaction. */
  hash: string;
  /** A verified address; null leaves it as it is. */
  email: string | null;
  /** The session that goes on; all end if left out. */
  keptSessionId?: string | undefined;
}

/** The identity that is a user's password; undefined for none. */
export const passwordOf = ({ db }: Pick<Call, 'db'>, userId: string) =>
  db.first(find('identity', { userId, provider: PASSWORD }));

/**
 * The user with this password and this username or e-mail address, and the hash that it was compared with. Throws
 * UNAUTHORIZED, in the same time for a wrong password and for an unknown name.
 */
export async function userWith(
  { db, address }: Pick<ActCall, 'db' | 'address'>,
  { name: given, password }: { name: string; password: string },
): Promise<{ userId: string; hash: string }> {
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
  if (!(await isPassword(address, password, found?.password)) || !found?.password)
    throw unauthenticated('UNAUTHORIZED', WRONG);
  return { userId: found.userId, hash: found.password };
}

/** Throws UNAUTHORIZED unless this is the hash of the user's password still: it may be another one since it was compared. */
export async function requireHash(work: Pick<Work, 'db'>, userId: string, hash: string): Promise<void> {
  const identity = await passwordOf(work, userId);
  if (identity?.password !== hash) throw unauthenticated('UNAUTHORIZED', WRONG);
}

/** Makes the account of a user, or gives it a new password: all its sessions and links end, and what apps were given that they have not fetched yet. Throws UniqueViolation if the e-mail address is taken. */
export async function putAccount(work: Work, { userId, hash, email, keptSessionId }: Account): Promise<void> {
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
  await db.run(
    keptSessionId === undefined
      ? remove('session', { userId })
      : q.deleteFrom('session').where('userId', '=', userId).where('id', '!=', keptSessionId),
  );
  // A link that somebody else may have would replace the new password by theirs.
  await db.run(remove('link', { userId }));
}

interface NewIdentity {
  userId: string;
  issuer: string;
  /** The subject at the issuer. */
  account: string;
  /** A verified address for a new account; null for none. */
  email: string | null;
}

/** Connects an account at a provider, and makes the account of the user if there is none. Throws UniqueViolation if it is connected already. */
export async function putIdentity(
  { db, newRow }: Work,
  { userId, issuer, account, email }: NewIdentity,
): Promise<RowOf<'identity'>> {
  if (!(await db.first(find('person', { id: userId }))))
    await db.run(insert('person', { ...newRow(), id: userId, email, emailVerified: email !== null }));
  const row: RowOf<'identity'> = { ...newRow(), userId, provider: issuer, account, password: null };
  await db.run(insert('identity', row));
  return row;
}
