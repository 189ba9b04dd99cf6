import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    chunks: Chunks;
  }
}

/** Number of bytes per write. Larger responses take several writes. */
const CHUNK_BYTES = 64 * 1024;
/** Number of writes of large responses per turn of the event loop. */
const WRITES_A_TURN = 4;

/** A response that is being written. */
interface Sending {
  response: ServerResponse;
  bytes: Buffer;
  /** Bytes written so far. */
  written: number;
}

/**
 * Writes large responses in chunks, a few per turn of the event loop, because handing megabytes to the
 * operating system at once would block other requests. Each response gets its next chunk once its socket has
 * drained. Chunks are views of its bytes, not copies.
 */
class Chunks {
  /** Responses whose sockets have room, in round-robin order. */
  readonly #ready: Sending[] = [];
  #isDue = false;

  /** Starts a response with the status and headers of the reply, followed by the bytes. */
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
    // The connection was closed.
    if (response.destroyed) return;
    sending.written = written + CHUNK_BYTES;
    const chunk = bytes.subarray(written, sending.written);
    if (sending.written >= bytes.length) response.end(chunk);
    else if (response.write(chunk)) this.#add(sending);
    else response.once('drain', () => this.#add(sending));
  }
}

/** Sends a response, in chunks if it is large. Returns the value that the request's handler must return. */
export function sendBytes(
  reply: FastifyReply,
  bytes: string | Uint8Array,
): string | Uint8Array | FastifyReply {
  if (typeof bytes === 'string' && bytes.length <= CHUNK_BYTES) return bytes;
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : toBuffer(bytes);
  if (buffer.length <= CHUNK_BYTES) return bytes;
  reply.server.chunks.send(reply, buffer);
  return reply;
}

/** Returns a Buffer view of the same bytes. */
const toBuffer = (bytes: Uint8Array): Buffer =>
  Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Decorates an app with `chunks`. */
export function sendInChunks(app: FastifyInstance): void {
  app.decorate('chunks', new Chunks());
}
