import { newApiKey, previewOf } from '../../access/credentials/apiKey.ts';
import { digestOf } from '../../access/credentials/token.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { earliest, noEarlier } from './mint.ts';
import { secretEvents, toSecret } from './secretRecord.ts';

/** Default and maximum overlap in seconds, during which the previous value stays valid. */
export const OVERLAP_SECONDS = 24 * 60 * 60;
export const MAX_OVERLAP_SECONDS = 30 * 24 * 60 * 60;

interface Rotation {
  /** The number of seconds for which the current value stays valid; 0 for no overlap. */
  overlap?: number | undefined;
  /**
   * Expiry of the new value, in ms since the Unix epoch; null if it never expires. If omitted, it stays
   * unchanged.
   */
  expiresAt?: number | null | undefined;
  /** Age in ms at which a value expires. */
  maxAgeMs: number;
}

/**
 * Rotates an API key. Only the result contains the new value. The previous value stays valid for the overlap
 * or until it expires; a value from before an earlier rotation expires immediately. Throws INVALID_REQUEST
 * if the new value would already be expired.
 */
export async function rotateKey(
  { db, emit, now, randomBytes }: Work,
  found: RowOf<'secret'>,
  given: Rotation,
) {
  const { overlap = OVERLAP_SECONDS, maxAgeMs } = given;
  // An expiry that was derived from the maximum age was not requested and is therefore not kept.
  const asked = found.expiresAt === found.updatedAt + maxAgeMs ? null : found.expiresAt;
  const { expiresAt = asked } = given;
  if (expiresAt !== null && expiresAt <= now)
    throw invalid('missing', 'expiresAt', 'is required, because the key has expired');
  const key = newApiKey(randomBytes);
  const updatedAt = touched(found, now);
  const until = earliest(now + overlap * 1000, found.expiresAt, found.updatedAt + maxAgeMs) as number;
  const earlier = { earlierDigest: found.digest, earlierPreview: found.preview, earlierUntil: until };
  const set = {
    preview: previewOf(key),
    digest: digestOf(key),
    ...(until > now ? earlier : noEarlier),
    expiresAt: earliest(expiresAt, updatedAt + maxAgeMs),
    updatedAt,
  };
  const use = await db.first(find('keyUse', { id: found.id }));
  await db.run(update('secret', found.id, set));
  const rotated = toSecret({ ...found, ...set, lastUsedAt: use?.lastUsedAt });
  await emit(secretEvents.updated, rotated);
  return { ...rotated, key };
}
