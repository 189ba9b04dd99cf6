import { ask, noPalaver, type Remote, TryAgain } from './remote.ts';

/**
 * A connection that is silent for this long is considered lost. The server sends a heartbeat at least every
 * 15 seconds.
 */
const SILENCE_MS = 40_000;

/**
 * An event in the stream (see docs/api/events.md). In a `reset`, the fields of `data` are at the top level,
 * next to `id`.
 */
export interface StreamEvent {
  id?: string;
  type: string;
  actorId?: string | null;
  actor?: string | null;
  at?: number;
  data?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A position in the stream, and the event at that position (none for the first step). */
export interface Step {
  after: string | undefined;
  event?: StreamEvent;
}

/**
 * Yields the events of one connection, until the server ends it. The first step is the starting position.
 * Throws TryAgain if the connection is lost or silent for too long, and the errors from `ask`.
 */
export async function* connect(
  remote: Remote,
  { query, after }: { query: string; after: string | undefined },
): AsyncGenerator<Step> {
  const stop = new AbortController();
  const answer = await ask(remote, `/events${query}`, {
    headers: { accept: 'text/event-stream', ...(after !== undefined && { 'last-event-id': after }) },
    signal: stop.signal,
  });
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) throw noPalaver(remote.url);
  let place = answer.headers.get('last-event-id') ?? after;
  yield { after: place };
  const watch = setTimeout(() => stop.abort(), SILENCE_MS);
  try {
    for await (const fields of blocksOf(answer.body as ReadableStream<Uint8Array>, () => watch.refresh())) {
      place = fields.id ?? place;
      const event = eventIn(fields);
      yield event ? { after: place, event } : { after: place };
    }
  } catch {
    throw new TryAgain('the connection was lost');
  } finally {
    clearTimeout(watch);
    stop.abort();
  }
}

type Fields = Record<string, string>;

/** Yields the blocks in an event stream (WHATWG HTML, 9.2.6). The server ends lines with a line feed. */
async function* blocksOf(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<Fields> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    onBytes();
    const blocks = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = blocks.pop() as string;
    for (const block of blocks) {
      const lines = block.split('\n').map((line) => /^(\w+): ?(.*)$/s.exec(line));
      yield Object.fromEntries(lines.flatMap((found) => (found ? [[found[1], found[2]]] : [])));
    }
  }
}

function eventIn({ event, id, data }: Fields): StreamEvent | undefined {
  if (data === undefined) return undefined;
  const told = JSON.parse(data) as StreamEvent;
  if (event === 'reset') return { ...told, type: 'reset', ...(id !== undefined && { id }) };
  // A newer server may send events with other names.
  return event === undefined || event === '' ? told : undefined;
}
