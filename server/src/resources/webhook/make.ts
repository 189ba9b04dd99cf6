import { newHookToken } from '../../access/credentials/hookToken.ts';
import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import type { WriteCall } from '../../operations/call.ts';

/** After a rotation, earlier secrets continue to sign events for this long. */
const OVERLAP_MS = 24 * 60 * 60_000;
/** Maximum number of earlier secrets that also sign events. */
const MAX_EARLIER_SECRETS = 4;
const SECRET_BYTES = 32;

interface Credential {
  /** The columns of the webhook. */
  stored: Pick<RowOf<'webhook'>, 'sealed' | 'earlier' | 'digest'>;
  /** The fields that appear only in the response to the insert or rotation. */
  shown: { secret: string } | { token: string; path: string };
}

/**
 * Creates a Standard Webhooks secret (`out`) or a token (`in`). Earlier secrets also sign events for a day,
 * so that receivers can still verify them if the response with the new secret is lost. An earlier token
 * expires immediately.
 */
export function newCredential(
  { randomBytes, services: { seal }, now }: Pick<WriteCall, 'randomBytes' | 'services' | 'now'>,
  direction: 'in' | 'out',
  { id, sealed = null, earlier = [] }: { id: string } & Partial<Pick<RowOf<'webhook'>, 'sealed' | 'earlier'>>,
): Credential {
  if (direction === 'in') {
    const token = newHookToken(randomBytes);
    return {
      stored: { sealed: null, earlier: [], digest: digestOf(token) },
      shown: { token, path: `/hooks/${token}` },
    };
  }
  const secret = `whsec_${Buffer.from(randomBytes(SECRET_BYTES)).toString('base64')}`;
  const [ofSecret, ofEarlier] = [cellOf(id, 'sealed'), cellOf(id, 'earlier')];
  const moved = sealed === null ? [] : [seal.seal(seal.open(sealed, ofSecret), ofEarlier)];
  const latest = moved.map((sealed) => ({ sealed, until: now + OVERLAP_MS }));
  const older = earlier.filter(({ until }) => until > now);
  return {
    stored: {
      sealed: seal.seal(secret, ofSecret),
      earlier: [...latest, ...older].slice(0, MAX_EARLIER_SECRETS),
      digest: null,
    },
    shown: { secret },
  };
}

const cellOf = (id: string, column: 'sealed' | 'earlier') => ({ table: 'webhook', column, id });
