import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../db/contract.ts';
import { Failures } from '../db/failures.ts';
import { removeDependents } from '../db/removal.ts';
import type { RowOf } from '../db/schema.ts';
import { unmark } from '../db/sweep.ts';
import type { Feed } from '../feed/feed.ts';
import type { Deps } from '../lib/deps.ts';
import type { StateLog } from '../lib/outage.ts';
import { type Actor, operator, system, transact, workIn } from '../operations/work.ts';
import { consequences } from '../resources/consequences.ts';
import { keepSwept } from './keepSwept.ts';
import { Marks } from './marks.ts';
import { sweepEffects, wholeSweeps } from './sweepEffects.ts';
import type { Sweeping } from './sweeping.ts';

type Mark = RowOf<'sweep'>;

/** Target duration of a sweep's write. The number of rows per write adapts to it. */
const TARGET_WRITE_MS = 5;
const MIN_WRITE_ROWS = 64;
/**
 * Like `MIN_WRITE_ROWS`, for some nouns. The sweep of a `serverMember` removes the member's agents, and each
 * has its own roles and keys. Mentions have more rows per write, because 10,000 members must be notified
 * within five seconds, even with a remote database.
 */
const minWriteRows: Partial<Record<Mark['noun'], number>> = {
  serverMember: 4,
  groupMention: 128,
  keywordList: 128,
};
const MAX_WRITE_ROWS = 512;
/** Duration of a round. The marks' leases are renewed after each round. */
const ROUND_MS = 1_000;

export interface SweepOptions {
  db: Db;
  deps: Deps;
  feed: Pick<Feed, 'wake' | 'tell'>;
  /** If omitted, nothing is logged. */
  log?: StateLog;
}

/**
 * Deletes the dependents of deleted rows (docs/decisions/0020), in short writes (`TARGET_WRITE_MS`), each
 * followed by a pause of the same length for other writes. After an interruption, it continues with the
 * remaining rows.
 */
export class Sweeper {
  readonly #options: SweepOptions;
  readonly #marks: Marks;
  readonly #failures: Failures;
  /** The number of rows in the next write, by the noun of the mark. */
  readonly #rows = new Map<Mark['noun'], number>();

  constructor(options: SweepOptions) {
    this.#options = options;
    this.#marks = new Marks(options.db, options.deps);
    this.#failures = new Failures(options, 'sweeps');
  }

  /** Sweeps until no marks are left, except marks that back off or are held by other processes. */
  async sweepAll(signal?: AbortSignal): Promise<void> {
    const nouns = Object.keys({ ...sweepEffects, ...wholeSweeps }) as Mark['noun'][];
    while (!signal?.aborted) {
      const marks = await this.#marks.hold(nouns);
      if (marks.length === 0) return;
      await this.#sweepInTurn(marks, signal);
    }
    await this.#marks.release();
  }

  /**
   * Sweeps the marks round-robin for `ROUND_MS`, so that no mark waits for a long sweep. A failing mark backs
   * off and does not block the others.
   */
  async #sweepInTurn(marks: readonly Mark[], signal: AbortSignal | undefined): Promise<void> {
    const until = performance.now() + ROUND_MS;
    let left = [...marks];
    const failedBefore = await this.#failures.among(marks.map(({ id }) => id));
    while (left.length > 0 && performance.now() < until) {
      for (const mark of left) {
        if (signal?.aborted) return;
        const from = performance.now();
        const isOver = await this.#trySome(mark, failedBefore);
        if (isOver) left = left.filter((other) => other !== mark);
        await sleep(performance.now() - from);
      }
    }
  }

  /**
   * Sweeps some rows. Returns true if the mark needs no more turns, because nothing is left or the sweep
   * failed.
   */
  async #trySome(mark: Mark, failedBefore: Set<string>): Promise<boolean> {
    let isOver: boolean;
    try {
      isOver = await this.#sweepSome(mark);
    } catch (error) {
      await this.#failures.add(mark.id, error);
      return true;
    }
    if (failedBefore.delete(mark.id)) await this.#failures.clear(mark.id);
    return isOver;
  }

  /** Deletes some dependents in one write. Removes the mark and returns true if none are left. */
  async #sweepSome(mark: Mark): Promise<boolean> {
    const { db, deps } = this.#options;
    const { id, noun, serverId } = mark;
    const least = minWriteRows[noun] ?? MIN_WRITE_ROWS;
    const rows = this.#rows.get(noun) ?? least;
    const from = performance.now();
    const change: Sweeping['change'] = (task, ...logs) =>
      transact(
        this.#options,
        (tx, pending) => task(workIn(tx, { deps, consequences }, actorOf(mark), pending)),
        ...logs,
      );
    const isDone =
      noun in wholeSweeps
        ? await wholeSweeps[noun as keyof typeof wholeSweeps]({ read: db.read, change }, mark, rows)
        : await change(
            async (work) => {
              if (await keepSwept(work, mark)) return false;
              const effects = await sweepEffects[noun as keyof typeof sweepEffects](work, mark);
              const isAll = await removeDependents(work.db, noun, id, rows, effects);
              if (isAll) await unmark(work.db, mark);
              return isAll;
            },
            // A write that appends to a server's log is serialized with the server's other writes. A
            // channel's sweep emits no events.
            noun === 'channel' ? undefined : (serverId ?? undefined),
          );
    this.#rows.set(noun, nextRows(rows, performance.now() - from, least));
    return isDone;
  }
}

/** Returns the actor that deleted the row. Marks from earlier versions contain only users. */
function actorOf({ actorId, actor }: Mark): Actor {
  if (actorId === null) return actor === 'operator' ? operator : system;
  return { kind: actor === 'key' ? 'key' : 'person', id: actorId };
}

/**
 * Doubles the rows per write after a short write, and halves them after a long one, but not below `least`.
 */
function nextRows(rows: number, took: number, least: number): number {
  if (took > TARGET_WRITE_MS) return Math.max(least, rows / 2);
  return took < TARGET_WRITE_MS / 2 ? Math.min(MAX_WRITE_ROWS, rows * 2) : rows;
}
