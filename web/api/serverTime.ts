import { base } from './base.ts';

/** Clock differences up to this many ms are ignored, because the `Date` header is truncated to seconds. */
const SAME_MS = 30_000;
/** Timeout in ms. */
const LONGEST_MS = 3_000;

/**
 * The server's time in milliseconds since the Unix epoch. Used for deadlines that the server enforces, because the
 * local clock may be wrong. Falls back to the local clock if the server does not respond in time.
 */
export async function serverNow(): Promise<number> {
  const own = Date.now();
  try {
    const { headers } = await fetch(`${base}/healthz`, {
      ...{ method: 'HEAD', cache: 'no-store' },
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const theirs = Date.parse(headers.get('date') ?? '');
    return Math.abs(theirs - own) > SAME_MS ? theirs : own;
  } catch {
    return own;
  }
}
