import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../db/contract.ts';
import { removeHanging } from '../../db/removal.ts';
import type { RowOf } from '../../db/schema.ts';
import { unmark } from '../../db/sweep.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Deps } from '../../lib/deps.ts';
import { workIn } from '../../operations/work.ts';
import { consequences } from '../../resources/consequences.ts';
import { sweepEffects } from '../../resources/swept.ts';
import { Marks } from './marks.ts';

/** How long a write of a sweep is to take, in milliseconds; its rows are more or fewer accordingly. */
const WRITE_MS = 5;
const MIN_ROWS = 64;
const MAX_ROWS = 512;
/** How long marks are swept before the hold on them is renewed, in milliseconds. */
const ROUND_MS = 1_000;

type Mark = RowOf<'sweep'>;

export interface SweepOptions {
  db: Db;
  deps: Deps;
  feed: Pick<Feed, 'wake'>;
}

/**
 * Removes the rows that go with what is gone (docs/decisions/0020), in writes of a few milliseconds that leave others as much
 * time as they take. Whatever ends it, it goes on where it was.
 */
export class Sweeper {
  readonly #options: SweepOptions;
  readonly #marks: Marks;
  /** Rows of the next write, by the noun that it is about. */
  readonly #rows = new Map<Mark['noun'], number>();

  constructor(options: SweepOptions) {
    this.#options = options;
    this.#marks = new Marks(options.db, options.deps);
  }

  /** Sweeps until nothing is left but what other processes sweep. */
  async sweepAll(signal?: AbortSignal): Promise<void> {
    const nouns = Object.keys(sweepEffects) as Mark['noun'][];
    while (!signal?.aborted) {
      const marks = await this.#marks.hold(nouns);
      if (marks.length === 0) return;
      await this.#sweepInTurn(marks, signal);
    }
    await this.#marks.release();
  }

  /** Sweeps for a while, a little of each, so that none has to wait for the end of a long one. */
  async #sweepInTurn(marks: readonly Mark[], signal: AbortSignal | undefined): Promise<void> {
    const until = performance.now() + ROUND_MS;
    let left = [...marks];
    while (left.length > 0 && performance.now() < until) {
      for (const mark of left) {
        if (signal?.aborted) return;
        const from = performance.now();
        if (await this.#sweepSome(mark)) left = left.filter((other) => other !== mark);
        await sleep(performance.now() - from);
      }
    }
  }

  /** Removes some of the rows, or the mark once there are none; true then. */
  async #sweepSome(mark: Mark): Promise<boolean> {
    const { db, deps, feed } = this.#options;
    const { id, noun, serverId, actorId } = mark;
    const rows = this.#rows.get(noun) ?? MIN_ROWS;
    let logs = new Set<string>();
    const from = performance.now();
    const isDone = await db.write(
      async (tx) => {
        const work = workIn(tx, { deps, consequences }, actorId);
        const isAll = await removeHanging(tx, noun, id, rows, await sweepEffects[noun](work, mark));
        if (isAll) await unmark(tx, mark);
        // Last, since a database server answers reads at once only until the first change.
        await work.pending.append(tx, deps);
        logs = work.pending.logs;
        return isAll;
      },
      // A write that appends to the log of a server takes its turn among the writes there.
      noun === 'channel' ? undefined : (serverId ?? undefined),
    );
    if (logs.size > 0) feed.wake(logs);
    this.#rows.set(noun, nextRows(rows, performance.now() - from));
    return isDone;
  }
}

/** Twice as many rows after a write that was short, half as many after one that was long. */
function nextRows(rows: number, took: number): number {
  if (took > WRITE_MS) return Math.max(MIN_ROWS, rows / 2);
  return took < WRITE_MS / 2 ? Math.min(MAX_ROWS, rows * 2) : rows;
}
