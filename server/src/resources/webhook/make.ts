import { newHookToken } from '../../access/credentials/hookToken.ts';
import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import type { WriteCall } from '../../operations/call.ts';

/** How long secrets before a new one go on signing too, in milliseconds, and how many of them. */
const OVERLAP_MS = 24 * 60 * 60_000;
const MAX_EARLIER = 4;
const SECRET_BYTES = 32;

/** The part of a secret or token that a webhook keeps, and the part that is shown once. */
interface Credential {
  kept: Pick<RowOf<'webhook'>, 'sealed' | 'earlier' | 'digest'>;
  shown: { secret: string } | { token: string; path: string };
}

/**
 * A new secret of Standard Webhooks, or a new token. The secrets of the day before stay valid for a day, so that one that nobody
 * got to see, because the answer was lost, does no harm; the token does not.
 */
export function newCredential(
  { randomBytes, seal, now }: Pick<WriteCall, 'randomBytes' | 'seal' | 'now'>,
  direction: 'in' | 'out',
  before: Pick<RowOf<'webhook'>, 'sealed' | 'earlier'> | undefined,
): Credential {
  if (direction === 'in') {
    const token = newHookToken(randomBytes);
    return {
      kept: { sealed: null, earlier: [], digest: digestOf(token) },
      shown: { token, path: `/hooks/${token}` },
    };
  }
  const secret = `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;
  const latest = before?.sealed ? [{ sealed: before.sealed, until: now + OVERLAP_MS }] : [];
  const older = before?.earlier.filter(({ until }) => until > now) ?? [];
  return {
    kept: { sealed: seal.seal(secret), earlier: [...latest, ...older].slice(0, MAX_EARLIER), digest: null },
    shown: { secret },
  };
}
