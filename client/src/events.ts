import { connect, type Source } from './connection.ts';
import { noAnswer, PalaverError } from './error.ts';
import type { EventOptions, PalaverEvent, Reset } from './event.ts';
import { parsed } from './json.ts';
import type { Block } from './sse.ts';
import { backOff, type Surroundings } from './waiting.ts';

/** Statuses that another attempt would not change. */
const final: ReadonlySet<number> = new Set([400, 401, 403, 404]);
/** Milliseconds after which a connection that broke off is taken for one that was good. */
const GOOD = 30_000;

/**
 * Everything that happens, in order and once, for as long as one listens. Goes on after every loss of the connection, from
 * the event that was taken last. Throws PalaverError when the server refuses to serve it (400, 401, 403, 404), or the
 * signal's reason.
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
    if (around.now() - begun >= GOOD) failures = 0;
    const pause = Math.max(backOff(failures, around), (error.retryAfter ?? 0) * 1000);
    failures++;
    source.onRetry?.(error, pause);
    await around.wait(pause, signal);
  }
}

/** The event that a block tells of, if any. Throws NO_ANSWER for what is no event. */
function eventOf({ id = '', event, data }: Block): PalaverEvent | undefined {
  const isReset = event === 'reset';
  // A name that a later server gives is not for this client.
  if (data === undefined || (event !== '' && !isReset)) return undefined;
  const told = parsed(data) as PalaverEvent | null | undefined;
  if (isReset) return { ...(told as Reset), type: 'reset', id };
  if (typeof told?.type !== 'string') throw noAnswer('the stream holds what is no event');
  return told;
}

/** Notes the number of the event, and tells whether one as late was there before. A reset may begin another count. */
function isRepeated(event: PalaverEvent, latest: Map<string, number>): boolean {
  if (event.type === 'reset') latest.clear();
  else if (event.seq !== undefined) {
    if (event.seq <= (latest.get(event.serverId) ?? 0)) return true;
    latest.set(event.serverId, event.seq);
  }
  return false;
}
