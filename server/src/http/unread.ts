import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../errors.ts';
import { networkOf } from '../lib/network.ts';
import { TenantShares } from '../lib/tenantShares.ts';
import { Ticker } from '../lib/ticker.ts';
import { tenantFor } from './tenant.ts';

declare module 'fastify' {
  interface FastifyInstance {
    unread: Unread;
  }
}

/**
 * Responses smaller than this, in bytes, are not counted, because they fit into the operating system's
 * buffers.
 */
const MIN_BYTES = 16 * 1024;
/** One user's maximum share of all unread bytes. */
const USER_SHARE = 1 / 4;
/** The `Retry-After` header of rejected requests, in seconds. */
const RETRY_SECONDS = '1';
/**
 * The socket timeout of connections with unread bytes. Setting it takes up to `CHECK_INTERVAL_MS`, and Node
 * restarts it if the client has read something, so a connection closes 15 to 32 s after the last read.
 */
const STALL_MS = 15_000;
/** Interval at which the timeout is set on connections with unread bytes, and cleared on others. */
const CHECK_INTERVAL_MS = 2_000;

/** One user's unread responses, oldest first. */
interface Held {
  tenant: string;
  bytes: number;
  answers: Map<Socket, number>;
}

/**
 * Limits the memory for responses that clients have not read yet. A single user cannot use it up: beyond a
 * quarter of `maxBytes`, their requests are rejected, as are the requests of a tenant that has used up its
 * share. If all tenants together exceed the limit, the tenant with the most bytes loses connections.
 */
export class Unread {
  readonly #all: TenantShares;
  readonly #held = new Map<string, Held>();

  constructor(maxBytes: number) {
    this.#all = new TenantShares(maxBytes);
  }

  /** Total bytes of unread responses. */
  get bytes(): number {
    return this.#all.amount;
  }

  /**
   * Throws RATE_LIMITED if there are too many unread bytes for the request's user, for the address of an
   * unauthenticated request, or for the tenant.
   */
  requireRoom(request: FastifyRequest): void {
    const held = this.#held.get(holderOf(request));
    const max = this.#all.most * USER_SHARE;
    const isOverOwn = held !== undefined && held.bytes >= max;
    if (!isOverOwn && !this.#all.isUsedUpBy(tenantFor(request))) return;
    const [bytes, whom] = isOverOwn ? [max, 'this user'] : [this.#all.amount, 'you and others'];
    const message = `unreadMegabytes: ${megabytes(bytes)} MB of responses to ${whom} have not been read yet. Read them, or send fewer requests at once`;
    throw new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
  }

  /**
   * Counts a response, at its uncompressed size, until the client has read it. Returns its length in bytes.
   * For a read, throws RATE_LIMITED like `requireRoom`.
   */
  add(reply: FastifyReply, answer: string | Uint8Array): number {
    const bytes = Buffer.byteLength(answer);
    this.hold(reply, bytes);
    return bytes;
  }

  /** Counts memory that a response takes until the client has read it, like `add`. */
  hold({ raw, request }: FastifyReply, bytes: number): void {
    if (bytes < MIN_BYTES || raw.destroyed) return;
    // This is checked again, because several requests may have been admitted before their responses existed.
    // The response to a write is always sent, because its changes are already committed.
    if (request.method === 'GET' || request.method === 'HEAD') this.requireRoom(request);
    const holder = holderOf(request);
    const { socket } = request.raw;
    const held = this.#held.get(holder) ?? { tenant: tenantFor(request), bytes: 0, answers: new Map() };
    this.#held.set(holder, held);
    this.#change(held, socket, bytes);
    raw.once('close', () => {
      // The condition is false if the connection was dropped, because that already released all its
      // responses.
      if (held.answers.has(socket)) this.#change(held, socket, -bytes);
      if (held.answers.size === 0 && this.#held.get(holder) === held) this.#held.delete(holder);
    });
    while (this.#all.amount > this.#all.most) this.#drop();
  }

  #change(held: Held, socket: Socket, bytes: number): void {
    const ofSocket = (held.answers.get(socket) ?? 0) + bytes;
    if (ofSocket > 0) held.answers.set(socket, ofSocket);
    else held.answers.delete(socket);
    held.bytes += bytes;
    this.#all.add(held.tenant, bytes);
  }

  /**
   * Finds the tenant with the most bytes and its user with the most, and closes the connection of that user
   * that has waited longest.
   */
  #drop(): void {
    const { largest } = this.#all;
    const [most] = [...this.#held.values()]
      .filter(({ tenant }) => tenant === largest)
      .sort((one, other) => other.bytes - one.bytes);
    const [oldest] = most?.answers ?? [];
    if (!most || !oldest) throw new Error('counted bytes belong to no response');
    const [socket, bytes] = oldest;
    this.#change(most, socket, -bytes);
    socket.destroy();
  }
}

const holderOf = (request: FastifyRequest): string =>
  request.caller?.principal.userId ?? `address ${networkOf(request.ip)}`;

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

/**
 * Closes connections whose clients have read nothing of a response for `STALL_MS`. Connections waiting for a
 * response are left alone.
 */
export function closeStalled(app: FastifyInstance): void {
  // Runs while there are connections.
  const ticker = new Ticker(() => {
    if (app.connections.sockets.size === 0) return ticker.stop();
    for (const socket of app.connections.sockets) {
      const isWatched = socket.timeout === STALL_MS;
      const isBehind = socket.writableLength > 0;
      // The next response may take a while, as in long polling, and Node has a separate timeout for idle
      // connections.
      if (isBehind !== isWatched) socket.setTimeout(isBehind ? STALL_MS : 0);
    }
  }, CHECK_INTERVAL_MS);
  app.server.on('connection', () => ticker.start());
  app.addHook('onClose', async () => ticker.stop());
}
