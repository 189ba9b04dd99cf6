import { connect, type Source } from './connection.ts';
import { noAnswer, PalaverError } from './error.ts';
import type { EventOptions, PalaverEvent, Reset } from './event.ts';
import { parsed } from './json.ts';
import type { Block } from './sse.ts';
import { backOff, type Surroundings } from './waiting.ts';

/** Statuses that a retry would not change. */
const final: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** Connections that lasted at least this many milliseconds reset the backoff. */
const STABLE_MS = 30_000;

/**
 * All events, in order and once each, until the caller stops. Reconnects after every loss, and resumes after the last
 * event the caller received. Throws PalaverError if the server refuses (400, 401, 403, 404), or the signal's reason.
 */
export async function* follow(
  source: Source,
  options: EventOptions,
  around: Surroundings,
): AsyncGenerator<PalaverEvent, void, undefined> {
  const { signal } = options;
  const latest = new Map<string, number>();
  let after = options.after;
  let failures = 0;
  for (;;) {
    const begun = around.now();
    let error: PalaverError;
    try {
      for await (const block of connect(source, { ...options, after }, around)) {
        after = block.id || after;
        const event = eventOf(block);
        if (!event || isRepeated(event, latest)) continue;
        failures = 0;
        yield event;
      }
      error = noAnswer('the stream has ended');
    } catch (cause) {
      signal?.throwIfAborted();
      if (!(cause instanceof PalaverError) || final.has(cause.status)) throw cause;
      error = cause;
    }
    if (around.now() - begun >= STABLE_MS) failures = 0;
    const pause = Math.max(backOff(failures, around), (error.retryAfter ?? 0) * 1000);
    failures++;
    source.onRetry?.(error, pause);
    await around.wait(pause, signal);
  }
}

/** Parses a block's event, if there is one. Throws NO_ANSWER if the data is not an event. */
function eventOf({ id = '', event, data }: Block): PalaverEvent | undefined {
  const isReset = event === 'reset';
  // Skip named events that a newer server may send and this client does not know.
  if (data === undefined || (event !== '' && !isReset)) return undefined;
  const told = parsed(data) as PalaverEvent | null | undefined;
  if (isReset) return { ...(told as Reset), type: 'reset', id };
  if (typeof told?.type !== 'string') throw noAnswer('the stream holds what is no event');
  return told;
}

/** Records the event's number. True if its log has already reached it. A reset may restart the numbering. */
function isRepeated(event: PalaverEvent, latest: Map<string, number>): boolean {
  if (event.type === 'reset') latest.clear();
  else if (event.seq !== undefined) {
    if (event.seq <= (latest.get(event.serverId) ?? 0)) return true;
    latest.set(event.serverId, event.seq);
  }
  return false;
}
