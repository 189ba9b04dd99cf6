import { cpuMs } from '../../lib/cpu.ts';
import { FIRST_ID, idAfter, idBefore, LAST_ID } from '../../lib/deps.ts';
import { matcherOf, parseSearch, type Search } from '../../lib/text/find.ts';
import { searchText } from '../../lib/text/indexed.ts';
import { MAX_PAGE_BYTES, type Order, type Reads, type SearchPage, type ServerSearch } from '../contract.ts';
import { type Directories, Looker, Replaced } from './blocks.ts';
import { recordsOf, recordsOfSwept } from './records.ts';
import { type Blocks, NewOnes, OldOnes, type Source, sourcesOf } from './sources.ts';
import { stateOf } from './state.ts';

/**
 * Milliseconds of CPU time after which a search lets other reads run, and after which a page ends early: one with hits,
 * and one without any. An empty page would only be followed by another request. `steps` is the number of candidates between
 * two looks at the CPU time, which take long themselves. Tests lower these.
 */
export const patience = { turn: 3, page: 25, emptyPage: 1_000, steps: 16 };
/** Maximum candidates whose texts are read at once. */
const BATCH = 64;
/** How often a page starts over because a block was replaced while it was read. */
const MAX_ATTEMPTS = 10;

export interface Options {
  directories: Directories;
  /** Runs a task that reads thousands of rows. */
  runInTurn<T>(task: () => Promise<T>): Promise<T>;
  /** Called with the number of messages that are not indexed yet, whose texts a search has to read. */
  onWaiting(messages: number): void;
}

/** A search in one or several channels of a server. */
export type Scope = Omit<ServerSearch, 'serverId'> & { serverId: string | null; order: Order };

/**
 * A page of the messages that match a search, in the order of their ids: the index yields candidates, block by block,
 * and their texts decide (docs/decisions/0009). A page with too few hits goes on for up to a second.
 */
export async function search(db: Reads, options: Options, scope: Scope): Promise<SearchPage> {
  const parsed = parseSearch(scope.text);
  if (!parsed || scope.channelIds.length === 0) return { json: new Uint8Array(), next: undefined };
  const page = new Page(db, options, scope, parsed);
  for (let goesOn = true; goesOn; ) {
    goesOn = await options.runInTurn(async () => {
      const turn = cpuMs();
      do if (!(await page.goOn())) return false;
      while (cpuMs() - turn < patience.turn);
      return true;
    });
  }
  return { json: Buffer.from(page.records.join(',')), next: page.next };
}

/** The page as it is filled. */
class Page {
  readonly records: string[] = [];
  /** Where the next page starts; undefined if there is none. */
  next: string | undefined;
  readonly #db: Reads;
  readonly #options: Options;
  readonly #scope: Scope;
  readonly #search: Search;
  readonly #matches: (text: string) => boolean;
  readonly #channels: ReadonlySet<string>;
  readonly #isDown: boolean;
  /** The range of ids to search, both inclusive, as far as it has not been searched. */
  #low: string;
  #high: string;
  readonly #start: string;
  #room = MAX_PAGE_BYTES;
  #spent = 0;
  #attempts = 0;
  #blocks: Blocks | undefined;
  /** The others: messages that are not in the index, and opened blocks. */
  #others: Source[] = [];
  #batch: string[] = [];
  #last: string | undefined;

  constructor(db: Reads, options: Options, scope: Scope, parsed: Search) {
    this.#db = db;
    this.#options = options;
    this.#scope = scope;
    this.#search = parsed;
    const matches = matcherOf(parsed);
    this.#matches = (content) => matches(searchText(content));
    this.#channels = new Set(scope.channelIds);
    this.#isDown = scope.order === 'desc';
    const { from, firstId, beyondId } = scope;
    this.#low = firstId ?? FIRST_ID;
    this.#high = beyondId === null ? LAST_ID : beyondId <= FIRST_ID ? '' : idBefore(beyondId);
    if (from !== undefined && this.#isDown) this.#high = smaller(from, this.#high);
    if (from !== undefined && !this.#isDown) this.#low = greater(from, this.#low);
    this.#start = this.#isDown ? this.#high : this.#low;
  }

  /** Does the next part of the work. Returns false at the end of the page. */
  async goOn(): Promise<boolean> {
    const began = cpuMs();
    try {
      if (!this.#blocks) await this.#open();
      let goesOn = true;
      for (let steps = 0; goesOn && steps < patience.steps; steps++) goesOn = await this.#step();
      this.#spent += cpuMs() - began;
      const most = this.records.length > 0 ? patience.page : patience.emptyPage;
      return goesOn && (this.#spent <= most || this.#stop());
    } catch (error) {
      if (!(error instanceof Replaced) || ++this.#attempts === MAX_ATTEMPTS) throw error;
      this.#blocks = undefined;
      return true;
    }
  }

  /** Finds out what to search. */
  async #open(): Promise<void> {
    const { channelIds, serverId } = this.#scope;
    const { directories, onWaiting } = this.#options;
    const [one] = channelIds.length === 1 ? channelIds : [];
    const place = one === undefined ? { serverId, channelId: null } : { serverId: null, channelId: one };
    const state = await stateOf(this.#db, place);
    const { blocks = [], waiting = [], upTo = null } = state ?? {};
    onWaiting(waiting.length);
    const range = { low: this.#low, high: this.#high, isDown: this.#isDown };
    const looker = new Looker(this.#search, this.#scope);
    this.#batch = [];
    this.#last = undefined;
    this.#blocks = sourcesOf(this.#db, directories, looker, blocks, range);
    this.#others = [new NewOnes(this.#db, waiting, this.#matches, range)];
    if (upTo !== null)
      this.#others.push(
        new OldOnes(
          this.#db,
          { serverId: state?.serverId ?? '', channels: this.#channels, one, upTo },
          this.#matches,
          range,
        ),
      );
  }

  /** Goes on to the next candidate, or finds out about more. */
  async #step(): Promise<boolean> {
    const source = this.#best();
    if (source?.at === undefined) return (await this.#verify()) && this.#end();
    if (!source.isHit) {
      // Its hits come later than those in the batch, which may fill the page.
      if (this.#batch.length > this.#left) return this.#verify();
      const opened = await source.goOn();
      if (opened) this.#others.push(...opened);
      this.#others = this.#others.filter(({ at }) => at !== undefined);
      return true;
    }
    if (source.at !== this.#last) this.#batch.push(source.at);
    this.#last = source.at;
    await source.goOn();
    return this.#batch.length < BATCH || this.#verify();
  }

  get #left(): number {
    return this.#scope.limit - this.records.length;
  }

  /** The source with the next candidate. */
  #best(): Source | undefined {
    let best: Source | undefined = this.#blocks;
    for (const source of this.#others) {
      if (source.at === undefined) continue;
      if (best?.at === undefined || (this.#isDown ? source.at > best.at : source.at < best.at)) best = source;
    }
    return best;
  }

  /** Adds the candidates that match to the page. Returns false once the page is full. */
  async #verify(): Promise<boolean> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0) return true;
    const { isSweeping, creatorId, type, isThreadReply } = this.#scope;
    const query = isSweeping ? recordsOfSwept : recordsOf;
    const found = new Map<string, string>();
    const given = batch.map((id) => ({ id }));
    for (const { id, record } of await this.#db.all(query(this.#db.dialect, given)))
      if (record !== null) found.set(id, record);
    for (const id of batch) {
      const record = found.get(id);
      if (record === undefined) continue;
      const message = JSON.parse(record);
      if (!this.#channels.has(message.channelId)) continue;
      if (creatorId !== null && message.creatorId !== creatorId) continue;
      if (type !== null && message.type !== type) continue;
      if (isThreadReply !== null && message.isThreadReply !== isThreadReply) continue;
      if (!this.#matches(message.content)) continue;
      const bytes = Buffer.byteLength(record);
      if (this.#left === 0 || (this.records.length > 0 && bytes + 1 > this.#room)) {
        this.next = id;
        return false;
      }
      this.records.push(record);
      this.#room -= bytes + 1;
      this.#searched(id);
    }
    this.#searched(batch.at(-1) as string);
    return true;
  }

  /** Notes that the page has everything up to an id. */
  #searched(id: string): void {
    if (this.#isDown) this.#high = idBefore(id);
    else this.#low = idAfter(id);
  }

  /** Ends the page early, at the next place to look at, unless that is where it began. */
  async #stop(): Promise<boolean> {
    if (!(await this.#verify())) return false;
    const at = this.#best()?.at;
    if (at === undefined) return this.#end();
    // The place may be a message that the caller cannot see, so only its time is revealed, and nothing is skipped.
    const time = at.slice(0, 13);
    const next = this.#isDown
      ? smaller(`${time}-ffff-ffff-ffffffffffff`, this.#high)
      : greater(`${time}-0000-0000-000000000000`, this.#low);
    if (next === this.#start) return true;
    this.next = next;
    return false;
  }

  #end(): false {
    this.next = undefined;
    return false;
  }
}

const smaller = (one: string, other: string): string => (one < other ? one : other);
const greater = (one: string, other: string): string => (one > other ? one : other);
