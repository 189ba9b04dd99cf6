import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { find } from '../db/statements.ts';
import { PASSWORD } from '../db/tables/identity.ts';
import type { Services } from './services.ts';

/**
 * Known browsers: browsers where a person has signed in before. They protect the person from being locked out
 * by password guessing elsewhere. The browser stores a cookie with a random salt and, for each account, a MAC
 * over the account and its password hash, so a new password makes all browsers unknown. The server stores
 * nothing.
 */

/** Maximum accounts in one browser's cookie; the latest ones are kept. */
const MAX_ACCOUNTS = 8;
const SALT = /^[\w-]{16}$/;
const MAC_CHARACTERS = 22;

/** An account with its password's hash; null if it has no password. */
export interface KnownAccount {
  userId: string;
  password: string | null;
}

const macOf = (peopleKey: string, salt: string, { userId, password }: KnownAccount): string =>
  createHmac('sha256', peopleKey)
    .update(`known browser ${salt} ${userId} ${hash('sha256', password ?? '')}`)
    .digest('base64url')
    .slice(0, MAC_CHARACTERS);

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Returns the id by which sign-in attempts from a known browser are counted; undefined for unknown browsers.
 * `cookie` is the cookie from the browser.
 */
export function knownBrowser(
  peopleKey: string,
  cookie: string | undefined,
  account: KnownAccount,
): string | undefined {
  const [salt = '', ...macs] = (cookie ?? '').split('.', MAX_ACCOUNTS + 1);
  if (!SALT.test(salt)) return undefined;
  const mac = macOf(peopleKey, salt, account);
  return macs.some((one) => isEqual(one, mac)) ? salt : undefined;
}

/** Returns the new cookie for a browser in which this person has just signed in. */
export async function knownAfter(
  { db, peopleKey }: Pick<Services, 'db' | 'peopleKey'>,
  cookie: string | undefined,
  userId: string,
): Promise<string> {
  const identity = await db.read.first(find('identity', { userId, provider: PASSWORD }));
  const account = { userId, password: identity?.password ?? null };
  const [given = '', ...macs] = (cookie ?? '').split('.', MAX_ACCOUNTS + 1);
  const isSound = SALT.test(given);
  const salt = isSound ? given : randomBytes(12).toString('base64url');
  const mac = macOf(peopleKey, salt, account);
  const others = isSound ? macs.filter((one) => one.length === MAC_CHARACTERS && one !== mac) : [];
  return [salt, mac, ...others].slice(0, MAX_ACCOUNTS + 1).join('.');
}
