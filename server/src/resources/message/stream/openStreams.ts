import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from '../../../db/contract.ts';
import { q } from '../../../db/statements.ts';
import { ApiError, invalid, invalidWith, notFound, problem } from '../../../errors.ts';
import type { Feed } from '../../../feed/feed.ts';
import type { NewLiveEvent } from '../../../feed/logged.ts';
import type { Deps } from '../../../lib/deps.ts';
import { Ticker } from '../../../lib/ticker.ts';
import { MAX_TEXT } from './deltaRecord.ts';
import { type StreamRow, streamRow } from './streamRow.ts';

/** The minimum interval between commits of a stream's text. */
const COMMIT_MS = 500;
/** Timeout for another node's response, and for that node to commit text that this node lacks. */
const ANSWER_MS = 1_000;
const CATCH_UP_MS = 1_500;
const LOOK_MS = 50;
/** Maximum attempts to become the holder if other nodes are faster. */
const MAX_TRIES = 5;
/** A stream without new text is evicted from memory after this time. */
const IDLE_MS = 90_000;
const IDLE_CHECK_MS = 10_000;

/** The services that streams need. */
interface StreamServices {
  db: Db;
  deps: Deps;
  feed: Pick<Feed, 'deltas'>;
}

/** The location of a stream's message, and the user who appends to the stream. */
export interface StreamPlace extends Pick<NewLiveEvent, 'serverId' | 'actorId' | 'actor'> {
  messageId: string;
  channelId: string;
  threadId: string | null;
}

/** Text for a stream. `offset` counts UTF-16 code units. */
interface Piece {
  offset: number;
  text: string;
}

/** A stream whose latest text is held by this process. */
interface Held extends Pick<StreamRow, 'id' | 'serverId'> {
  content: string;
  /** The committed part of the text. */
  committed: string;
  /** When text was last appended: on the shared clock, and on the clock of `performance.now()`. */
  at: number;
  heardAt: number;
  /** When the text was last committed, on the clock of `performance.now()`. */
  committedAt: number;
  timer: NodeJS.Timeout | undefined;
}

type Asked = { does: 'append'; place: StreamPlace; piece: Piece } | { does: 'commit'; id: string };
type Answered = { offset: number } | { problem: 'wrong_offset' | 'too_long'; offset: number };

/**
 * The open streams whose text this process holds. A stream has a single holder, which puts its text in order.
 * The stream's row names the holder. Other nodes forward text to the holder. If the holder does not respond,
 * the node waits for the text to be committed, and then becomes the holder itself with a compare-and-set
 * (docs/decisions/0115).
 */
export class OpenStreams {
  readonly #services: StreamServices;
  readonly #held = new Map<string, Held>();
  readonly #taking = new Map<string, Promise<Held | undefined>>();
  readonly #ticker = new Ticker(() => this.#dropIdle(), IDLE_CHECK_MS);

  private constructor(services: StreamServices) {
    this.#services = services;
    services.feed.deltas.asking.onAsked((asked) => this.#answer(asked as Asked));
  }

  /** Returns the open streams of a node. */
  static of(services: StreamServices): OpenStreams {
    const { deltas } = services.feed;
    const known = deltas.holder as OpenStreams | undefined;
    const streams = known ?? new OpenStreams(services);
    deltas.holder = streams;
    return streams;
  }

  /** The id of this process as a holder. */
  get self(): string {
    return this.#services.feed.deltas.asking.self;
  }

  /**
   * Appends text to an open stream. Returns the length of the whole text. Throws INVALID_REQUEST if the text
   * does not continue the stream or makes it too long, and NOT_FOUND if the stream has ended.
   */
  async append(place: StreamPlace, row: StreamRow, piece: Piece): Promise<number> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const current = tries === 0 ? row : await this.#rowOf(row.id);
      const answer = await this.#ask(current.holder, { does: 'append', place, piece });
      if (answer) return offsetIn(answer);
      const held = await this.#hold(current, piece.offset);
      if (held) return offsetIn(this.#accept(held, place, piece));
    }
    throw new ApiError('INTERNAL_ERROR', 'another node has the stream. Try again');
  }

  /**
   * Returns the whole text of an open stream, which this process then holds. `atLeast` is its known minimum
   * length. Throws NOT_FOUND if the stream has ended.
   */
  async settle(row: StreamRow, atLeast = 0): Promise<string> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      let current = tries === 0 ? row : await this.#rowOf(row.id);
      if (current.holder !== this.self) {
        await this.#ask(current.holder, { does: 'commit', id: row.id });
        current = await this.#rowOf(row.id);
      }
      const held = await this.#hold(current, atLeast);
      if (held) return held.content;
    }
    throw new ApiError('INTERNAL_ERROR', 'another node has the stream. Try again');
  }

  /** Drops a stream that has ended. */
  forget(id: string): void {
    this.#drop(id);
    this.#services.feed.deltas.forget(id);
  }

  /** Commits the text of all streams, before the process ends. */
  async close(): Promise<void> {
    this.#ticker.stop();
    await Promise.allSettled([...this.#held.values()].map((held) => this.#commit(held)));
    for (const id of this.#held.keys()) this.#drop(id);
  }

  async #rowOf(id: string): Promise<StreamRow> {
    const row = await this.#services.db.read.first(streamRow({ id }));
    if (!row) throw notFound('message');
    return row;
  }

  /**
   * Forwards a request to the holder. Undefined if this process is the holder, or if the holder does not
   * respond or does not have the stream.
   */
  async #ask(holder: string, asked: Asked): Promise<Answered | undefined> {
    const { asking } = this.#services.feed.deltas;
    const answer = (await asking.ask(holder, asked, ANSWER_MS)) as Answered | undefined;
    return answer && 'offset' in answer ? answer : undefined;
  }

  /** Appends text. Ignores text that was sent twice. */
  #accept(held: Held, place: StreamPlace, { offset, text }: Piece): Answered {
    const { content } = held;
    if (offset < content.length && content.startsWith(text, offset)) return { offset: content.length };
    if (offset !== content.length) return { problem: 'wrong_offset', offset: content.length };
    const whole = content + text;
    if (whole.length > MAX_TEXT && [...whole].length > MAX_TEXT)
      return { problem: 'too_long', offset: content.length };
    held.content = whole;
    held.at = this.#services.deps.now();
    held.heardAt = performance.now();
    const { serverId, actorId, actor, ...data } = place;
    this.#services.feed.deltas.tell({
      ...{ serverId, channelId: place.channelId, userId: null, actorId, actor, at: held.at },
      data: { ...data, offset, text },
    });
    this.#commitSoon(held);
    return { offset: whole.length };
  }

  /**
   * Returns a stream, with this process as its holder. Undefined if another process became the holder in the
   * meantime. `atLeast` is the known minimum length of its text.
   */
  async #hold(row: StreamRow, atLeast: number): Promise<Held | undefined> {
    const known = this.#held.get(row.id);
    if (known && row.holder === this.self) return known;
    const underWay = this.#taking.get(row.id);
    if (underWay) return underWay;
    const taking = this.#take(row, atLeast).finally(() => this.#taking.delete(row.id));
    this.#taking.set(row.id, taking);
    return taking;
  }

  async #take(found: StreamRow, atLeast: number): Promise<Held | undefined> {
    this.#drop(found.id);
    // An embedded database has no other process that could commit more.
    const deadline = performance.now() + (this.#services.db.read.dialect.isDistant ? CATCH_UP_MS : 0);
    for (let row = found; ; row = await this.#rowOf(found.id)) {
      const content = this.#services.feed.deltas.continued(row.id, row.content);
      const isLate = performance.now() >= deadline;
      if (content.length >= atLeast || isLate || row.holder === this.self) {
        const isHolder = row.holder === this.self || (await this.#claim(row));
        return isHolder ? this.#add(row, content) : undefined;
      }
      await pause(LOOK_MS);
    }
  }

  #add({ id, serverId, content: committed, updatedAt: at }: StreamRow, content: string): Held {
    const now = performance.now();
    const held = { id, serverId, content, committed, at, heardAt: now, committedAt: now, timer: undefined };
    this.#held.set(id, held);
    this.#ticker.start();
    if (content !== committed) this.#commitSoon(held);
    return held;
  }

  /** Becomes the holder. Returns false if the row has changed. */
  async #claim({ id, serverId, holder, updatedAt }: StreamRow): Promise<boolean> {
    const claimed = q
      .updateTable('messageStream')
      .set({ holder: this.self })
      .where('id', '=', id)
      .where('holder', '=', holder)
      .where('updatedAt', '=', updatedAt);
    return (await this.#services.db.write((tx) => tx.count(claimed), serverId)) === 1;
  }

  #commitSoon(held: Held): void {
    const delay = Math.max(0, held.committedAt + COMMIT_MS - performance.now());
    held.timer ??= setTimeout(() => void this.#commit(held).catch(() => {}), delay).unref();
  }

  /** Commits the text. Drops the stream if another process holds it now, or if it has ended. */
  async #commit(held: Held): Promise<void> {
    clearTimeout(held.timer);
    held.timer = undefined;
    const { id, serverId, content, at } = held;
    const committed = q
      .updateTable('messageStream')
      .set({ content, updatedAt: at })
      .where('id', '=', id)
      .where('holder', '=', this.self);
    held.committedAt = performance.now();
    try {
      const isHolder = (await this.#services.db.write((tx) => tx.count(committed), serverId)) === 1;
      if (!isHolder) return this.#drop(id, held);
      held.committed = content;
    } finally {
      // Retries after a failure. The text stays in memory until it is committed.
      if (this.#held.get(id) === held && held.content !== held.committed) this.#commitSoon(held);
    }
  }

  /** Handles another node's request. */
  async #answer(asked: Asked): Promise<object> {
    const id = asked.does === 'append' ? asked.place.messageId : asked.id;
    const held = this.#held.get(id);
    if (!held) return {};
    if (asked.does === 'append') return this.#accept(held, asked.place, asked.piece);
    await this.#commit(held);
    return {};
  }

  #drop(id: string, only?: Held): void {
    const held = this.#held.get(id);
    if (!held || (only && held !== only)) return;
    clearTimeout(held.timer);
    this.#held.delete(id);
    if (this.#held.size === 0) this.#ticker.stop();
  }

  #dropIdle(): void {
    const end = performance.now() - IDLE_MS;
    for (const [id, { heardAt, content, committed }] of this.#held)
      if (heardAt < end && content === committed) this.#drop(id);
  }
}

/** Returns the offset in a response. Throws INVALID_REQUEST. */
function offsetIn(answer: Answered): number {
  if (!('problem' in answer)) return answer.offset;
  const { offset } = answer;
  if (answer.problem === 'too_long')
    throw invalid('too_long', 'text', `would make the message longer than ${MAX_TEXT} characters`);
  throw invalidWith({ ...problem('wrong_offset', 'offset', `must be ${offset}`), offset });
}
