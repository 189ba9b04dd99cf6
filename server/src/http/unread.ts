import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { networkOf } from '../lib/network.ts';

declare module 'fastify' {
  interface FastifyInstance {
    unread: Unread;
  }
}

/** Answers below this size in bytes are not counted: the operating system's buffers take them. */
const MIN_BYTES = 16 * 1024;
/** The share of one user in all unread bytes, at most. */
const USER_SHARE = 1 / 4;
/** A refused client may try again after this time. */
const RETRY_SECONDS = '1';
/** Each time that this has passed, Node looks whether the client took something since: the connection closes 15 to 32 s after. */
const STALL_MS = 15_000;
/** The time between two looks for such connections. */
const CHECK_INTERVAL_MS = 2_000;

/** The answers of one user that are not read yet, the oldest first. */
interface Held {
  bytes: number;
  answers: Map<Socket, number>;
}

/**
 * The answers that their clients have not read yet, which memory holds until they have. One user cannot fill it: beyond
 * a quarter of `maxBytes` they are refused. If users together do, the one who holds the most loses connections.
 */
export class Unread {
  readonly #maxBytes: number;
  readonly #held = new Map<string, Held>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The bytes of all answers that are not read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Throws RATE_LIMITED if the user of a request, or the address of one without a key, holds too many bytes. */
  requireRoom(request: FastifyRequest): void {
    const held = this.#held.get(holderOf(request));
    const max = this.#maxBytes * USER_SHARE;
    if (held === undefined || held.bytes < max) return;
    const message = `unreadMegabytes: ${megabytes(max)} MB of answers to this user are not read yet: read them, or make fewer requests at once`;
    throw new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
  }

  /**
   * Counts an answer, as it is before it is compressed, until its client has read it. Returns its length in bytes. Throws
   * RATE_LIMITED for a read, as `requireRoom` does.
   */
  add(reply: FastifyReply, answer: string | Uint8Array): number {
    const bytes = Buffer.byteLength(answer);
    this.hold(reply, bytes);
    return bytes;
  }

  /** Counts bytes of memory that an answer takes until its client has read it, as `add` does. */
  hold({ raw, request }: FastifyReply, bytes: number): void {
    if (bytes < MIN_BYTES || raw.destroyed) return;
    // Several requests may have been admitted before their answers were there. What is written is told, in any case.
    if (request.method === 'GET' || request.method === 'HEAD') this.requireRoom(request);
    const holder = holderOf(request);
    const { socket } = request.raw;
    const held = this.#held.get(holder) ?? { bytes: 0, answers: new Map() };
    this.#held.set(holder, held);
    this.#change(held, socket, bytes);
    raw.once('close', () => {
      // Zero if the connection was dropped: then all its answers are gone already.
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

  /** Closes the connection that has waited longest of the user who holds the most. */
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

/** Closes connections whose clients take nothing of an answer for 30 s. One that waits for its answer is left alone. */
export function closeStalled(app: FastifyInstance): void {
  const timer = setInterval(() => {
    for (const socket of app.connections.sockets) {
      const isWatched = socket.timeout === STALL_MS;
      const isBehind = socket.writableLength > 0;
      // The next answer may take its time, such as a long poll. An idle connection has a time limit by Node.
      if (isBehind !== isWatched) socket.setTimeout(isBehind ? STALL_MS : 0);
    }
  }, CHECK_INTERVAL_MS);
  timer.unref();
  app.addHook('onClose', async () => clearInterval(timer));
}
