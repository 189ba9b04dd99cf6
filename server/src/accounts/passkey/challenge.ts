import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { q } from '../../db/statements.ts';
import type { Call } from '../../operations/call.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';

// A challenge is a number that is used once, the time of its end, and a code of authentication over both, the ceremony and the
// session. So every node knows those of all nodes, nothing is stored for one that is never answered, and a page may ask for
// one each time it is shown. One that was answered is stored until its end.

/** The time in which a challenge is to be answered. Browsers are told to give up then. */
export const CHALLENGE_MS = 5 * 60_000;

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/** The purpose of a challenge. One that was made for another is refused. */
export type Ceremony = 'register' | 'signIn' | 'prove';

/** The ceremony of a challenge, and its session; a sign-in has none. */
export interface Bound {
  ceremony: Ceremony;
  sessionId: string | undefined;
}

const macOf = ({ peopleKey }: Services, { ceremony, sessionId = '' }: Bound, body: Uint8Array): Buffer =>
  createHmac('sha256', peopleKey).update(`passkey ${ceremony} ${sessionId}\n`).update(body).digest();

/** A new challenge, in base64url. */
export function newChallenge({ services, now }: Pick<Call, 'now' | 'services'>, bound: Bound): string {
  const body = Buffer.alloc(NONCE_BYTES + TIME_BYTES);
  body.set(services.deps.randomBytes(NONCE_BYTES));
  body.writeUIntBE(now + CHALLENGE_MS, NONCE_BYTES, TIME_BYTES);
  return Buffer.concat([body, macOf(services, bound, body)]).toString('base64url');
}

/** The end of a challenge, in milliseconds; undefined unless it was made here for this ceremony and session, and is not over. */
export function endOf(services: Services, challenge: string, bound: Bound, now: number): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  // A second way to write the same bytes would be a second use.
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge)
    return undefined;
  const body = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  if (!timingSafeEqual(bytes.subarray(body.length), macOf(services, bound, body))) return undefined;
  const end = body.readUIntBE(NONCE_BYTES, TIME_BYTES);
  return end > now ? end : undefined;
}

/** Uses a challenge up. False if another request was sooner, on any node. */
export async function useChallenge(
  { db, newRow }: Pick<Work, 'db' | 'newRow'>,
  challenge: string,
  expiresAt: number,
): Promise<boolean> {
  const row = { id: newRow().id, digest: hash('sha256', challenge, 'hex'), expiresAt };
  const inserted = q
    .insertInto('usedChallenge')
    .values(row)
    .onConflict((conflict) => conflict.column('digest').doNothing());
  return (await db.count(inserted)) === 1;
}
