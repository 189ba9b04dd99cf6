import { type KeyObject, sign } from 'node:crypto';

/** Lifetime of a signature in seconds. Push services accept up to a day (RFC 8292, 2). */
const SIGNED_SECONDS = 12 * 60 * 60;

/** The key that identifies this installation to push services (VAPID, RFC 8292). */
export interface PushKey {
  /** The public key as an uncompressed point, in base64url. */
  publicKey: string;
  privateKey: KeyObject;
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Returns the `Authorization` header for a push service. `contact` is a URL at which push service operators
 * can reach the operator of this installation; empty if unknown. `now` is in milliseconds since the Unix
 * epoch.
 */
export function authorizationOf(
  { publicKey, privateKey }: PushKey,
  endpoint: string,
  contact: string,
  now: number,
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now / 1000) + SIGNED_SECONDS,
    ...(contact !== '' && { sub: contact }),
  };
  const signed = `${base64({ typ: 'JWT', alg: 'ES256' })}.${base64(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
