import { errorOf, noAnswer, PalaverError } from './error.ts';
import type { EventOptions } from './event.ts';
import { parsed } from './json.ts';
import type { Persistence } from './persistence.ts';
import { type Block, eventStreamParser } from './sse.ts';
import { type Surroundings, within } from './waiting.ts';

/** The server's URL, and the settings for requests to its event stream. */
export interface Source extends Pick<Persistence, 'timeout' | 'onRetry'> {
  baseUrl: string;
  headers: Record<string, string>;
}

const SILENCE_MS = 40_000;

/**
 * Connects to the event stream once, and yields its blocks until the connection ends. Without `after`, the
 * first block contains only the id at which the stream starts. Throws PalaverError if the connection is
 * refused, breaks or times out, or the signal's reason if it is aborted.
 */
export async function* connect(
  source: Source,
  options: EventOptions,
  around: Surroundings,
): AsyncGenerator<Block, void, undefined> {
  const { signal, silence = SILENCE_MS } = options;
  signal?.throwIfAborted();
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  try {
    const response = await open(source, options, stop.signal, around);
    const id = response.headers.get('last-event-id') ?? undefined;
    if (options.after === undefined && id) yield { id, event: '', data: undefined };
    const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
    const decoder = new TextDecoder();
    const parse = eventStreamParser();
    const silent = () => noAnswer(`the stream was silent for ${silence} ms`);
    for (;;) {
      const { done, value } = await within(reader.read(), silence, silent, around);
      if (done) return;
      yield* parse(decoder.decode(value, { stream: true }));
    }
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof PalaverError) throw cause;
    throw noAnswer(cause instanceof Error ? cause.message : String(cause), { cause });
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // Closes the connection even if the caller breaks out of the loop.
    stop.abort();
  }
}

/** Requests the stream. Throws PalaverError if the response is not a stream. */
async function open(
  { baseUrl, headers, timeout }: Source,
  { types, channelId, serverId, after }: EventOptions,
  signal: AbortSignal,
  around: Surroundings,
): Promise<Response> {
  const query = Object.entries({ types: types?.join(','), channelId, serverId, after }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const url = `${baseUrl}/api/v1/events?${new URLSearchParams(query)}`;
  const request = new Request(url, { headers: { ...headers, Accept: 'text/event-stream' } });
  const late = () => noAnswer(`there was no response within ${timeout} ms`);
  const response = await within(around.fetch(request, { signal }), timeout, late, around);
  if (!response.ok) throw errorOf(response, parsed(await response.text()));
  if (!response.headers.get('content-type')?.startsWith('text/event-stream') || !response.body) {
    throw noAnswer('the response is not an event stream', { status: response.status });
  }
  return response;
}
