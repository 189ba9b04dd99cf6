import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { networkOf } from '../lib/network.ts';

declare module 'fastify' {
  interface FastifyInstance {
    unread: Unread;
  }
}

/** Smaller responses, in bytes, are not counted: they fit into the operating system's buffers. */
const MIN_BYTES = 16 * 1024;
/** One user's maximum share of all unread bytes. */
const USER_SHARE = 1 / 4;
/** `Retry-After` of a rejected request, in seconds. */
const RETRY_SECONDS = '1';
/**
 * Node's socket timeout, checked at this interval: the connection closes 15 to 32 s after the client last
 * read something.
 */
const STALL_MS = 15_000;
/** Interval of the check for such connections. */
const CHECK_INTERVAL_MS = 2_000;

/** One user's unread responses, oldest first. */
interface Held {
  bytes: number;
  answers: Map<Socket, number>;
}

/**
 * Bounds the memory of responses that clients have not read yet. One user cannot fill it: beyond a quarter of
 * `maxBytes` their requests are rejected. If users together exceed it, the one with the most loses
 * connections.
 */
export class Unread {
  readonly #maxBytes: number;
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Total bytes of unread responses. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Throws RATE_LIMITED if the request's user, or the address of an unauthenticated one, has too many unread
   * bytes.
   */
  requireRoom(request: FastifyRequest): void {
    const held = this.#held.get(holderOf(request));
    const max = this.#maxBytes * USER_SHARE;
    if (held === undefined || held.bytes < max) return;
    const message = `unreadMegabytes: ${megabytes(max)} MB of responses to this user have not been read yet. Read them, or send fewer requests at once`;
    throw new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
  }

  /**
   * Counts a response, at its uncompressed size, until the client has read it. Returns its length in bytes.
   * For a read, throws RATE_LIMITED as `requireRoom` does.
   */
  add(reply: FastifyReply, answer: string | Uint8Array): number {
    const bytes = Buffer.byteLength(answer);
    this.hold(reply, bytes);
    return bytes;
  }

  /** Counts memory that a response takes until the client has read it, like `add`. */
  hold({ raw, request }: FastifyReply, bytes: number): void {
    if (bytes < MIN_BYTES || raw.destroyed) return;
    // Several requests may have been admitted before their responses existed. Writes have happened, so their
    // response is always sent.
    if (request.method === 'GET' || request.method === 'HEAD') this.requireRoom(request);
    const holder = holderOf(request);
    const { socket } = request.raw;
    const held = this.#held.get(holder) ?? { bytes: 0, answers: new Map() };
    this.#held.set(holder, held);
    this.#change(held, socket, bytes);
    raw.once('close', () => {
      // False if the connection was dropped, which released all its responses.
      if (held.answers.has(socket)) this.#change(held, socket, -bytes);
      if (held.answers.size === 0 && this.#held.get(holder) === held) this.#held.delete(holder);
    });
    while (this.#bytes > this.#maxBytes) this.#drop();
  }

  #change(held: Held, socket: Socket, bytes: number): void {
    const ofSocket = (held.answers.get(socket) ?? 0) + bytes;
    if (ofSocket > 0) held.answers.set(socket, ofSocket);
    else held.answers.delete(socket);
    held.bytes += bytes;
    this.#bytes += bytes;
  }

  /** Closes the longest-waiting connection of the user with the most bytes. */
  #drop(): void {
    const [most] = [...this.#held.values()].sort((one, other) => other.bytes - one.bytes);
    const [oldest] = most?.answers ?? [];
    if (!most || !oldest) throw new Error('bytes are counted that nobody holds');
    const [socket, bytes] = oldest;
    this.#change(most, socket, -bytes);
    socket.destroy();
  }
}

const holderOf = (request: FastifyRequest): string =>
  request.caller?.principal.userId ?? `address ${networkOf(request.ip)}`;

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/**
 * Closes connections whose clients read nothing of a response for 30 s. Connections waiting for a response
 * are left alone.
 */
export function closeStalled(app: FastifyInstance): void {
  const timer = setInterval(() => {
    for (const socket of app.connections.sockets) {
      const isWatched = socket.timeout === STALL_MS;
      const isBehind = socket.writableLength > 0;
      // The next response may take its time, as in a long poll, and Node has its own timeout for idle
      // connections.
      if (isBehind !== isWatched) socket.setTimeout(isBehind ? STALL_MS : 0);
    }
  }, CHECK_INTERVAL_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
