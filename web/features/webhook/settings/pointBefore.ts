import { patiently } from '../../../api/patiently.ts';
import { readLog } from '../../../api/raw.ts';

interface Wish {
  /** Event types to search; undefined for all. */
  types: string | undefined;
  time: number;
  /** Reports the time of the oldest event searched. */
  onPage: (oldest: number) => void;
  signal: AbortSignal;
}

/**
 * Finds the event to replay after, to resend everything since a time: the last one before it, or the oldest retained one. Throws
 * PalaverError; undefined if aborted.
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
