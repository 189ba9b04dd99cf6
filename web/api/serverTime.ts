/** Clocks that are no further apart than this, in ms, are taken for the same: the header has whole seconds. */
const SAME_MS = 30_000;
/** Nobody waits longer than this, in ms. */
const LONGEST_MS = 3_000;

/**
 * The time of the server, in milliseconds since the Unix epoch: for an end that the server is to keep, whatever the clock of this machine
 * says. The machine's own where the server does not answer soon.
 */
export async function serverNow(): Promise<number> {
  const own = Date.now();
  try {
    const { headers } = await fetch('/healthz', {
      ...{ method: 'HEAD', cache: 'no-store' },
      signal: AbortSignal.timeout(LONGEST_MS),
    });
    const theirs = Date.parse(headers.get('date') ?? '');
    return Math.abs(theirs - own) > SAME_MS ? theirs : own;
  } catch {
    return own;
  }
}
