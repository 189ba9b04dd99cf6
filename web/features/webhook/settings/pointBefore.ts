import { patiently } from '../../../api/patiently.ts';
import { readLog } from '../../../api/raw.ts';

interface Wish {
  /** The event types to search; undefined for all. */
  types: string | undefined;
  time: number;
  /** Called with the time of the oldest event searched so far. */
  onPage: (oldest: number) => void;
  signal: AbortSignal;
}

/**
 * Finds the starting event for a replay of everything since a time: the last event before that time, or the
 * oldest one retained. Throws PalaverError. Undefined if aborted.
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
