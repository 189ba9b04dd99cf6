import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Tx } from '../../db/contract.ts';
import { removeHanging } from '../../db/removal.ts';
import { unmark } from '../../db/sweep.ts';
import type { Feed } from '../../feed/feed.ts';
import { appendEvent } from '../../feed/log.ts';
import type { Work } from '../../http/endpoint.ts';
import { type Deps, newRow } from '../../lib/deps.ts';
import { consequences, type Mark } from './consequences.ts';
import { Marks } from './marks.ts';

/** How long a write of a sweep is to take, in milliseconds; its rows are more or fewer accordingly. */
const WRITE_MS = 5;
const MIN_ROWS = 64;
const MAX_ROWS = 512;
/** How long marks are swept before the hold on them is renewed, in milliseconds. */
const ROUND_MS = 1_000;

type Emitted = Parameters<Work['emit']>[0];

export interface SweepOptions {
  db: Db;
  deps: Pick<Deps, 'now' | 'newId' | 'randomBytes'>;
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
    const nouns = Object.keys(consequences) as Mark['noun'][];
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
    const { db, feed } = this.#options;
    const { id, noun, serverId, actorId } = mark;
    const rows = this.#rows.get(noun) ?? MIN_ROWS;
    let events: Emitted[] = [];
    const from = performance.now();
    const isDone = await db.write(
      async (tx) => {
        events = [];
        const work = this.#workOf(tx, events);
        const isAll = await removeHanging(tx, noun, id, rows, await consequences[noun](work, mark));
        if (isAll) await unmark(tx, mark);
        // Last, since a database server answers reads at once only until the first change.
        for (const event of events) {
          await appendEvent(tx, { channelId: null, ...event, actorId, at: work.now });
        }
        return isAll;
      },
      // What appends to the log of a server takes its turn among the writes there.
      noun === 'channel' ? undefined : (serverId ?? undefined),
    );
    if (events.length > 0) feed.wake([serverId as string]);
    this.#rows.set(noun, nextRows(rows, performance.now() - from));
    return isDone;
  }

  #workOf(tx: Tx, events: Emitted[]): Work {
    const { deps } = this.#options;
    return {
      db: tx,
      get now() {
        return deps.now(tx.time());
      },
      randomBytes: deps.randomBytes,
      newRow: () => newRow(deps, tx.time()),
      async emit(event) {
        events.push(event);
      },
    };
  }
}

/** Twice as many rows after a write that was short, half as many after one that was long. */
function nextRows(rows: number, took: number): number {
  if (took > WRITE_MS) return Math.max(MIN_ROWS, rows / 2);
  return took < WRITE_MS / 2 ? Math.min(MAX_ROWS, rows * 2) : rows;
}
