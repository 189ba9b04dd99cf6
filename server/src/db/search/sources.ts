import type { Reads } from '../contract.ts';
import { aheadIn, Hits, type Looker } from './blocks.ts';
import { type BlockCache, type Opened, readPages } from './opened.ts';
import type { Block } from './tables.ts';

/** A source that yields candidates in id order. */
export interface Source {
  /** The next id that may match, in search order; undefined at the end. */
  readonly at: string | undefined;
  /** Whether `at` is a candidate rather than just a bound. */
  readonly isHit: boolean;
  /** Advances past the candidate, or loads more. May return additional sources. */
  goOn(): Promise<readonly Source[] | undefined>;
}

/** The ids to search, both inclusive, and the direction. */
export interface Range {
  readonly low: string;
  readonly high: string;
  readonly isDown: boolean;
}

export const isWithin = (id: string, { low, high }: Range): boolean => id >= low && id <= high;

/**
 * The initial number of blocks to open at once, and the factor by which it grows, up to MAX_BLOCKS. Opening
 * blocks takes several round trips to a database server.
 */
const OPENING = { local: { first: 2, growth: 2 }, distant: { first: 4, growth: 8 } };
const MAX_BLOCKS = 32;

/** Returns the unopened blocks, as one source. */
export function sourcesOf(
  db: Reads,
  blockCache: BlockCache,
  looker: Looker,
  all: readonly Pick<Block, 'id' | 'first' | 'last'>[],
  range: Range,
): Source {
  const { low, high, isDown } = range;
  const boundOf = ({ first, last }: Pick<Block, 'first' | 'last'>) =>
    isDown ? (last < high ? last : high) : first > low ? first : low;
  const unopened = all
    .filter(({ first, last }) => last >= low && first <= high)
    .map((block) => ({ ...block, at: boundOf(block) }))
    .sort((one, other) => (one.at === other.at ? 0 : one.at > other.at === isDown ? -1 : 1));
  const { first, growth } = OPENING[db.dialect.isDistant ? 'distant' : 'local'];
  let amount = first;
  return {
    get at() {
      return unopened[0]?.at;
    },
    isHit: false,
    async goOn() {
      const { opened, looked } = await looker.look(db, blockCache, unopened.slice(0, amount));
      amount = Math.min(MAX_BLOCKS, growth * amount);
      const some = unopened.splice(0, looked);
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

/**
 * Returns the hits of blocks. One query reads the first page of ids of every block. For a database server, it
 * also reads ahead for the first blocks.
 */
async function openedOf(db: Reads, range: Range, blocks: readonly Opened[]): Promise<OpenedBlock[]> {
  const { low, high, isDown } = range;
  let ahead = aheadIn(db);
  const hits = blocks.map((block) => new Hits(db, block, isDown ? high : low, isDown));
  const needed = hits.map((one) => {
    const pages = one.needs(Math.max(1, ahead));
    ahead -= pages.length;
    return pages;
  });
  const pages = await readPages(db, needed.flat());
  for (const one of hits) one.give(pages);
  const sources = hits.map((one) => new OpenedBlock(one, range));
  for (const source of sources) await source.goOn();
  return sources;
}

/**
 * A block with many hits, some of which may be in other channels. Filters them by channel only when a page
 * reaches the block, because earlier blocks may fill the page.
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
      // Some hits on the first page of ids may be before the range.
      if (this.at === undefined || isWithin(this.at, this.#range)) return;
      if (isDown ? this.at < low : this.at > high) {
        this.at = undefined;
        return;
      }
    }
  }
}
