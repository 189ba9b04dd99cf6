import { patiently } from '../../../api/patiently.ts';
import { readLog } from '../../../api/raw.ts';

interface Wish {
  /** The types to look at; undefined for all. */
  types: string | undefined;
  /** Milliseconds since the Unix epoch. */
  time: number;
  /** How far back it has looked. */
  onPage: (oldest: number) => void;
  signal: AbortSignal;
}

/**
 * The event from which a webhook goes on to send all that came since a time: the last one before it, or the oldest that is kept.
 * Throws PalaverError; with undefined it was told to stop.
 */
export async function pointBefore(
  serverId: string,
  { types, time, onPage, signal }: Wish,
): Promise<string | undefined> {
  let before: string | undefined;
  for (;;) {
    const page = await patiently(() => readLog(serverId, { types, before, signal }), signal);
    if (signal.aborted) return undefined;
    const found = page.events.find(({ at }) => at < time);
    if (found || !page.hasMore) return found?.id ?? page.nextCursor;
    onPage(page.events.at(-1)?.at ?? time);
    before = page.nextCursor;
  }
}
