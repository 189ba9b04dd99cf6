import type { FastifyBaseLogger } from 'fastify';
import { type Db, StorageError } from '../db/contract.ts';
import { Failures } from '../db/failures.ts';
import { q } from '../db/statements.ts';
import { backoffMs } from '../lib/backoff.ts';
import type { Deps } from '../lib/deps.ts';
import { Outage } from '../lib/outage.ts';
import { Pulse } from '../lib/pulse.ts';
import { repeated } from '../lib/repeated.ts';
import { Turns } from '../lib/turns.ts';
import { type AnyTimer, releaseTimer } from './timers.ts';

/** Poll interval, to find timers that other nodes set or failed to run. */
const LOOK_MS = 1_000;
/** Lease of a claimed timer. It is longer than a run takes. */
const LEASE_MS = 10_000;
/** Maximum timers to claim at once, in total and per server. */
const BATCH = 200;
const BATCH_OF_SERVER = 20;
/** Maximum concurrent timers, to leave capacity for requests. */
const RUN_AT_ONCE = 4;
/** The maximum delay of `setTimeout`. */
const MAX_DELAY_MS = 2 ** 31 - 1;
const BACKOFF = { first: 5_000, most: 60 * 60_000 };

/** A claimed timer, and when it was due before it was claimed. */
type Claimed = AnyTimer & { wasDueAt: number };

export interface ClockOptions {
  db: Db;
  deps: Deps;
  /** Schedules the polls. */
  pulse?: Pulse;
  /**
   * Performs the action of a claimed timer and removes the timer, in one write. Rejects if the timer has to
   * be retried.
   */
  run(timer: AnyTimer): Promise<void>;
  /**
   * Returns the servers whose flow runs are deferred, because this node has claimed too many of their runs.
   * None if omitted.
   */
  busy?(): readonly string[];
}

/**
 * Runs due timers, which all nodes share. A node claims a timer with a compare-and-set that moves its due
 * time to the end of a lease. If the node dies, another one claims it when the lease expires. Timers are
 * scheduled round-robin over servers, and in chronological order within a server. A failing timer backs off.
 */
export class Clock {
  readonly #options: ClockOptions;
  readonly #looking: ReturnType<typeof repeated>;
  readonly #failures: Failures;
  readonly #turns = new Turns(RUN_AT_ONCE);
  readonly #stopPolling: () => void;
  #isStopping = false;
  #alarm: NodeJS.Timeout | undefined;

  constructor(options: ClockOptions, log: FastifyBaseLogger) {
    const { db, deps, pulse = new Pulse() } = options;
    this.#options = options;
    this.#looking = repeated(() => this.#runDue(), new Outage(log, 'running timers'));
    this.#failures = new Failures({ db, deps, log }, 'clock');
    this.#stopPolling = pulse.every(LOOK_MS, () => void this.look());
    void this.look();
  }

  /** Runs all due timers. Resolves once they have run; never rejects. */
  look(): Promise<void> {
    if (this.#isStopping) return Promise.resolve();
    return this.#looking.run();
  }

  /** For shutdown: waits for running timers. Other due timers stay due, and claimed ones are released. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopPolling();
    clearTimeout(this.#alarm);
    await this.#looking.ended();
  }

  async #runDue(): Promise<void> {
    while (!this.#isStopping) {
      const claimed = await this.#claim();
      if (claimed.length === 0) return this.#setAlarm();
      const turns = Map.groupBy(claimed, ({ serverId }) => serverId).values();
      await Promise.all([...turns].map((timers) => this.#runAll(timers)));
    }
  }

  /** Claims due timers, up to `BATCH_OF_SERVER` per server. */
  async #claim(): Promise<Claimed[]> {
    const { db, deps } = this.#options;
    const due = await this.#due(deps.now());
    const claim = async (timer: AnyTimer): Promise<Claimed[]> => {
      const leased = { ...timer, dueAt: deps.now() + LEASE_MS, wasDueAt: timer.dueAt };
      const taken = q
        .updateTable('timer')
        .set({ dueAt: leased.dueAt })
        .where('id', '=', timer.id)
        .where('dueAt', '=', timer.dueAt);
      return (await db.write((tx) => tx.count(taken))) === 1 ? [leased] : [];
    };
    // Concurrent writes share a commit.
    return (await Promise.all(due.map(claim))).flat();
  }

  /** Returns the first due timers, at most `BATCH_OF_SERVER` per server. Omits flow runs of busy servers. */
  async #due(now: number): Promise<AnyTimer[]> {
    const { read } = this.#options.db;
    const busy = this.#options.busy?.() ?? [];
    const found = new Map<string, AnyTimer>();
    const amounts = new Map<string | null, number>();
    const full: string[] = [];
    for (;;) {
      let due = q
        .selectFrom('timer')
        .select(['id', 'kind', 'serverId', 'dueAt', 'attempts'])
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .orderBy('id')
        .limit(BATCH);
      if (full.length > 0)
        due = due.where((eb) => eb.or([eb('serverId', 'is', null), eb('serverId', 'not in', full)]));
      if (busy.length > 0)
        due = due.where((eb) => eb.or([eb('kind', '!=', 'flowRun'), eb('serverId', 'not in', busy)]));
      const page = await read.all(due);
      const before = full.length;
      for (const timer of page) {
        const amount = amounts.get(timer.serverId) ?? 0;
        if (found.has(timer.id) || amount === BATCH_OF_SERVER || found.size === BATCH) continue;
        found.set(timer.id, timer);
        amounts.set(timer.serverId, amount + 1);
        if (amount + 1 === BATCH_OF_SERVER && timer.serverId !== null) full.push(timer.serverId);
      }
      if (found.size === BATCH || page.length < BATCH || full.length === before) return [...found.values()];
    }
  }

  /** Runs the timers of one server sequentially. */
  async #runAll(timers: readonly Claimed[]): Promise<void> {
    for (const { wasDueAt, ...timer } of timers) {
      try {
        if (this.#isStopping) {
          await releaseTimer(this.#options.db, timer, wasDueAt);
          continue;
        }
        await this.#turns.run(timer.serverId ?? '', () => this.#options.run(timer));
      } catch (error) {
        if (error instanceof StorageError) throw error;
        await this.#postpone(timer, error);
        continue;
      }
      if (timer.attempts > 0) await this.#failures.clear(timer.id);
    }
  }

  async #postpone({ id, dueAt, attempts: before }: AnyTimer, error: unknown): Promise<void> {
    const { db, deps } = this.#options;
    const attempts = before + 1;
    const later = { attempts, dueAt: deps.now() + backoffMs(attempts, BACKOFF, deps) };
    const postponed = q.updateTable('timer').set(later).where('id', '=', id).where('dueAt', '=', dueAt);
    await db.write((tx) => tx.run(postponed));
    await this.#failures.add(id, error);
  }

  /** Schedules a wake-up for the next timer, which may be due before the next poll. */
  async #setAlarm(): Promise<void> {
    const { db, deps } = this.#options;
    clearTimeout(this.#alarm);
    const next = await db.read.first(q.selectFrom('timer').select('dueAt').orderBy('dueAt').limit(1));
    if (!next || this.#isStopping) return;
    const delay = Math.max(0, next.dueAt - deps.now());
    this.#alarm = setTimeout(() => void this.look(), Math.min(delay, MAX_DELAY_MS)).unref();
  }
}
