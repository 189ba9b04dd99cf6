import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import { q } from '../../db/statements.ts';
import type { Call } from '../../operations/call.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';

// A challenge consists of a nonce, its expiry and a MAC, which also covers the ceremony and the session. All
// nodes can therefore verify each other's challenges. Unanswered challenges need no storage, so a page can
// request one each time it is shown. Answered challenges are stored until they expire, to prevent replays.

/** Lifetime of a challenge, and the timeout given to browsers. */
export const CHALLENGE_MS = 5 * 60_000;

const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const MAC_BYTES = 32;

/** The ceremony that a challenge is for. It is rejected in any other ceremony. */
export type Ceremony = 'register' | 'signIn' | 'prove';

/** The ceremony and session of a challenge. A sign-in has no session. */
export interface Bound {
  ceremony: Ceremony;
  sessionId: string | undefined;
}

const macOf = ({ peopleKey }: Services, { ceremony, sessionId = '' }: Bound, body: Uint8Array): Buffer =>
  createHmac('sha256', peopleKey).update(`passkey ${ceremony} ${sessionId}\n`).update(body).digest();

/** Creates a challenge, in base64url. */
export function newChallenge({ services, now }: Pick<Call, 'now' | 'services'>, bound: Bound): string {
  const body = Buffer.alloc(NONCE_BYTES + TIME_BYTES);
  body.set(services.deps.randomBytes(NONCE_BYTES));
  body.writeUIntBE(now + CHALLENGE_MS, NONCE_BYTES, TIME_BYTES);
  return Buffer.concat([body, macOf(services, bound, body)]).toString('base64url');
}

/**
 * Returns when a challenge expires, in milliseconds since the Unix epoch. Undefined if this server did not
 * issue it, if it belongs to another ceremony or session, or if it has expired.
 */
export function endOf(services: Services, challenge: string, bound: Bound, now: number): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  // Requires the canonical encoding. Otherwise, another spelling of the same bytes could be used a second
  // time.
  if (bytes.length !== NONCE_BYTES + TIME_BYTES + MAC_BYTES || bytes.toString('base64url') !== challenge)
    return undefined;
  const body = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  if (!timingSafeEqual(bytes.subarray(body.length), macOf(services, bound, body))) return undefined;
  const end = body.readUIntBE(NONCE_BYTES, TIME_BYTES);
  return end > now ? end : undefined;
}

/** Consumes a challenge. Returns false if another request, on any node, consumed it first. */
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
