import { connect, type Source } from './connection.ts';
import { noAnswer, PalaverError } from './error.ts';
import type { EventOptions, PalaverEvent, Reset } from './event.ts';
import { parsed } from './json.ts';
import type { Block } from './sse.ts';
import { backOff, type Surroundings } from './waiting.ts';

/** Statuses for which a retry would not help. */
const final: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** A connection that lasted at least this many milliseconds resets the backoff. */
const STABLE_MS = 30_000;

/**
 * Yields all events in order, each once, until the caller stops. Reconnects after every connection loss, and
 * resumes after the last event that the caller received. Throws PalaverError on 400, 401, 403 and 404, or the
 * signal's reason if it is aborted.
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

/** Parses the event in a block, if there is one. Throws NO_ANSWER if the data is not an event. */
function eventOf({ id = '', event, data }: Block): PalaverEvent | undefined {
  const isReset = event === 'reset';
  // Skips named events, which a newer server may send but this client does not know.
  if (data === undefined || (event !== '' && !isReset)) return undefined;
  const told = parsed(data) as PalaverEvent | null | undefined;
  if (isReset) return { ...(told as Reset), type: 'reset', id };
  if (typeof told?.type !== 'string') throw noAnswer("the stream's data is not an event");
  return told;
}

/**
 * Records the event's number. Returns true if an event with this or a higher number was already received from
 * the same log. A reset may restart the numbering.
 */
function isRepeated(event: PalaverEvent, latest: Map<string, number>): boolean {
  if (event.type === 'reset') latest.clear();
  else if (event.seq !== undefined) {
    if (event.seq <= (latest.get(event.serverId) ?? 0)) return true;
    latest.set(event.serverId, event.seq);
  }
  return false;
}
