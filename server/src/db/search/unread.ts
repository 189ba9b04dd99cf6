import type { Reads } from '../contract.ts';
import { isWithin, type Range, type Source } from './sources.ts';
import { contentsOf, oldOnes } from './waiting.ts';

// Sources for messages that are not in the index yet. A search has to read the texts of these messages.

/** Limits per read: the number of texts, and their characters, which are estimated from previous texts. */
const TEXTS = 200;
const READ_CHARACTERS = 128 * 1024;
/**
 * Number of characters to compare per step. This takes about a millisecond for most texts, and ten in the
 * worst case.
 */
const STEP_CHARACTERS = 16 * 1024;
/** If there are at most this many messages, all are candidates, and their texts are not read first. */
const FEW = 32;

type Matches = (text: string) => boolean;

/** Reads the texts of messages and compares them, in small steps and in id order. */
class Texts {
  readonly #db: Reads;
  readonly #matches: Matches;
  #ids: string[] = [];
  /** Texts that were read but not compared yet, in reverse order. */
  #texts: { id: string; content: string | null }[] = [];
  #hits: string[] = [];
  #amount = FEW;

  constructor(db: Reads, matches: Matches) {
    this.#db = db;
    this.#matches = matches;
  }

  /** Sets the messages to read. Call this once the previous ones have been read. */
  add(ids: readonly string[]): void {
    this.#ids = ids.toReversed();
  }

  /** Sets the candidates. Call this once the previous ones have been consumed. */
  addHits(ids: readonly string[]): void {
    this.#hits = [...ids];
  }

  get at(): string | undefined {
    return this.#hits[0] ?? this.#texts.at(-1)?.id ?? this.#ids.at(-1);
  }

  get isHit(): boolean {
    return this.#hits.length > 0;
  }

  async goOn(): Promise<void> {
    if (this.#hits.shift() !== undefined) return;
    if (this.#texts.length === 0) await this.#read();
    let characters = 0;
    while (characters < STEP_CHARACTERS) {
      const text = this.#texts.pop();
      if (!text) return;
      characters += text.content?.length ?? 0;
      if (text.content !== null && this.#matches(text.content)) this.#hits.push(text.id);
    }
  }

  async #read(): Promise<void> {
    const ids = this.#ids.splice(-this.#amount);
    const known = ids.map((id) => ({ id }));
    const contents = new Map<string, string | null>();
    let characters = 1;
    for (const { id, content } of await this.#db.all(contentsOf(this.#db.dialect, known))) {
      contents.set(id, content);
      characters += content?.length ?? 0;
    }
    this.#texts = ids.map((id) => ({ id, content: contents.get(id) ?? null }));
    const fitting = Math.floor((READ_CHARACTERS * ids.length) / characters);
    this.#amount = Math.max(1, Math.min(TEXTS, 4 * this.#amount, fitting));
  }
}

/**
 * A part of the messages that are not in the index, the position from which to load the rest, and additional
 * sources.
 */
export interface Window {
  ids: readonly string[];
  beyond: string | undefined;
  sources?: readonly Source[];
}

/** New and edited messages. */
export class NewOnes implements Source {
  readonly #texts: Texts;
  readonly #range: Range;
  readonly #windowFrom: (id: string) => Promise<Window>;
  /** The position of messages that are not loaded yet; undefined if there are none. */
  #beyond: string | undefined;

  /** @param windowFrom Loads the window that starts with an id. */
  constructor(
    db: Reads,
    matches: Matches,
    range: Range,
    first: Window,
    windowFrom: (id: string) => Promise<Window>,
  ) {
    this.#texts = new Texts(db, matches);
    this.#range = range;
    this.#windowFrom = windowFrom;
    this.#add(first);
  }

  get at(): string | undefined {
    return this.#texts.at ?? this.#beyond;
  }

  get isHit(): boolean {
    return this.#texts.isHit;
  }

  async goOn(): Promise<readonly Source[] | undefined> {
    if (this.#texts.at !== undefined) {
      await this.#texts.goOn();
      return undefined;
    }
    const window = await this.#windowFrom(this.#beyond as string);
    this.#add(window);
    return window.sources;
  }

  #add({ ids, beyond }: Window): void {
    const sorted = ids.filter((id) => isWithin(id, this.#range)).sort();
    if (this.#range.isDown) sorted.reverse();
    if (sorted.length <= FEW) this.#texts.addHits(sorted);
    else this.#texts.add(sorted);
    this.#beyond = beyond;
  }
}

interface Old {
  serverId: string;
  channels: ReadonlySet<string>;
  /** The channel, if only one is searched. */
  one: string | undefined;
  upTo: string;
}

/** Messages that are not indexed yet after an upgrade. */
export class OldOnes implements Source {
  readonly #db: Reads;
  readonly #old: Old;
  readonly #texts: Texts;
  readonly #range: Range;
  /** The position from which to continue reading; undefined at the end. */
  #from: string | undefined;

  constructor(db: Reads, old: Old, matches: Matches, range: Range) {
    this.#db = db;
    this.#old = old;
    this.#texts = new Texts(db, matches);
    this.#range = { ...range, high: range.high < old.upTo ? range.high : old.upTo };
    const { low, high, isDown } = this.#range;
    this.#from = low > high ? undefined : isDown ? high : low;
  }

  get at(): string | undefined {
    return this.#texts.at ?? this.#from;
  }

  get isHit(): boolean {
    return this.#texts.isHit;
  }

  async goOn(): Promise<undefined> {
    if (this.#texts.at !== undefined) return void (await this.#texts.goOn());
    const { low, high, isDown } = this.#range;
    const { serverId, channels, one } = this.#old;
    const range = { from: this.#from as string, to: isDown ? low : high, rows: TEXTS + 1 };
    const rows = await this.#db.all(oldOnes(range, isDown, one));
    this.#from = rows[TEXTS]?.id;
    const own = rows
      .slice(0, TEXTS)
      .filter((row) => row.serverId === serverId && channels.has(row.channelId));
    this.#texts.add(own.map(({ id }) => id));
  }
}
