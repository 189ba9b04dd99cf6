import { lookupsOf, type Search } from '../../lib/text/find.ts';
import type { Reads, ServerSearch } from '../contract.ts';
import { compact, facets } from './keys.ts';
import { Numbers } from './numbers.ts';
import {
  type BlockCache,
  type CachedBlock,
  cachedOf,
  lookUp,
  type Named,
  named,
  Opened,
  pagesFor,
  readPages,
} from './opened.ts';
import { collectAmong, IDS, idIn, idsFrom, PAGES_PER_BLOCK, placeOfId } from './pages.ts';
import type { Block } from './tables.ts';

/**
 * If a block has at most this many hits, each hit's channel is checked individually. Otherwise, the block's
 * channels are read.
 */
const FEW = 32;

/** Maximum pages of blocks to examine at once: 500 kB, which takes a few milliseconds. */
const MAX_PAGES = 256;

/** The number of keys that can be looked up in a directory in the time it takes to compare a page. */
const LOOKUPS_PER_PAGE = 50;

/**
 * Maximum pages of ids (2 kB each) to read ahead from a database server, where every read is a round trip.
 */
const MAX_AHEAD = 48;

/** Returns the number of pages of ids to read at once. */
export const aheadIn = ({ dialect }: Reads): number => (dialect.isDistant ? MAX_AHEAD : 1);

/** Alternative keys: a candidate has at least one key from each group. */
type Group = readonly Named[];

/** Finds the candidates of a search in blocks. */
export class Looker {
  /**
   * The groups of keys to look up first. If no message in a block matches all of them, the block's other
   * pages are skipped.
   */
  readonly #first: readonly Group[];
  readonly #others: readonly Group[];
  /**
   * For a search in several channels, a group with the server's channels and the member's direct messages.
   * Other users' direct messages may far outnumber them.
   */
  readonly #places: readonly Group[];
  readonly #channels: ReadonlySet<string> | undefined;
  readonly #withoutReplies: boolean;
  /**
   * Whether to look up the channels together with the first keys, which saves a round trip. Set once most
   * hits in some blocks were in other users' direct messages, because that is also likely in the next blocks.
   */
  #placesFirst = false;

  constructor(search: Search, scope: Omit<ServerSearch, 'serverId'>) {
    const { channelIds, isEveryChannel, memberId, creatorId, type, isThreadReply } = scope;
    const exactly = (key: string): Named => named(key, false);
    const [longest, ...rest] = lookupsOf(search)
      .sort((one, other) => other.key.length - one.key.length)
      .map(({ key, isBeginning }) => named(key, isBeginning));
    const [channelId] = channelIds;
    const [isOne, hasNone] = [channelIds.length === 1, channelIds.length === 0];
    this.#first = [
      ...(longest ? [[longest]] : []),
      ...(isOne && channelId !== undefined ? [[exactly(facets.channel(channelId))]] : []),
      ...(creatorId === null ? [] : [[exactly(facets.author(creatorId))]]),
      ...(type === null ? [] : [[exactly(facets.type(type))]]),
    ];
    this.#others = [
      ...rest.map((lookup) => [lookup]),
      ...(isThreadReply === true ? [[exactly(facets.reply)]] : []),
    ];
    const mine = memberId === null ? [] : [exactly(facets.member(memberId))];
    this.#places = isOne ? [] : [[exactly(facets.listed), ...mine]];
    // The facets suffice if all channels are searched. The channels of the results are compared anyway.
    const isNarrow = !isOne && !hasNone && !isEveryChannel;
    this.#channels = isNarrow ? new Set(channelIds.map((id) => compact(id))) : undefined;
    this.#withoutReplies = isThreadReply === false;
  }

  /**
   * Returns the messages in each block that have a key from every group, and the number of blocks examined. If
   * several channels are searched, the messages may be in any channel.
   */
  async look(
    db: Reads,
    cache: BlockCache,
    blocks: readonly Pick<Block, 'id'>[],
  ): Promise<{ opened: Opened[]; looked: number }> {
    const cached = await cachedOf(db, cache, blocks);
    const phases = this.#placesFirst
      ? [[...this.#first, ...this.#places], this.#others]
      : [this.#first, this.#others, this.#places];
    let opened: Opened[] = [];
    for (let pages = 0; opened.length < blocks.length; ) {
      const { id } = blocks[opened.length] as Block;
      const block = new Opened(id, cached[opened.length] as CachedBlock);
      const missing = phases.flat(2).filter((lookup) => !block.isKnown(lookup));
      pages += new Set(missing.flatMap((lookup) => pagesFor(block, lookup))).size;
      if (opened.length > 0 && pages > MAX_PAGES) break;
      opened.push(block);
    }
    const looked = opened.length;
    for (const groups of phases) {
      const before = groups === this.#places ? countOf(opened) : 0;
      await lookUp(db, opened, groups.flat());
      for (const block of opened) for (const group of groups) block.keep(group);
      opened = opened.filter(({ numbers }) => !numbers.isEmpty);
      if (before > 0 && 2 * countOf(opened) < before) this.#placesFirst = true;
    }
    if (this.#withoutReplies) opened = await this.#withoutThose(db, opened);
    return { opened, looked };
  }

  /** Whether a block has many messages, some of which may be in other channels. */
  isWide({ numbers }: Opened): boolean {
    return this.#channels !== undefined && numbers.count > FEW;
  }

  async #withoutThose(db: Reads, opened: readonly Opened[]): Promise<Opened[]> {
    const replies = named(facets.reply, false);
    await lookUp(db, opened, [replies]);
    for (const block of opened) block.remove(replies);
    return opened.filter(({ numbers }) => !numbers.isEmpty);
  }

  /** Removes the messages in other channels from a block. Returns an empty list if none are left. */
  async inChannels(db: Reads, block: Opened): Promise<Opened[]> {
    const channels = this.#channels ?? new Set();
    const prefix = facets.channel('');
    const all = pagesFor(block, { key: prefix, isBeginning: true });
    const pages =
      channels.size > LOOKUPS_PER_PAGE * all.length
        ? all
        : [...channels].flatMap((id) => pagesFor(block, { key: prefix + id, isBeginning: false }));
    const inThem = new Numbers(block.directory.messages);
    for (const page of (await readPages(db, pages)).values()) collectAmong(page, prefix, channels, inThem);
    block.numbers.intersect([inThem]);
    return block.numbers.isEmpty ? [] : [block];
  }
}

const countOf = (blocks: readonly Opened[]): number =>
  blocks.reduce((sum, { numbers }) => sum + numbers.count, 0);

/** Iterates over the hits of a block in one direction. */
export class Hits {
  readonly #db: Reads;
  readonly #block: Opened;
  readonly #isDown: boolean;
  /** The number of the first page of ids. */
  readonly #ids: number;
  #pages: ReadonlyMap<number, Uint8Array> = new Map();
  #number: number | undefined;

  /** @param from The first id that can match. Pages of ids before it are skipped. */
  constructor(db: Reads, block: Opened, from: string, isDown: boolean) {
    this.#db = db;
    this.#block = block;
    this.#isDown = isDown;
    const { id, directory, numbers } = block;
    this.#ids = id * PAGES_PER_BLOCK + idsFrom(directory);
    const place = placeOfId(directory, from) * IDS;
    const first = isDown ? Math.min(directory.messages, place + IDS) - 1 : place;
    this.#number = numbers.next(first, isDown);
  }

  /** Returns the numbers of up to `amount` pages that contain the ids of the next hits. */
  needs(amount: number): number[] {
    const pages: number[] = [];
    for (let number = this.#number; number !== undefined && pages.length < amount; ) {
      const place = Math.floor(number / IDS);
      pages.push(this.#ids + place);
      number = this.#block.numbers.next(this.#isDown ? place * IDS - 1 : (place + 1) * IDS, this.#isDown);
    }
    return pages;
  }

  /** Sets the pages that were read ahead, replacing the previous ones. */
  give(pages: ReadonlyMap<number, Uint8Array>): void {
    this.#pages = pages;
  }

  /** Returns the id of the next hit; undefined at the end. */
  async next(): Promise<string | undefined> {
    const number = this.#number;
    if (number === undefined) return undefined;
    const page = this.#ids + Math.floor(number / IDS);
    if (!this.#pages.has(page)) this.give(await readPages(this.#db, this.needs(aheadIn(this.#db))));
    this.#number = this.#block.numbers.next(number + (this.#isDown ? -1 : 1), this.#isDown);
    return idIn(this.#pages.get(page) as Uint8Array, number % IDS);
  }
}
