import type { ServerResponse } from 'node:http';
import type { FastifyReply } from 'fastify';
import type { Authenticator, Caller } from '../../access/authenticator.ts';
import type { Reading } from '../../feed/reading.ts';
import { EventStream } from './stream.ts';

/** The credentials of open streams are looked at this often, in milliseconds. */
const LOOK_MS = 250;
/** Each stream is sent a heartbeat this often, in milliseconds: a little less than 15 s. Streams take turns. */
const HEARTBEAT_MS = 14_000;
const TURNS = HEARTBEAT_MS / LOOK_MS;

/** The streams of one credential. */
interface OpenStreams {
  caller: Caller;
  streams: Set<EventStream>;
}

/** All open event streams. A stream ends soon after its credential has. */
export class Streams {
  readonly #authenticator: Authenticator;
  /** By the id of their credential. */
  readonly #open = new Map<string, OpenStreams>();
  /** By the turn in which they are sent heartbeats. */
  readonly #turns: Set<EventStream>[] = Array.from({ length: TURNS }, () => new Set());
  readonly #ending = new AbortController();
  #turn = 0;
  #amount = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(authenticator: Authenticator) {
    this.#authenticator = authenticator;
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  /** The number of open streams. */
  get amount(): number {
    return this.#amount;
  }

  /** Answers a caller's request with a stream. */
  open(caller: Caller, reply: FastifyReply, reader: Reading): EventStream {
    const { id } = caller.credential;
    const turn = this.#turns[this.#turn] as Set<EventStream>;
    const open = this.#open.get(id) ?? { caller, streams: new Set() };
    this.#open.set(id, open);
    const { streams } = open;
    const stream = new EventStream(reply, reader, () => {
      this.#amount--;
      turn.delete(stream);
      streams.delete(stream);
      if (streams.size === 0 && this.#open.get(id)?.streams === streams) this.#open.delete(id);
    });
    this.#amount++;
    turn.add(stream);
    streams.add(stream);
    return stream;
  }

  /** Aborted when the response is over, or all streams are to end. */
  closing(response: ServerResponse): AbortSignal {
    const over = new AbortController();
    response.on('close', () => over.abort());
    return AbortSignal.any([over.signal, this.#ending.signal]);
  }

  /** Ends all of them: their clients come back, to another node if there is one. */
  close(): void {
    clearInterval(this.#timer);
    this.#ending.abort();
    for (const { streams } of this.#open.values()) for (const stream of streams) stream.end();
  }

  #look(): void {
    this.#turn = (this.#turn + 1) % TURNS;
    for (const stream of this.#turns[this.#turn] as Set<EventStream>) stream.beat();
    for (const { caller, streams } of this.#open.values()) {
      this.#authenticator.current(caller).catch((error) => {
        if (!('code' in error) || error.code !== 'INVALID_API_KEY') return;
        for (const stream of streams) stream.end();
      });
    }
  }
}
