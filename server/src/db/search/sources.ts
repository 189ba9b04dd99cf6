import type { Reads } from '../contract.ts';
import { type Directories, Hits, type Looker, type Opened, readPages } from './blocks.ts';
import type { Block } from './tables.ts';
import { contentsOf, oldOnes } from './waiting.ts';

/** A part of the messages, whose candidates come in the order of their ids. */
export interface Source {
  /** The best id that it may still have; undefined at the end. */
  readonly at: string | undefined;
  /** Whether `at` is a candidate, and not only a bound. */
  readonly isHit: boolean;
  /** Goes on after the candidate, or finds out more. May return further sources. */
  goOn(): Promise<readonly Source[] | undefined>;
}

/** The ids to search, both inclusive, and the direction. */
export interface Range {
  readonly low: string;
  readonly high: string;
  readonly isDown: boolean;
}

const isWithin = (id: string, { low, high }: Range): boolean => id >= low && id <= high;

/** Blocks that are opened at once at first, and at most. Twice as many each time, because they had nothing. */
const FIRST_BLOCKS = 2;
const MAX_BLOCKS = 32;

export type Blocks = Source;

/** The blocks that are not opened yet, as one source. */
export function sourcesOf(
  db: Reads,
  directories: Directories,
  looker: Looker,
  all: readonly Pick<Block, 'id' | 'first' | 'last'>[],
  range: Range,
): Blocks {
  const { low, high, isDown } = range;
  const boundOf = ({ first, last }: Pick<Block, 'first' | 'last'>) =>
    isDown ? (last < high ? last : high) : first > low ? first : low;
  const unopened = all
    .filter(({ first, last }) => last >= low && first <= high)
    .map((block) => ({ ...block, at: boundOf(block) }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at > other.at === isDown ? -1 : 1));
  let amount = FIRST_BLOCKS;
  return {
    get at() {
      return unopened[0]?.at;
    },
    isHit: false,
    async goOn() {
      const some = unopened.splice(0, amount);
      amount = Math.min(MAX_BLOCKS, 2 * amount);
      const opened = await looker.look(db, directories, some);
      const wide = opened.filter((block) => looker.isWide(block));
      const others = opened.filter((block) => !looker.isWide(block));
      const boundOfBlock = new Map(some.map(({ id, at }) => [id, at]));
      const sources: Source[] = wide.map((block) => {
        const narrow = async () => openedOf(db, range, await looker.inChannels(db, block));
        return new WideBlock(boundOfBlock.get(block.id), narrow);
      });
      sources.push(...(await openedOf(db, range, others)));
      return sources;
    },
  };
}

/** The hits of blocks, whose first ids are read together. */
async function openedOf(db: Reads, range: Range, blocks: readonly Opened[]): Promise<OpenedBlock[]> {
  const { low, high, isDown } = range;
  const hits = blocks.map((block) => new Hits(db, block, isDown ? high : low, isDown));
  const needed = new Map(hits.flatMap((one) => (one.needs === undefined ? [] : [[one, one.needs]])));
  const pages = await readPages(db, needed.values());
  for (const [one, page] of needed) one.give(pages.get(page) as Uint8Array);
  const sources = hits.map((one) => new OpenedBlock(one, range));
  for (const source of sources) await source.goOn();
  return sources;
}

/**
 * A block with many hits, in any channel. Which of them are in the right channels is found out only when a page gets
 * there, because the blocks before may fill it.
 */
class WideBlock implements Source {
  at: string | undefined;
  readonly isHit = false;
  readonly #narrow: () => Promise<readonly Source[]>;

  constructor(at: string | undefined, narrow: () => Promise<readonly Source[]>) {
    this.at = at;
    this.#narrow = narrow;
  }

  goOn(): Promise<readonly Source[]> {
    this.at = undefined;
    return this.#narrow();
  }
}

class OpenedBlock implements Source {
  readonly #hits: Hits;
  readonly #range: Range;
  at: string | undefined;
  readonly isHit = true;

  constructor(hits: Hits, range: Range) {
    this.#hits = hits;
    this.#range = range;
  }

  async goOn(): Promise<undefined> {
    const { low, high, isDown } = this.#range;
    for (;;) {
      this.at = await this.#hits.next();
      // Those on the first page of ids may be before the range.
      if (this.at === undefined || isWithin(this.at, this.#range)) return;
      if (isDown ? this.at < low : this.at > high) {
        this.at = undefined;
        return;
      }
    }
  }
}

/** Texts that are read at once. Fewer are candidates without that. */
const TEXTS = 200;
const FEW = 32;

/** New and edited messages, whose texts are read. */
export class NewOnes implements Source {
  readonly #db: Reads;
  readonly #matches: (text: string) => boolean;
  #ids: string[];
  #hits: string[] = [];

  constructor(db: Reads, ids: readonly string[], matches: (text: string) => boolean, range: Range) {
    this.#db = db;
    this.#matches = matches;
    this.#ids = ids.filter((id) => isWithin(id, range)).sort();
    if (range.isDown) this.#ids.reverse();
    if (this.#ids.length <= FEW) this.#hits = this.#ids.splice(0);
  }

  get at(): string | undefined {
    return this.#hits[0] ?? this.#ids[0];
  }

  get isHit(): boolean {
    return this.#hits.length > 0;
  }

  async goOn(): Promise<undefined> {
    if (this.#hits.shift() !== undefined) return;
    this.#hits = await matching(this.#db, this.#ids.splice(0, TEXTS), this.#matches);
  }
}

/** Those of these messages whose text matches, in the same order. */
async function matching(
  db: Reads,
  ids: readonly string[],
  matches: (text: string) => boolean,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = new Set<string>();
  for (const { id, content } of await db.all(
    contentsOf(
      db.dialect,
      ids.map((id) => ({ id })),
    ),
  ))
    if (content !== null && matches(content)) found.add(id);
  return ids.filter((id) => found.has(id));
}

interface Old {
  serverId: string;
  channels: ReadonlySet<string>;
  /** The channel, if only one is searched. */
  one: string | undefined;
  upTo: string;
}

/** Messages that are not indexed yet after an upgrade, whose texts are read. */
export class OldOnes implements Source {
  readonly #db: Reads;
  readonly #old: Old;
  readonly #matches: (text: string) => boolean;
  readonly #range: Range;
  /** Where to go on reading; undefined at the end. */
  #from: string | undefined;
  #hits: string[] = [];

  constructor(db: Reads, old: Old, matches: (text: string) => boolean, range: Range) {
    this.#db = db;
    this.#old = old;
    this.#matches = matches;
    this.#range = { ...range, high: range.high < old.upTo ? range.high : old.upTo };
    const { low, high, isDown } = this.#range;
    this.#from = low > high ? undefined : isDown ? high : low;
  }

  get at(): string | undefined {
    return this.#hits[0] ?? this.#from;
  }

  get isHit(): boolean {
    return this.#hits.length > 0;
  }

  async goOn(): Promise<undefined> {
    if (this.#hits.shift() !== undefined) return;
    const { low, high, isDown } = this.#range;
    const { serverId, channels, one } = this.#old;
    const range = { from: this.#from as string, to: isDown ? low : high, rows: TEXTS + 1 };
    const rows = await this.#db.all(oldOnes(range, isDown, one));
    this.#from = rows[TEXTS]?.id;
    const own = rows
      .slice(0, TEXTS)
      .filter((row) => row.serverId === serverId && channels.has(row.channelId));
    this.#hits = await matching(
      this.#db,
      own.map(({ id }) => id),
      this.#matches,
    );
  }
}
