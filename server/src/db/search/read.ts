import { FIRST_ID, idAfter, idBefore, LAST_ID } from '../../lib/deps.ts';
import { matcherOf, parseSearch, type Search } from '../../lib/text/find.ts';
import { searchText } from '../../lib/text/indexed.ts';
import { MAX_PAGE_BYTES, type Order, type Reads, type SearchPage, type ServerSearch } from '../contract.ts';
import { Looker } from './blocks.ts';
import { Meter } from './meter.ts';
import { type BlockCache, Replaced } from './opened.ts';
import { recordsOf, recordsOfSwept } from './records.ts';
import { type Range, type Source, sourcesOf } from './sources.ts';
import { type State, stateOf } from './state.ts';
import { NewOnes, OldOnes, type Window } from './unread.ts';

/**
 * Limits in milliseconds; lowered in tests. A search yields to other reads after `turn` ms of its own work,
 * or after `wall` ms including its reads from a remote database. A page ends early once its CPU time exceeds
 * a limit, which is lower for a page with hits than for one without: an empty page would only cause another
 * request. `steps` is the number of candidates between two checks of the clock, because checks are slow.
 */
export const patience = { turn: 3, wall: 25, page: 25, emptyPage: 1_000, steps: 16 };
/** Maximum candidates whose texts are read at once. */
const BATCH = 64;
/** Characters of records compared per step. */
const STEP_CHARACTERS = 32 * 1024;
/** Maximum attempts for a page. If a block is replaced while it is read, the search reloads its sources. */
const MAX_ATTEMPTS = 10;

export interface Options {
  blockCache: BlockCache;
  /** Runs a task that reads thousands of rows. */
  runInTurn<T>(task: () => Promise<T>): Promise<T>;
  /** Called with the number of messages that are not indexed yet, whose texts a search has to read. */
  onWaiting(messages: number): void;
}

/** A search in one or several channels of a server. */
export type Scope = Omit<ServerSearch, 'serverId'> & { serverId: string | null; order: Order };

/**
 * Finds a page of messages that match a search, in id order. The index yields candidates block by block, and
 * their texts are then compared (docs/decisions/0009). The search ends when the page is full or a time limit
 * is reached (`patience`).
 */
export async function search(db: Reads, options: Options, scope: Scope): Promise<SearchPage> {
  const parsed = parseSearch(scope.text);
  if (!parsed || scope.channelIds.length === 0) return { json: new Uint8Array(), next: undefined };
  const page = new Page(db, options, scope, parsed);
  for (let goesOn = true; goesOn; ) {
    goesOn = await options.runInTurn(async () => {
      const [busy, began] = [page.busy, performance.now()];
      do if (!(await page.goOn())) return false;
      while (page.busy - busy < patience.turn && performance.now() - began < patience.wall);
      return true;
    });
  }
  return { json: Buffer.from(page.records.join(',')), next: page.next };
}

/** Most searches in a large server have the same, cached list of channels. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>();

function setOf(channelIds: readonly string[]): ReadonlySet<string> {
  const known = sets.get(channelIds) ?? new Set(channelIds);
  sets.set(channelIds, known);
  return known;
}

/** The page being filled. */
class Page {
  readonly records: string[] = [];
  /** The start of the next page; undefined if there is none. */
  next: string | undefined;
  readonly #db: Meter;
  readonly #options: Options;
  readonly #scope: Scope;
  readonly #search: Search;
  readonly #matches: (text: string) => boolean;
  readonly #channels: ReadonlySet<string>;
  readonly #isDown: boolean;
  /** The range of ids left to search, both inclusive. */
  #low: string;
  #high: string;
  readonly #start: string;
  #room = MAX_PAGE_BYTES;
  #attempts = 0;
  /** The CPU time that it took to load the sources. Every further page would repeat this work. */
  #opening = 0;
  #sources: Source[] | undefined;
  /** The current position: the next id that may match, in search order. */
  #at: string | undefined;
  /** Candidates whose records have not been read yet, and candidates whose records are ready to compare. */
  #batch: string[] = [];
  #read: [id: string, record: string | null][] = [];
  #last: string | undefined;

  constructor(db: Reads, options: Options, scope: Scope, parsed: Search) {
    this.#db = new Meter(db);
    this.#options = options;
    this.#scope = scope;
    this.#search = parsed;
    const matches = matcherOf(parsed);
    this.#matches = (content) => matches(searchText(content));
    this.#channels = setOf(scope.channelIds);
    this.#isDown = scope.order === 'desc';
    const { from, firstId, beyondId } = scope;
    this.#low = firstId ?? FIRST_ID;
    this.#high = beyondId === null ? LAST_ID : beyondId <= FIRST_ID ? '' : idBefore(beyondId);
    if (from !== undefined && this.#isDown) this.#high = smaller(from, this.#high);
    if (from !== undefined && !this.#isDown) this.#low = greater(from, this.#low);
    this.#start = this.#isDown ? this.#high : this.#low;
  }

  /** Milliseconds of the search's own work, without waits. */
  get busy(): number {
    return this.#db.busy;
  }

  /** Runs the next step. Returns false at the end of the page. */
  async goOn(): Promise<boolean> {
    this.#db.start();
    try {
      if (this.#low > this.#high) return false;
      this.#sources ??= await this.#open();
      const most = this.records.length > 0 ? patience.page : patience.emptyPage;
      const isLate = this.#db.spent - this.#opening > most;
      for (let steps = 0; steps < patience.steps; ) {
        const took = await this.#step(isLate);
        if (took === 0) return false;
        steps += took;
      }
    } catch (error) {
      if (!(error instanceof Replaced) || ++this.#attempts === MAX_ATTEMPTS) throw error;
      this.#startOver();
    } finally {
      this.#db.stop();
    }
    return true;
  }

  /** Reloads the sources and continues from the current position. */
  #startOver(): void {
    const at = this.#batch[0] ?? this.#at;
    if (at !== undefined && this.#isDown) this.#high = smaller(at, this.#high);
    if (at !== undefined && !this.#isDown) this.#low = greater(at, this.#low);
    this.#sources = undefined;
  }

  /** Loads the sources to search. */
  async #open(): Promise<Source[]> {
    const { channelIds, serverId } = this.#scope;
    const { blockCache, onWaiting } = this.#options;
    const [db, matches, isDown] = [this.#db, this.#matches, this.#isDown];
    const [one] = channelIds.length === 1 ? channelIds : [];
    const place = one === undefined ? { serverId, channelId: null } : { serverId: null, channelId: one };
    const range = { low: this.#low, high: this.#high, isDown };
    const began = db.lap();
    const state = await stateOf(db, place, range);
    this.#opening += db.lap() - began;
    if (!state) return [];
    const { waiting, beyond, upTo } = state;
    onWaiting(waiting.length);
    const looker = new Looker(this.#search, this.#scope);
    this.#batch = [];
    this.#last = undefined;
    let known = 0;
    const blocksOf = ({ blocks }: State, within: Range): Source => {
      known = blocks.reduce((most, { id }) => Math.max(most, id), known);
      return sourcesOf(db, blockCache, looker, blocks, within);
    };
    const windowFrom = async (at: string): Promise<Window> => {
      const rest = isDown ? { ...range, high: at } : { ...range, low: at };
      const later = await stateOf(db, place, rest, known);
      if (!later) return { ids: [], beyond: undefined };
      return { ids: later.waiting, beyond: later.beyond, sources: [blocksOf(later, rest)] };
    };
    const sources = [
      blocksOf(state, range),
      new NewOnes(db, matches, range, { ids: waiting, beyond }, windowFrom),
    ];
    if (upTo === null) return sources;
    const old = { serverId: state.serverId, channels: this.#channels, one, upTo };
    return [...sources, new OldOnes(db, old, matches, range)];
  }

  /**
   * Advances to the next candidate, or loads more. Returns the number of `patience.steps` used; 0 at the end
   * of the page.
   */
  async #step(isLate: boolean): Promise<number> {
    if (this.#read.length > 0) return this.#compare();
    const best = this.#best();
    this.#at = best?.at;
    if (this.#at === undefined || isLate) {
      if (this.#batch.length > 0) return this.#verify();
      if (this.#at === undefined || this.#stop(this.#at)) return 0;
    }
    const source = best as Source;
    if (!source.isHit) {
      // The hits of this source come after those in the batch, which may already fill the page.
      if (this.#batch.length > this.#left) return this.#verify();
      const opened = (await source.goOn()) ?? [];
      this.#sources = [...(this.#sources ?? []), ...opened].filter(({ at }) => at !== undefined);
      return patience.steps;
    }
    if (source.at !== this.#last) this.#batch.push(this.#at as string);
    this.#last = source.at;
    await source.goOn();
    return this.#batch.length < BATCH ? 1 : this.#verify();
  }

  get #left(): number {
    return this.#scope.limit - this.records.length;
  }

  /** Returns the source with the next candidate. */
  #best(): Source | undefined {
    let best: Source | undefined;
    for (const source of this.#sources ?? []) {
      if (source.at === undefined) continue;
      if (best?.at === undefined || (this.#isDown ? source.at > best.at : source.at < best.at)) best = source;
    }
    return best;
  }

  /** Reads the records of the candidates. Like `#step`, returns the number of steps used. */
  async #verify(): Promise<number> {
    const batch = this.#batch;
    this.#batch = [];
    const query = this.#scope.isSweeping ? recordsOfSwept : recordsOf;
    const given = batch.map((id) => ({ id }));
    const found = new Map<string, string | null>();
    for (const { id, record } of await this.#db.all(query(this.#db.dialect, given))) found.set(id, record);
    this.#read = batch.map((id) => [id, found.get(id) ?? null]);
    return this.#compare();
  }

  /** Adds matching records to the page, in small steps. Like `#step`, returns the number of steps used. */
  #compare(): number {
    for (let characters = 0; characters < STEP_CHARACTERS; ) {
      const [id, record] = this.#read.shift() ?? [];
      if (id === undefined) break;
      characters += record?.length ?? 0;
      const isHit = record != null && this.#isHit(record);
      if (isHit && !this.#add(record)) {
        this.next = id;
        return 0;
      }
      if (isHit || this.#read.length === 0) this.#searched(id);
    }
    return patience.steps;
  }

  #isHit(record: string): boolean {
    const { creatorId, type, isThreadReply, isWanted } = this.#scope;
    const message = JSON.parse(record);
    return (
      this.#channels.has(message.channelId) &&
      (creatorId === null || message.creatorId === creatorId) &&
      (type === null || message.type === type) &&
      (isThreadReply === null || message.isThreadReply === isThreadReply) &&
      this.#matches(message.content) &&
      (isWanted === undefined || isWanted(message))
    );
  }

  /** Returns false if the page is full. */
  #add(record: string): boolean {
    const bytes = Buffer.byteLength(record);
    if (this.#left === 0 || (this.records.length > 0 && bytes + 1 > this.#room)) return false;
    this.records.push(record);
    this.#room -= bytes + 1;
    return true;
  }

  /** Records that the search is complete up to an id. */
  #searched(id: string): void {
    if (this.#isDown) this.#high = idBefore(id);
    else this.#low = idAfter(id);
  }

  /**
   * Ends the page early at the next position, unless the page began there. Returns whether the page ended.
   */
  #stop(at: string): boolean {
    // The position may be that of a message that the caller cannot see, so only its time is revealed. No hits
    // are skipped.
    const time = at.slice(0, 13);
    const next = this.#isDown
      ? smaller(`${time}-ffff-ffff-ffffffffffff`, this.#high)
      : greater(`${time}-0000-0000-000000000000`, this.#low);
    if (next === this.#start) return false;
    this.next = next;
    return true;
  }
}

const smaller = (one: string, other: string): string => (one < other ? one : other);
const greater = (one: string, other: string): string => (one > other ? one : other);
