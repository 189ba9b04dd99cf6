import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { FIRST_ID, idBefore } from '../../lib/deps.ts';
import type { Db, Tx } from '../contract.ts';
import { blocksFrom, type Keyed, MAX_MESSAGES, type NewBlock } from './build.ts';
import { crowded, firstStale, isThere, ofLevel } from './due.ts';
import { keysFor } from './keys.ts';
import { indexNames } from './names.ts';
import { type BlockCache, idsOf, Replaced } from './opened.ts';
import { dequeue, discard, IndexingTask, markStale, moveOrd, moveUpTo, store } from './stored.ts';
import { type Block, progress, s } from './tables.ts';
import { noteOutcome, type OnUnindexed, requeueDue } from './unindexed.ts';
import { indexablesOf, oldOnes, waiting } from './waiting.ts';

/** Indexing starts at this number of pending messages. Searches have to read the texts of pending messages. */
const MIN_WAITING = 256;
/** Maximum number of messages indexed by one write, and read at once. */
const MAX_WAITING = MAX_MESSAGES;
const ROWS = 64;
/** The length of a slice of work and of the pause after it, in ms of wall time, which is cheap to measure. */
const SLICE_MS = 3;
const PAUSE_MS = 3;
/** Messages are indexed after this long without writes, unless a search is waiting. */
const IDLE_MS = 200;
/** If the backlog has this many writes, messages are indexed between writes. */
const MAX_BACKLOG_WRITES = 200_000;
/** Minimum time between rewrites of blocks with deleted words, so that deletions are batched. */
const STALE_MS = 10_000;
/** Retry interval after a failed read or write. */
const RETRY_MS = 15_000;

type Indexed = Pick<Db, 'read' | 'write' | 'figures'>;

/**
 * Fills the search indexes in the background: first names, then new and edited messages, then messages left
 * over by an upgrade. After that, it merges small blocks and rewrites those with deleted words. It works in
 * slices of a few milliseconds. Each result is stored in one write, so a crash loses only that result.
 */
export class MessageIndexer {
  readonly #db: Indexed;
  readonly #blockCache: BlockCache;
  readonly #tell: OnUnindexed;
  readonly #rows: number;
  readonly #task = new IndexingTask();
  readonly #stop = new AbortController();
  /** Writes since the last check for pending messages. */
  #writes = 0;
  #running: Promise<void> | undefined;
  #isHurried = false;
  #wakeAt: NodeJS.Timeout | undefined;
  #rewroteAt = 0;
  #began = 0;

  /** @param rows Maximum old messages per write. */
  constructor(db: Indexed, blockCache: BlockCache, tell: OnUnindexed, rows = MAX_MESSAGES) {
    this.#rows = rows;
    this.#db = db;
    this.#blockCache = blockCache;
    this.#tell = tell;
  }

  /** Call this on startup, because an earlier process may have left pending work. */
  start(): void {
    this.#wake(IDLE_MS);
  }

  /** Call this after each commit, with the number of its writes. */
  committed(writes: number): void {
    this.#writes += writes;
    if (this.#writes >= MIN_WAITING && !this.#running && !this.#wakeAt) this.#wake(IDLE_MS);
  }

  /** Called by a search. If many messages are pending, indexes them without waiting for a pause in writes. */
  hurry(messages: number): void {
    if (messages < MIN_WAITING) return;
    this.#isHurried = true;
    if (!this.#running) this.#wake(0);
  }

  /** Stops indexing and releases the task. The database must still accept writes. */
  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#wakeAt);
    await this.#running;
    await this.#task.release(this.#db);
  }

  /** Indexes everything now, for tests and benchmarks. */
  async settle(): Promise<void> {
    await this.#running;
    do while (await this.#step(1));
    while ((await requeueDue(this.#db)) || (await this.#rewrite()));
  }

  #wake(ms: number): void {
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#wakeAt);
    this.#wakeAt = setTimeout(() => {
      this.#wakeAt = undefined;
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
      });
    }, ms);
    this.#wakeAt.unref();
  }

  async #run(): Promise<void> {
    try {
      await this.#goOn();
    } catch {
      // If a read or write fails, the next request also fails and reports the error.
      this.#wake(RETRY_MS);
    }
  }

  async #goOn(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      if (!this.#isHurried && this.#writes < MAX_BACKLOG_WRITES && !(await this.#isIdle())) continue;
      if (signal.aborted) return;
      const before = this.#writes;
      if (await this.#step(MIN_WAITING)) continue;
      this.#isHurried = false;
      this.#writes -= before;
      const next = await this.#later();
      if (next !== undefined) this.#wake(next);
      else if (this.#writes >= MIN_WAITING) this.#wake(IDLE_MS);
      return;
    }
  }

  /** Waits briefly. Returns whether there were no writes in the meantime. */
  async #isIdle(): Promise<boolean> {
    const { works } = this.#db.figures;
    await sleep(IDLE_MS, undefined, { signal: this.#stop.signal }).catch(() => {});
    return works === this.#db.figures.works;
  }

  /** Runs one step. Returns false if nothing is pending, or if another process holds the task. */
  async #step(least: number): Promise<boolean> {
    return (
      (await indexNames(this.#db.read, (work) => this.#write(work))) ||
      (await this.#indexWaiting(least)) ||
      (await this.#indexOld()) ||
      (await this.#merge())
    );
  }

  /** Rewrites a block if one is due. Returns the time of the next check; undefined if there is none. */
  async #later(): Promise<number | undefined> {
    const { read } = this.#db;
    if (await requeueDue(this.#db)) return 0;
    const due = this.#rewroteAt + STALE_MS - performance.now();
    if (due > 0) return (await read.first(firstStale)) ? due : undefined;
    return (await this.#rewrite()) ? STALE_MS : undefined;
  }

  /** Yields to other tasks once a slice of time is used up. */
  async #pause(): Promise<void> {
    if (performance.now() - this.#began < SLICE_MS) return;
    await (this.#isHurried ? nextTurn() : sleep(PAUSE_MS));
    this.#began = performance.now();
  }

  async #indexWaiting(least: number): Promise<boolean> {
    const { ord } = (await this.#db.read.first(progress({}))) as { ord: number };
    const all = await waiting(this.#db.read, ord, MAX_WAITING);
    if (all.length < least) return false;
    const built = await this.#build(new Set(all.map(({ id }) => id)));
    const newest = all.findLast((one) => one.ord !== undefined);
    return this.#write(async (tx) => {
      if (newest?.ord !== undefined) {
        // A row may have been deleted in the meantime, and its `ord` given to another message.
        const isSame = (await tx.first(progress({})))?.ord === ord && (await tx.first(isThere(newest)));
        if (!isSame) return;
        await tx.run(moveOrd({ ord: newest.ord }));
      }
      await markStale(
        tx,
        all.filter(({ edits = 0 }) => edits > 0),
      );
      await store(tx, built.blocks);
      const queued = all.flatMap(({ serverId, id: messageId, edits }) =>
        edits === undefined ? [] : [{ serverId, messageId, edits }],
      );
      await dequeue(tx, queued);
      await noteOutcome(tx, all, built.failing, this.#tell);
    });
  }

  /** Runs a write, unless another process holds the task of indexing. Returns whether it ran. */
  #write(work: (tx: Tx) => Promise<void>): Promise<boolean> {
    return this.#db.write(async (tx) => {
      const isOwn = await this.#task.take(tx);
      if (isOwn) await work(tx);
      return isOwn;
    });
  }

  /** Indexes the newest of the messages left over by an upgrade. */
  async #indexOld(): Promise<boolean> {
    const { upTo } = (await this.#db.read.first(progress({}))) as { upTo: string | null };
    if (upTo === null) return false;
    const old = await this.#db.read.all(oldOnes({ from: upTo, to: FIRST_ID, rows: this.#rows }, true));
    const built = await this.#build(new Set(old.map(({ id }) => id)));
    const oldest = old.at(-1);
    const rest = oldest && old.length === this.#rows ? idBefore(oldest.id) : null;
    return this.#write(async (tx) => {
      if ((await tx.first(progress({})))?.upTo !== upTo) return;
      await store(tx, built.blocks);
      await tx.run(moveUpTo({ upTo: rest }));
      await noteOutcome(tx, [], built.failing, this.#tell);
    });
  }

  /** Merges the small blocks of a server, if there are many. */
  async #merge(): Promise<boolean> {
    const { read } = this.#db;
    const crowd = await read.first(crowded({}));
    if (!crowd) return false;
    const chosen: Block[] = [];
    let messages = 0;
    for (const block of await read.all(ofLevel(crowd))) {
      if (chosen.length >= 2 && messages >= MAX_MESSAGES) break;
      chosen.push(block);
      messages += block.messages;
    }
    return this.#replace(chosen);
  }

  /** Rewrites a block to leave out deleted words. */
  async #rewrite(): Promise<boolean> {
    const block = await this.#db.read.first(firstStale);
    this.#rewroteAt = performance.now();
    return block !== undefined && this.#replace([block]);
  }

  /** Replaces blocks of a server with new ones from the current texts of their messages. */
  async #replace(chosen: readonly Block[]): Promise<boolean> {
    const ids = new Set<string>();
    try {
      for (const block of chosen)
        for await (const some of idsOf(this.#db.read, this.#blockCache, block)) {
          for (const id of some) ids.add(id);
          await this.#pause();
        }
    } catch (error) {
      if (error instanceof Replaced) return true;
      throw error;
    }
    const built = await this.#build(ids);
    return this.#write(async (tx) => {
      const there = await tx.all(
        s
          .selectFrom('searchBlock')
          .select('id')
          .where(
            'id',
            'in',
            chosen.map(({ id }) => id),
          ),
      );
      if (there.length < chosen.length) return;
      await discard(tx, chosen);
      await store(tx, built.blocks);
      await noteOutcome(tx, [], built.failing, this.#tell);
    });
  }

  /** Builds the blocks of existing messages, by server. */
  async #build(given: ReadonlySet<string>): Promise<{ blocks: NewBlock[]; failing: Map<string, string> }> {
    const { read } = this.#db;
    const ids = [...given].sort();
    const failing = new Map<string, string>();
    const ofServers = new Map<string, Keyed[]>();
    this.#began = performance.now();
    for (let at = 0; at < ids.length; at += ROWS) {
      const some = ids.slice(at, at + ROWS).map((id) => ({ id }));
      const rows = await read.all(indexablesOf(read.dialect, some));
      for (const row of rows.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
        const all = ofServers.get(row.serverId) ?? [];
        if (all.length === 0) ofServers.set(row.serverId, all);
        all.push({ id: row.id, keys: keysFor(row, failing) });
        await this.#pause();
      }
    }
    const blocks: NewBlock[] = [];
    for (const [serverId, messages] of ofServers) {
      const building = blocksFrom(serverId, messages);
      for (;;) {
        const { value, done } = building.next();
        if (done) {
          blocks.push(...value);
          break;
        }
        await this.#pause();
      }
    }
    return { blocks, failing };
  }
}
