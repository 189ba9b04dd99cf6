import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type Authenticator, type Caller, tenantOf } from '../../access/authenticator.ts';
import { ApiError } from '../../errors.ts';
import type { Presences } from '../../feed/presences.ts';
import type { Reading } from '../../feed/reading.ts';
import { TenantShares } from '../../lib/tenantShares.ts';
import { Ticker } from '../../lib/ticker.ts';
import { Turns } from '../../lib/turns.ts';
import type { Bounds } from '../../limits/bounds.ts';
import { EventStream, type Frames } from './stream.ts';

/** Interval at which the credentials of open streams are checked. */
const CHECK_INTERVAL_MS = 250;
/** The heartbeat interval of a stream, a little less than 15 s. */
const HEARTBEAT_MS = 14_000;
/** The `Retry-After` header of rejected requests, in seconds. */
const RETRY_SECONDS = '5';
/** The number of heartbeat slots. One slot becomes due per check interval. */
const TURNS = HEARTBEAT_MS / CHECK_INTERVAL_MS;

type StreamBounds = Pick<Bounds, 'streams' | 'streamsPerUser'>;

/** The streams of one token. */
interface OpenStreams {
  /** The caller as last authenticated. */
  caller: Caller;
  readonly streams: Set<EventStream>;
  /** Set while the caller is being re-authenticated. */
  isRenewing: boolean;
}

/**
 * All open event streams. A stream ends soon after its credential is revoked or its token expires. A
 * credential is re-authenticated only if permissions in its server, or of its user, have changed.
 */
export class Streams {
  readonly #authenticator: Authenticator;
  readonly #perUser: number;
  /** Streams per tenant. */
  readonly #all: TenantShares;
  readonly #presences: Pick<Presences, 'enter' | 'leave'>;
  /** Streams per user. */
  readonly #amounts = new Map<string, number>();
  /** Streams by the digest of their token. */
  readonly #open = new Map<string, OpenStreams>();
  /** Streams by heartbeat slot. */
  readonly #turns: Set<EventStream>[] = Array.from({ length: TURNS }, () => new Set());
  readonly #openings = new Turns();
  readonly #ending = new AbortController();
  #turn = 0;
  #turnedAt = performance.now();
  /** The version of permissions at the last check of all credentials; NaN if they have to be checked again. */
  #checked = Number.NaN;
  /** When the first token of an open stream expires. See `endOf`. */
  #firstEnd = Number.POSITIVE_INFINITY;
  /** Runs while streams are open. */
  readonly #ticker = new Ticker(() => this.#check(), CHECK_INTERVAL_MS);

  constructor(
    authenticator: Authenticator,
    bounds: StreamBounds,
    presences: Pick<Presences, 'enter' | 'leave'>,
  ) {
    this.#authenticator = authenticator;
    this.#perUser = bounds.streamsPerUser;
    this.#all = new TenantShares(bounds.streams);
    this.#presences = presences;
  }

  /** The number of open streams. */
  get amount(): number {
    return this.#all.amount;
  }

  /**
   * Resolves when it is the caller's turn to open a stream. Without turns, a thousand reconnecting streams of
   * one caller would starve others.
   */
  turn(caller: Caller): Promise<void> {
    return this.#openings.run(tenantOf(caller), async () => {});
  }

  /**
   * Responds with a stream, which counts as `weight` streams of its user. Throws RATE_LIMITED if the user,
   * the tenant or the node has too many.
   */
  open(caller: Caller, reply: FastifyReply, reader: Reading, frames: Frames, weight = 1): EventStream {
    const { digest, tenant } = caller;
    const { userId, isSignedIn } = caller.principal;
    this.#requireRoom(userId, tenant, weight);
    const turn = this.#turns[this.#turn] as Set<EventStream>;
    const open = this.#open.get(digest) ?? { caller, streams: new Set(), isRenewing: false };
    this.#open.set(digest, open);
    this.#expectEnd(caller);
    const { streams } = open;
    const stream = new EventStream(reply, reader, frames, () => {
      this.#all.add(tenant, -1);
      const left = (this.#amounts.get(userId) as number) - weight;
      if (isSignedIn) this.#presences.leave(userId);
      if (left > 0) this.#amounts.set(userId, left);
      else this.#amounts.delete(userId);
      turn.delete(stream);
      streams.delete(stream);
      if (streams.size === 0 && this.#open.get(digest)?.streams === streams) this.#open.delete(digest);
    });
    this.#all.add(tenant, 1);
    if (isSignedIn) this.#presences.enter(userId);
    this.#amounts.set(userId, (this.#amounts.get(userId) ?? 0) + weight);
    turn.add(stream);
    streams.add(stream);
    if (this.#open.size === 1 && streams.size === 1) this.#turnedAt = performance.now();
    // The server began to close during this request.
    if (this.#ending.signal.aborted) {
      stream.end();
      return stream;
    }
    this.#ticker.start();
    // Permissions may have changed after this caller was authenticated. If `#check` has refreshed the
    // credential's other streams already, it does not run again for this one.
    if (!this.#authenticator.isCurrent(caller)) {
      this.#checked = Number.NaN;
      stream.refresh();
    }
    return stream;
  }

  /** Returns a signal that aborts when the response closes or `close()` is called. */
  closing(response: ServerResponse): AbortSignal {
    const over = new AbortController();
    response.on('close', () => over.abort());
    return AbortSignal.any([over.signal, this.#ending.signal]);
  }

  /** Ends all streams. Their clients reconnect, to another node if there is one. */
  close(): void {
    this.#ticker.stop();
    this.#ending.abort();
    for (const open of this.#open.values()) end(open);
  }

  #requireRoom(userId: string, tenant: string, weight: number): void {
    const has = (this.#amounts.get(userId) ?? 0) + weight - 1;
    const isOverOwn = has >= this.#perUser;
    if (!isOverOwn && this.#all.hasRoom(tenant)) return;
    const { most, isFull } = this.#all;
    const message = isOverOwn
      ? `streamsPerUser: this user already has ${this.#perUser} open event streams on this node. Close some of them`
      : isFull
        ? `streams: this node already has ${most} open event streams. Try again later`
        : `streams: you have used up your share of the ${most} event streams on this node. Close some of them`;
    throw new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
  }

  #check(): void {
    // Slots are computed from the clock, because timers fire late in a busy process. Each slot is handled at
    // most once.
    const now = performance.now();
    const passed = Math.min(TURNS, Math.floor((now - this.#turnedAt) / CHECK_INTERVAL_MS));
    this.#turnedAt = passed === TURNS ? now : this.#turnedAt + passed * CHECK_INTERVAL_MS;
    for (let count = 0; count < passed; count++) {
      this.#turn = (this.#turn + 1) % TURNS;
      for (const stream of this.#turns[this.#turn] as Set<EventStream>) stream.beat();
    }
    // Unless the version has changed or a token has expired, every credential is still valid. Checking ten
    // thousand credentials costs more than sending their heartbeats.
    const { version } = this.#authenticator;
    if (version !== this.#checked || this.#authenticator.hasPassed(this.#firstEnd)) this.#checkAll(version);
    if (this.#open.size === 0) this.#ticker.stop();
  }

  #expectEnd(caller: Caller): void {
    this.#firstEnd = Math.min(this.#firstEnd, this.#authenticator.endOf(caller));
  }

  #checkAll(version: number): void {
    this.#checked = version;
    this.#firstEnd = Number.POSITIVE_INFINITY;
    for (const open of this.#open.values()) {
      const { caller } = open;
      if (this.#authenticator.isOver(caller)) end(open);
      else {
        this.#expectEnd(caller);
        if (!this.#authenticator.isCurrent(caller) && !open.isRenewing) void this.#renew(open);
      }
    }
  }

  /** Re-authenticates the token of open streams. */
  async #renew(open: OpenStreams): Promise<void> {
    open.isRenewing = true;
    try {
      const { serverId } = open.caller.principal;
      open.caller = await this.#authenticator.renewed(open.caller);
      // The person has left the server, or it was deleted. The client reconnects and gets the reason.
      if (open.caller.principal.serverId !== serverId) end(open);
      for (const stream of open.streams) stream.refresh();
    } catch (error) {
      // Any other error means that the data is unavailable. The next check retries.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) end(open);
    } finally {
      open.isRenewing = false;
      this.#expectEnd(open.caller);
      // The renewal failed, or permissions have changed again since.
      if (!this.#authenticator.isCurrent(open.caller)) this.#checked = Number.NaN;
    }
  }
}

const end = ({ streams }: OpenStreams): void => {
  for (const stream of streams) stream.end();
};
