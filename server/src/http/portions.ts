import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    portions: Portions;
  }
}

/** Bytes of one write. A larger answer is written in several. */
const PORTION_BYTES = 64 * 1024;
/** Writes of large answers in one turn of the event loop. */
const WRITES_A_TURN = 4;

/** An answer that is being written. */
interface Sending {
  response: ServerResponse;
  bytes: Buffer;
  /** Bytes that are written. */
  written: number;
}

/**
 * Writes large answers in portions, some in each turn of the event loop, so that handing megabytes to the operating system
 * delays nobody. An answer gets its next portion once its client has made room for it. The portions are parts of its bytes, not
 * copies.
 */
class Portions {
  /** The answers whose clients have room, in the order of their turns. */
  readonly #ready: Sending[] = [];
  #isDue = false;

  /** Begins an answer with the status and the headers of the reply, and writes the bytes after them. */
  send(reply: FastifyReply, bytes: Buffer): void {
    reply.hijack();
    const response = reply.raw;
    response.writeHead(reply.statusCode, {
      ...reply.getHeaders(),
      'content-length': String(bytes.length),
    } as Record<string, string>);
    if (reply.request.method === 'HEAD') response.end();
    else this.#add({ response, bytes, written: 0 });
  }

  #add(sending: Sending): void {
    this.#ready.push(sending);
    this.#comeBack();
  }

  #comeBack(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#turn());
  }

  #turn(): void {
    this.#isDue = false;
    for (const sending of this.#ready.splice(0, WRITES_A_TURN)) this.#write(sending);
    if (this.#ready.length > 0) this.#comeBack();
  }

  #write(sending: Sending): void {
    const { response, bytes, written } = sending;
    // The connection is gone.
    if (response.destroyed) return;
    sending.written = written + PORTION_BYTES;
    const portion = bytes.subarray(written, sending.written);
    if (sending.written >= bytes.length) response.end(portion);
    else if (response.write(portion)) this.#add(sending);
    else response.once('drain', () => this.#add(sending));
  }
}

/** Sends an answer: a large one in portions. Returns what the handler of the request has to return. */
export function sendBytes(
  reply: FastifyReply,
  bytes: string | Uint8Array,
): string | Uint8Array | FastifyReply {
  if (typeof bytes === 'string' && bytes.length <= PORTION_BYTES) return bytes;
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : toBuffer(bytes);
  if (buffer.length <= PORTION_BYTES) return bytes;
  reply.server.portions.send(reply, buffer);
  return reply;
}

/** The same bytes as a Buffer. */
const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Gives an app its `portions`. */
export function sendInPortions(app: FastifyInstance): void {
  app.decorate('portions', new Portions());
}
