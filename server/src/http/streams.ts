import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from '../access/principal.ts';
import type { Reader } from '../feed/reader.ts';
import { EventStream } from './stream.ts';

/** How often it is looked whether the keys of open streams still live, in milliseconds. */
const LOOK = 250;
/** How often a stream says that it is there, in milliseconds; less than 15 s by a little; streams take turns. */
const HEARTBEAT = 14_000;
const TURNS = HEARTBEAT / LOOK;

/** The event streams that are open. One whose key no longer lives is ended. */
export class Streams {
  readonly #authenticator: Authenticator;
  /** By the header that they were opened with. */
  readonly #open = new Map<string, Set<EventStream>>();
  /** By the turn in which they say that they are there. */
  readonly #turns: Set<EventStream>[] = Array.from({ length: TURNS }, () => new Set());
  readonly #ending = new AbortController();
  #turn = 0;
  #amount = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(authenticator: Authenticator) {
    this.#authenticator = authenticator;
    this.#timer = setInterval(() => this.#look(), LOOK);
    this.#timer.unref();
  }

  /** How many are open. */
  get amount(): number {
    return this.#amount;
  }

  /** Answers a request with a stream. */
  open(request: FastifyRequest, reply: FastifyReply, reader: Reader): EventStream {
    const key = request.headers.authorization as string;
    const turn = this.#turns[this.#turn] as Set<EventStream>;
    const streams = this.#open.get(key) ?? new Set();
    this.#open.set(key, streams);
    const stream = new EventStream(reply, reader, () => {
      this.#amount--;
      turn.delete(stream);
      streams.delete(stream);
      if (streams.size === 0 && this.#open.get(key) === streams) this.#open.delete(key);
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
    for (const streams of this.#open.values()) for (const stream of streams) stream.end();
  }

  #look(): void {
    this.#turn = (this.#turn + 1) % TURNS;
    for (const stream of this.#turns[this.#turn] as Set<EventStream>) stream.beat();
    for (const [key, streams] of this.#open) {
      this.#authenticator.authenticate(key).catch((error) => {
        if (!('code' in error) || error.code !== 'INVALID_API_KEY') return;
        for (const stream of streams) stream.end();
      });
    }
  }
}
