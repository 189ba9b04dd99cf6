import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import { type Authenticator, type Caller, tenantOf } from '../../access/authenticator.ts';
import { ApiError } from '../../errors.ts';
import type { Presences } from '../../feed/presences.ts';
import type { Reading } from '../../feed/reading.ts';
import { Turns } from '../../lib/turns.ts';
import type { Bounds } from '../../limits/bounds.ts';
import { EventStream, type Frames } from './stream.ts';

/** The time between two looks at the credentials of open streams. */
const CHECK_INTERVAL_MS = 250;
/** The time between two heartbeats of a stream: a little less than 15 s. */
const HEARTBEAT_MS = 14_000;
/** A refused client may try again after this time. */
const RETRY_SECONDS = '5';
/** At each check, the streams of one turn get their heartbeat. */
const TURNS = HEARTBEAT_MS / CHECK_INTERVAL_MS;

type StreamBounds = Pick<Bounds, 'streams' | 'streamsPerUser'>;

/** The streams of one token. */
interface OpenStreams {
  /** As last authenticated. */
  caller: Caller;
  readonly streams: Set<EventStream>;
  /** True while it is authenticated again. */
  isRenewing: boolean;
}

/**
 * All open event streams. A stream ends soon after its credential is removed, or its token expires. Only the credentials in
 * a server, or of a user, whose permissions have changed are authenticated again.
 */
export class Streams {
  readonly #authenticator: Authenticator;
  readonly #bounds: StreamBounds;
  readonly #presences: Pick<Presences, 'enter' | 'leave'>;
  /** The number of streams by the id of their user. */
  readonly #amounts = new Map<string, number>();
  /** The streams by the digest of their token. */
  readonly #open = new Map<string, OpenStreams>();
  /** The streams by the turn of their heartbeats. */
  readonly #turns: Set<EventStream>[] = Array.from({ length: TURNS }, () => new Set());
  readonly #openings = new Turns();
  readonly #ending = new AbortController();
  #turn = 0;
  #turnedAt = performance.now();
  #amount = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(
    authenticator: Authenticator,
    bounds: StreamBounds,
    presences: Pick<Presences, 'enter' | 'leave'>,
  ) {
    this.#authenticator = authenticator;
    this.#bounds = bounds;
    this.#presences = presences;
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL_MS);
    this.#timer.unref();
  }

  /** The number of open streams. */
  get amount(): number {
    return this.#amount;
  }

  /** Resolves when it is the caller's turn to open a stream, so that a thousand who come at once do not delay others. */
  turn(caller: Caller): Promise<void> {
    return this.#openings.run(tenantOf(caller), async () => {});
  }

  /**
   * Answers a request with a stream. It counts as `weight` streams of its user. Throws RATE_LIMITED if its user, or all users,
   * have too many.
   */
  open(caller: Caller, reply: FastifyReply, reader: Reading, frames: Frames, weight = 1): EventStream {
    const { digest } = caller;
    const { userId, isSignedIn } = caller.principal;
    this.#requireRoom(userId, weight);
    const turn = this.#turns[this.#turn] as Set<EventStream>;
    const open = this.#open.get(digest) ?? { caller, streams: new Set(), isRenewing: false };
    this.#open.set(digest, open);
    const { streams } = open;
    const stream = new EventStream(reply, reader, frames, () => {
      this.#amount--;
      const left = (this.#amounts.get(userId) as number) - weight;
      if (isSignedIn) this.#presences.leave(userId);
      if (left > 0) this.#amounts.set(userId, left);
      else this.#amounts.delete(userId);
      turn.delete(stream);
      streams.delete(stream);
      if (streams.size === 0 && this.#open.get(digest)?.streams === streams) this.#open.delete(digest);
    });
    this.#amount++;
    if (isSignedIn) this.#presences.enter(userId);
    this.#amounts.set(userId, (this.#amounts.get(userId) ?? 0) + weight);
    turn.add(stream);
    streams.add(stream);
    // The others with this credential may have been told of a change that came after this one had begun.
    if (!this.#authenticator.isCurrent(caller)) stream.refresh();
    return stream;
  }

  /** A signal that is aborted when the response has closed, or on `close`. */
  closing(response: ServerResponse): AbortSignal {
    const over = new AbortController();
    response.on('close', () => over.abort());
    return AbortSignal.any([over.signal, this.#ending.signal]);
  }

  /** Ends all streams. Their clients reconnect, to another node if there is one. */
  close(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    for (const open of this.#open.values()) end(open);
  }

  #requireRoom(userId: string, weight: number): void {
    const { streams, streamsPerUser } = this.#bounds;
    const has = (this.#amounts.get(userId) ?? 0) + weight - 1;
    if (has < streamsPerUser && this.#amount < streams) return;
    const message =
      has < streamsPerUser
        ? `streams: ${streams} event streams are open here already, of all users: try again later`
        : `streamsPerUser: ${streamsPerUser} event streams of this user are open here already: close some of them`;
    throw new ApiError('RATE_LIMITED', message, undefined, { 'retry-after': RETRY_SECONDS });
  }

  #check(): void {
    // By the clock, since timers of a busy process come late: at most all turns once.
    const now = performance.now();
    const passed = Math.min(TURNS, Math.floor((now - this.#turnedAt) / CHECK_INTERVAL_MS));
    this.#turnedAt = passed === TURNS ? now : this.#turnedAt + passed * CHECK_INTERVAL_MS;
    for (let count = 0; count < passed; count++) {
      this.#turn = (this.#turn + 1) % TURNS;
      for (const stream of this.#turns[this.#turn] as Set<EventStream>) stream.beat();
    }
    for (const open of this.#open.values()) {
      const { caller } = open;
      if (this.#authenticator.isOver(caller)) end(open);
      else if (!this.#authenticator.isCurrent(caller) && !open.isRenewing) void this.#renew(open);
    }
  }

  /** Authenticates the token of streams again, once it is its turn. */
  async #renew(open: OpenStreams): Promise<void> {
    open.isRenewing = true;
    try {
      const { serverId } = open.caller.principal;
      open.caller = await this.#authenticator.renewed(open.caller);
      // A session whose person is no member any more, or whose server was deleted. Their client asks anew, and is told why.
      if (open.caller.principal.serverId !== serverId) end(open);
      for (const stream of open.streams) stream.refresh();
    } catch (error) {
      // Otherwise the data are out of reach, and the next check tries again.
      if (error instanceof ApiError && (error.status === 401 || error.status === 403)) end(open);
    } finally {
      open.isRenewing = false;
    }
  }
}

const end = ({ streams }: OpenStreams): void => {
  for (const stream of streams) stream.end();
};
