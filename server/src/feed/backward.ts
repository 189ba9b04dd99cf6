import { setImmediate as turn } from 'node:timers/promises';
import type { Viewer } from '../access/visibility.ts';
import { MAX_PAGE_BYTES } from '../db/contract.ts';
import { eventIdOf, type LogPosition } from './eventId.ts';
import { type LoggedEvent, seenBy, sees } from './logged.ts';
import { oldestPosition } from './positions.ts';
import type { Filter } from './span.ts';
import type { Tail } from './tail.ts';

/** Maximum number of spans of the log to scan for one page. */
const MAX_SPANS = 10;

/** A page of a log, newest first. */
export interface BackwardPage {
  events: LoggedEvent[];
  /**
   * The position at which the scan stopped; the next page continues before it. Undefined at the beginning
   * of the log.
   */
  cursor: string | undefined;
  hasMore: boolean;
}

/**
 * Returns up to `limit` events before `before` that match the filter and that the viewer may see, newest
 * first. Returns fewer if they reach about `MAX_PAGE_BYTES`, or if it has to skip too many other events.
 */
export async function readBackward(
  tail: Tail,
  loadViewer: () => Promise<Viewer>,
  { before, filter, limit }: { before: number; filter: Filter; limit: number },
): Promise<BackwardPage> {
  const { db, logId } = tail;
  const events: LoggedEvent[] = [];
  let place: LogPosition | undefined;
  let room = MAX_PAGE_BYTES;
  for (let span = 0; span < MAX_SPANS && events.length < limit && room > 0; span++) {
    if (span > 0) await turn();
    const read = await tail.readBefore(place?.seq ?? before, filter, limit - events.length, room);
    if (!read.place) break;
    place = read.place;
    // The viewer is loaded after the read, because they may have lost access since it began.
    const viewer = await loadViewer();
    for (const event of read.events) {
      if (!sees(viewer, event)) continue;
      const seen = seenBy(viewer, event);
      events.push(seen);
      room -= Buffer.byteLength(seen.json);
    }
  }
  if (!place) return { events, cursor: undefined, hasMore: false };
  const { seq: start } = await oldestPosition(db, logId);
  return { events, cursor: eventIdOf(logId, place), hasMore: place.seq > start + 1 };
}
