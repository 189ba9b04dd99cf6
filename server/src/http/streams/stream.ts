import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { LiveEvent, LoggedEvent } from '../../feed/logged.ts';
import type { Reading } from '../../feed/reading.ts';

/** Number of events per batch for a client that lags. This is also the maximum number in memory. */
const BATCH_EVENTS = 50;
/** A client that reads nothing for this long is disconnected. It can resume from its cursor. */
const STALL_MS = 10_000;
/**
 * All live events except indicators are sent regardless of how slowly a client reads. A client with more
 * buffered bytes than this is disconnected.
 */
const MAX_WAITING_BYTES = 1024 * 1024;

/** Text for a stream, and the same text as an HTTP/1.1 chunk (RFC 9112, 7.1). */
interface Frame {
  text: Buffer;
  chunk: Buffer;
}

function toFrame(text: string): Frame {
  const bytes = Buffer.from(text);
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  return { text: bytes, chunk };
}

/** The serialized frames of event arrays and live events, shared by all streams. */
const frames = new WeakMap<object, Frame>();

function frameOf(events: readonly LoggedEvent[] | LiveEvent): Frame {
  let frame = frames.get(events);
  if (!frame) {
    frame = toFrame('json' in events ? `data: ${events.json}\n\n` : events.map(toText).join(''));
    frames.set(events, frame);
  }
  return frame;
}

const toText = ({ id, json }: LoggedEvent): string => `id: ${id}\ndata: ${json}\n\n`;

/** The content of a stream apart from a log's events. */
export interface Frames {
  /** The `Last-Event-ID` response header; undefined for none. */
  cursor?: string | undefined;
  /** The blocks at the start of the stream. */
  opening: string;
  /** Returns a heartbeat block. */
  beat(): string;
}

/** A server-sent events stream (WHATWG HTML, 9.2) with the events of a reader. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #reader: Reading;
  readonly #beat: Frames['beat'];
  readonly #inChunks: boolean;
  #isBusy = false;
  #isOver = false;
  /**
   * Bytes written since the last stored events. Stored events are sent only to a client that has read
   * everything before them.
   */
  #liveBytes = 0;

  /** Starts the response with the headers already set on the reply. */
  constructor(reply: FastifyReply, reader: Reading, frames: Frames, onClose: () => void) {
    reply.hijack();
    const response = reply.raw;
    this.#response = response;
    this.#socket = response.req.socket;
    this.#reader = reader;
    // Does not keep all of `frames`, because the opening is no longer needed and there are many streams.
    this.#beat = frames.beat;
    const { cursor } = frames;
    this.#socket.setNoDelay(true);
    response.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // Prevents nginx from buffering events.
      'x-accel-buffering': 'no',
      ...(cursor !== undefined && { 'last-event-id': cursor }),
    } as Record<string, string>);
    response.flushHeaders();
    this.#inChunks = response.chunkedEncoding && response.socket === this.#socket;
    this.tell(frames.opening);
    response.on('close', () => {
      this.#isOver = true;
      reader.close();
      onClose();
    });
    reader.onEvents = () => this.#onEvents();
    reader.tellLive = (event) => this.#onLive(event);
    // `sight` is sent even to a client that lags, so that the client does not continue to show the channel.
    reader.tellSight = (event) => this.#write(frameOf(event));
    reader.onLost = () => this.end();
  }

  /** Sends all events after the cursor. New events are then pushed as they arrive. */
  async catchUp(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (!this.#isOver) {
        await this.#drained();
        const events = await this.#reader.next(BATCH_EVENTS);
        if (events.length > 0) this.#send(events);
        // There is no await from here on, so no event is missed: `onEvents` is called for the next one.
        if (this.#reader.isAtEnd) break;
      }
    } catch {
      // The credential was revoked, or the data is unavailable. The client reconnects and gets an error with
      // the reason.
      this.end();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Sends a heartbeat. */
  beat(): void {
    if (!this.#isBehind) this.tell(this.#beat());
  }

  /** Sends raw blocks. */
  tell(text: string): void {
    this.#write(toFrame(text));
  }

  /** Re-evaluates what the stream covers, after the client's permissions have changed. */
  refresh(): void {
    this.#reader.refresh?.().catch(() => this.end());
  }

  /** Ends the stream. The client can resume from its cursor. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader.close();
    this.#response.end();
    this.#socket.destroySoon();
  }

  /** Whether there is backpressure: events or bytes are waiting for the client. */
  get #isBehind(): boolean {
    return this.#isBusy || this.#socket.writableNeedDrain;
  }

  #onEvents(): void {
    if (this.#isBusy || this.#isOver) return;
    const events = this.#isBehind ? undefined : this.#reader.recent();
    if (!events) void this.catchUp();
    else if (events.length > 0) this.#send(events);
  }

  #send(events: readonly LoggedEvent[]): void {
    this.#write(frameOf(events));
    this.#liveBytes = 0;
  }

  #onLive(event: LiveEvent): void {
    // Slow clients would get an indicator too late, so it is dropped. Other live events are sent even to slow
    // clients, because they are not repeated and their effect lasts.
    if (this.#isBehind && event.type.startsWith('indicator.')) return;
    this.#write(frameOf(event));
  }

  #write({ text, chunk }: Frame): void {
    if (this.#isOver) return;
    if (Math.min(this.#liveBytes, this.#socket.writableLength) > MAX_WAITING_BYTES) {
      this.#socket.destroy();
      return;
    }
    this.#liveBytes += text.length;
    // `response.write` would write the length, the text and the end of a chunk with separate calls.
    if (this.#inChunks) this.#socket.write(chunk);
    else this.#response.write(text);
  }

  #drained(): Promise<void> {
    const socket = this.#socket;
    if (!socket.writableNeedDrain) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        socket.off('drain', done).off('close', done);
        resolve();
      };
      const timer = setTimeout(() => socket.destroy(), STALL_MS);
      socket.on('drain', done).on('close', done);
    });
  }
}
