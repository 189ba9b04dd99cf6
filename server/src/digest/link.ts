import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '../lib/deps.ts';

/** The path of the links that stop digests. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';

/** Returns the key that signs unsubscribe links, derived from the key that the nodes share. */
export const unsubscribeKeyOf = (cursorKey: Uint8Array): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', cursorKey, '', 'palaver unsubscribe', 32));

const macOf = (key: Uint8Array, userId: string): Buffer =>
  createHmac('sha256', key).update(`unsubscribe ${userId}`).digest();

/**
 * Creates a link that stops digests without requiring a sign-in, and can do nothing else. It does not expire,
 * because people keep emails for years.
 */
export const unsubscribeUrl = (address: string, key: Uint8Array, userId: string): string =>
  `${address}${UNSUBSCRIBE_PATH}?token=${userId}.${macOf(key, userId).toString('base64url')}`;

/** Returns the id of the person whose link has this token; undefined if the token is not valid. */
export function personOfToken(key: Uint8Array, token: unknown): string | undefined {
  const [userId = '', mac = '', ...others] = typeof token === 'string' ? token.split('.', 3) : [];
  if (!isId(userId) || others.length > 0) return undefined;
  const given = Buffer.from(mac, 'base64url');
  const right = macOf(key, userId);
  return given.length === right.length && timingSafeEqual(given, right) ? userId : undefined;
}
