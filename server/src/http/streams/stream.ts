import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply } from 'fastify';
import type { LiveEvent, LoggedEvent } from '../../feed/logged.ts';
import type { Gap } from '../../feed/places.ts';
import type { Reading } from '../../feed/reading.ts';

/** The most events that are sent at once to a client that is behind, and so wait for it in memory. */
const BATCH_EVENTS = 50;
/** A client that reads nothing for this time, in milliseconds, is disconnected. It may come back with its cursor. */
const STALL_MS = 10_000;

/** Text of a stream, and the same as a chunk of HTTP/1.1 (RFC 9112, 7.1). */
interface Frame {
  text: Buffer;
  chunk: Buffer;
}

function toFrame(text: string): Frame {
  const bytes = Buffer.from(text);
  const chunk = Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  return { text: bytes, chunk };
}

const heartbeat = toFrame(': \n\n');
const opening = toFrame(': here is what happens\nretry: 1000\n\n');

/** The bytes of a list of events, or of a live event, are made once for all streams that are sent them. */
const frames = new WeakMap<object, Frame>();

function frameOf(told: readonly LoggedEvent[] | LiveEvent): Frame {
  let frame = frames.get(told);
  if (!frame) {
    frame = toFrame('json' in told ? `data: ${told.json}\n\n` : told.map(toText).join(''));
    frames.set(told, frame);
  }
  return frame;
}

const toText = ({ id, json }: LoggedEvent): string => `id: ${id}\ndata: ${json}\n\n`;

/** One event stream (server-sent events, WHATWG HTML 9.2): the events that a reader sees, as they happen. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #socket: Socket;
  readonly #reader: Reading;
  readonly #inChunks: boolean;
  /** The cursor that the client was told last. */
  #toldCursor: string;
  #isBusy = false;
  #isOver = false;

  /** Begins to answer, with the headers that were set on the reply before. */
  constructor(reply: FastifyReply, reader: Reading, onClose: () => void) {
    reply.hijack();
    const response = reply.raw;
    this.#response = response;
    this.#socket = response.req.socket;
    this.#reader = reader;
    this.#toldCursor = reader.cursor;
    this.#socket.setNoDelay(true);
    response.writeHead(200, {
      ...reply.getHeaders(),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // A proxy would otherwise gather events before it passes them on.
      'x-accel-buffering': 'no',
      'last-event-id': this.#toldCursor,
    } as Record<string, string>);
    response.flushHeaders();
    this.#inChunks = response.chunkedEncoding && response.socket === this.#socket;
    this.#write(opening);
    response.on('close', () => {
      this.#isOver = true;
      reader.close();
      onClose();
    });
    reader.onEvents = () => this.#onEvents();
    reader.tellLive = (event) => this.#onLive(event);
    // Never dropped: the client would go on showing the channel.
    reader.tellSight = (event) => this.#write(frameOf(event));
    reader.onLost = () => this.end();
  }

  /** Tells that the stream cannot go on from the cursor that the client gave, and from which it does. */
  reset(gap: Gap): void {
    const id = this.#reader.cursor;
    this.#write(toFrame(`id: ${id}\nevent: reset\ndata: ${JSON.stringify(gap)}\n\n`));
  }

  /** Sends all events after the cursor; from then on, new ones as they come. */
  async catchUp(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      while (!this.#isOver) {
        await this.#drained();
        const events = await this.#reader.next(BATCH_EVENTS);
        if (events.length > 0) this.#send(events);
        // From here on `onEvents` tells of new events: none can have come in between.
        if (this.#reader.isAtEnd) break;
      }
    } catch {
      // The viewer may see nothing any more, or the data cannot be reached: the client comes back and is told which.
      this.end();
    } finally {
      this.#isBusy = false;
    }
  }

  /** Sends a heartbeat; and, where much has passed that the client does not see, the cursor. */
  beat(): void {
    if (this.#isBehind) return;
    const { cursor } = this.#reader;
    this.#write(cursor === this.#toldCursor ? heartbeat : toFrame(`: \nid: ${cursor}\n\n`));
    this.#toldCursor = cursor;
  }

  /** Ends the stream; the client may come back with its cursor. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#reader.close();
    this.#response.end();
    this.#socket.destroySoon();
  }

  /** True while the client has yet to read what it was sent. */
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
    this.#toldCursor = (events.at(-1) as LoggedEvent).id;
    this.#write(frameOf(events));
  }

  #onLive(event: LiveEvent): void {
    // Slow clients would get it stale, so drop it.
    if (!this.#isBehind) this.#write(frameOf(event));
  }

  #write({ text, chunk }: Frame): void {
    if (this.#isOver) return;
    // A response would write a chunk's length, its text and its end one by one.
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
