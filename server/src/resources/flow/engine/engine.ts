import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import type { Timer } from '../../../clock/timers.ts';
import { prepare, q } from '../../../db/statements.ts';
import { firstIdAt } from '../../../lib/deps.ts';
import { Outage } from '../../../lib/outage.ts';
import { repeated } from '../../../lib/repeated.ts';
import type { Services } from '../../../operations/services.ts';
import { Candidates } from '../../../webhooks/candidates.ts';
import { FlowRunner } from './runner.ts';
import { scan } from './scan.ts';
import { SetAside } from './setAside.ts';
import { openWaits } from './waitRows.ts';
import { Waits } from './waits.ts';

/** Maximum flows scanned concurrently. */
const SCANNED_AT_ONCE = 16;
/** Flows per statement when catching up after startup. */
const PAGE = 1_000;

/** Retry delay after a storage failure, in milliseconds. */
const AGAIN_MS = 5_000;

/** Runs flows: starts runs for new events, and executes runs whose timers the clock has claimed. */
export class FlowEngine {
  readonly #services: Services;
  readonly #runner: FlowRunner;
  readonly #candidates: Candidates;
  /** The flows whose runs may wait for events. */
  readonly #waiting: Candidates;
  readonly #waits: Waits;
  readonly #looking: ReturnType<typeof repeated>;
  readonly #lookAtTimers: () => void;
  /** The flows whose scan is deferred, and the flows whose waiting runs are deferred. */
  readonly #later: SetAside;
  readonly #waitingLater: SetAside;
  #again: NodeJS.Timeout | undefined;
  #isStopping = false;

  /** `lookAtTimers` makes the clock claim due timers. */
  constructor(services: Services, log: FastifyBaseLogger, lookAtTimers: () => void) {
    const { db, deps, feed } = services;
    this.#services = services;
    this.#lookAtTimers = lookAtTimers;
    this.#runner = new FlowRunner(services, log);
    this.#runner.onRoom = lookAtTimers;
    this.#candidates = new Candidates(db, { enabledOf: this.#enabledOf });
    this.#waiting = new Candidates(db, { enabledOf: this.#waitingOf });
    const again = (candidates: Candidates) => (flowId: string) => {
      candidates.postpone([flowId]);
      void this.#looking.run();
    };
    this.#later = new SetAside(log, deps, again(this.#candidates));
    this.#waitingLater = new SetAside(log, deps, again(this.#waiting));
    const isStopping = () => this.#isStopping;
    this.#waits = new Waits(services, this.#waitingLater, { onWoken: lookAtTimers, isStopping });
    this.#looking = repeated(() => this.#look(), new Outage(log, 'reading events for flows'));
    feed.onWake((logId) => this.#wake(logId));
    void this.#looking.run();
  }

  /** The servers whose runs the clock should not claim at the moment. */
  busy = (): string[] => this.#runner.busy();

  run = (timer: Timer): Promise<void> => this.#runner.run(timer);

  /** Waits for running steps. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#again);
    this.#later.stop();
    this.#waitingLater.stop();
    await Promise.all([this.#looking.ended(), this.#runner.stop()]);
  }

  #wake(logId: string): void {
    if (this.#isStopping) return;
    this.#candidates.wake(logId);
    this.#waiting.wake(logId);
    if (this.#candidates.isWoken || this.#waiting.isWoken) void this.#looking.run();
  }

  /** Whether this node has looked for events that arrived during downtime. */
  #hasCaughtUp = false;

  async #look(): Promise<void> {
    if (this.#isStopping) return;
    clearTimeout(this.#again);
    try {
      if (!this.#hasCaughtUp) await allOf([this.#catchUp(), this.#catchUpWaits()]);
      this.#hasCaughtUp = true;
      await allOf([
        taken(this.#waiting, (ids) => this.#waits.scan(ids)),
        taken(this.#candidates, (ids) => this.#scanAll(ids)),
      ]);
    } catch (error) {
      if (!this.#isStopping) this.#again = setTimeout(() => void this.#looking.run(), AGAIN_MS).unref();
      throw error;
    }
  }

  /** Scans the flows whose logs have events after their cursors. */
  async #catchUp(): Promise<void> {
    for (let after = firstIdAt(0); ; ) {
      const page = await this.#services.db.read.all(behind({ after, limit: PAGE }));
      await this.#scanAll(page.filter(({ isBehind }) => Boolean(isBehind)).map(({ id }) => id));
      const last = page.at(-1);
      if (page.length < PAGE || !last || this.#isStopping) return;
      after = last.id;
    }
  }

  /** Checks whether events that runs wait for arrived during downtime. */
  async #catchUpWaits(): Promise<void> {
    for (let after = firstIdAt(0); ; ) {
      const page = await this.#services.db.read.all(waitingFlows({ after, limit: PAGE }));
      await this.#waits.scan(page.map(({ flowId }) => flowId));
      const last = page.at(-1);
      if (page.length < PAGE || !last || this.#isStopping) return;
      after = last.flowId;
    }
  }

  async #scanAll(flowIds: readonly string[]): Promise<void> {
    for (let first = 0; first < flowIds.length && !this.#isStopping; first += SCANNED_AT_ONCE) {
      const some = flowIds.slice(first, first + SCANNED_AT_ONCE);
      await allOf(some.map((id) => this.#later.attempt(id, () => this.#scan(id))));
    }
  }

  async #scan(flowId: string): Promise<void> {
    const onStarted = this.#lookAtTimers;
    const onBroken = (error: unknown) => this.#later.noteBroken(flowId, error);
    const isStopping = () => this.#isStopping;
    const wait = await scan(this.#services, flowId, { onStarted, onBroken, isStopping });
    // The server has used up its runs for this minute, or another node moved the cursor.
    if (wait > 0) this.#later.later(flowId, wait);
  }

  #waitingOf = (serverIds: readonly string[]) =>
    this.#services.db.read.all(
      q
        .selectFrom('flow')
        .select(['id', 'serverId'])
        .where('serverId', 'in', serverIds)
        .where('waitsForEvents', '=', sql.lit(true)),
    );

  #enabledOf = (serverIds: readonly string[]) =>
    this.#services.db.read.all(
      q
        .selectFrom('flow')
        .select(['id', 'serverId'])
        .where('serverId', 'in', serverIds)
        // The value is a literal, because SQLite would not use the partial index with a parameter.
        .where('triggeredBy', '=', sql.lit('event'))
        .where('enabled', '=', true),
    );
}

/** Waits until all have settled, then throws the first error. */
async function allOf(running: readonly Promise<void>[]): Promise<void> {
  for (const ended of await Promise.allSettled(running)) if (ended.status === 'rejected') throw ended.reason;
}

/** Takes the flows to check, and passes them to `look`. If `look` throws, they are queued again. */
async function taken(candidates: Candidates, look: (ids: readonly string[]) => Promise<void>): Promise<void> {
  const ids = [...new Set([...(await candidates.takeWoken()), ...candidates.takePostponed()])];
  try {
    await look(ids);
  } catch (error) {
    candidates.postpone(ids);
    throw error;
  }
}

const waitingFlows = prepare((p: { after: string; limit: number }) =>
  openWaits().select('flowId').distinct().where('flowId', '>', p.after).orderBy('flowId').limit(p.limit),
);

/**
 * Selects a page of flows. Each row shows whether the flow is triggered by events and has events after its
 * cursor.
 */
const behind = prepare((p: { after: string; limit: number }) =>
  q
    .selectFrom('flowState as state')
    .select('state.id')
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('flow')
          .innerJoin('event', 'event.logId', 'flow.serverId')
          .select('event.seq')
          .whereRef('flow.id', '=', 'state.id')
          .where('flow.triggeredBy', '=', sql.lit('event'))
          .where('flow.enabled', '=', true)
          .whereRef('event.seq', '>', 'state.seq'),
      ).as('isBehind'),
    )
    .where('state.id', '>', p.after)
    .orderBy('state.id')
    .limit(p.limit),
);
