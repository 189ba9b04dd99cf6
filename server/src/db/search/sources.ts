import type { Reads } from '../contract.ts';
import { type Directories, Hits, type Looker, type Opened, readPages } from './blocks.ts';
import type { Block } from './tables.ts';

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

export const isWithin = (id: string, { low, high }: Range): boolean => id >= low && id <= high;

/** Blocks that are opened at once at first, and at most. Twice as many each time, because they had nothing. */
const FIRST_BLOCKS = 2;
const MAX_BLOCKS = 32;

/** The blocks that are not opened yet, as one source. */
export function sourcesOf(
  db: Reads,
  directories: Directories,
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
  let amount = FIRST_BLOCKS;
  return {
    get at() {
      return unopened[0]?.at;
    },
    isHit: false,
    async goOn() {
      const { opened, looked } = await looker.look(db, directories, unopened.slice(0, amount));
      amount = Math.min(MAX_BLOCKS, 2 * amount);
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
      // Hits on the first page of ids may be before the range.
      if (this.at === undefined || isWithin(this.at, this.#range)) return;
      if (isDown ? this.at < low : this.at > high) {
        this.at = undefined;
        return;
      }
    }
  }
}
