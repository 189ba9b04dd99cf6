import type { FastifyBaseLogger } from 'fastify';
import { removeTimer, setTimer, type Timer } from '../../../clock/timers.ts';
import { find, update } from '../../../db/statements.ts';
import { nextTime } from '../../../flows/schedule.ts';
import type { Trigger } from '../../../flows/triggers.ts';
import { Outage } from '../../../lib/outage.ts';
import { Turns } from '../../../lib/turns.ts';
import { figuresOf } from '../../../operations/flowFigures.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { Slots } from '../../../webhooks/slots.ts';
import { Lost, whileClaimed } from '../../claimed.ts';
import { msUntilRun, startRun } from '../start.ts';
import { Execution } from './execution.ts';
import { storeFailure } from './failed.ts';
import { failureOf, UNKNOWN, Unanswered } from './failure.ts';
import { loadRun } from './loaded.ts';

/** Maximum concurrent runs: in total, not counting the first run of each server, and per server. */
const SHARED_SLOTS = 64;
const SLOTS_OF_SERVER = 8;
/**
 * Maximum claimed runs of a server, including those queued for a slot. At this number, the clock stops
 * claiming more.
 */
const MAX_QUEUED = 40;
/** Maximum concurrent reads and writes of runs, to leave capacity for requests. */
const STEPS_AT_ONCE = 4;
/** A run that starts later than scheduled by more than this is marked as late. */
const LATE_MS = 60_000;

/** Executes flow timers that the clock has claimed. */
export class FlowRunner {
  readonly #services: Services;
  readonly #outage: Outage;
  readonly #slots = new Slots({ shared: SHARED_SLOTS, perKey: SLOTS_OF_SERVER });
  readonly #turns = new Turns(STEPS_AT_ONCE);
  /** The number of claimed runs, by server. */
  readonly #held = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();
  #isStopping = false;
  /** Aborts the requests of steps. Another node sends them again, or this node after a restart. */
  readonly #stopping = new AbortController();
  /** Called when a server's claimed runs fall to half the limit, and after a schedule's timer was handled. */
  onRoom: () => void = () => {};

  constructor(services: Services, log: FastifyBaseLogger) {
    this.#services = services;
    this.#outage = new Outage(log, 'running flows');
  }

  /** Returns the servers at the limit of claimed runs. */
  busy(): string[] {
    return [...this.#held].filter(([, count]) => count >= MAX_QUEUED).map(([serverId]) => serverId);
  }

  /** Handles a claimed timer. A run continues in the background. */
  async run(timer: Timer): Promise<void> {
    if (timer.kind === 'flow') return this.#startScheduled(timer);
    const { serverId } = timer;
    this.#held.set(serverId, (this.#held.get(serverId) ?? 0) + 1);
    const running = this.#slots
      .use(serverId, () => this.#outage.watch(() => this.#advance(timer)))
      .finally(() => {
        this.#running.delete(running);
        const left = (this.#held.get(serverId) ?? 1) - 1;
        if (left > 0) this.#held.set(serverId, left);
        else this.#held.delete(serverId);
        if (left === MAX_QUEUED / 2) this.onRoom();
      });
    this.#running.add(running);
  }

  /** Waits for running steps. Releases the runs, which continue on another node, or after a restart. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#stopping.abort();
    await Promise.all(this.#running);
  }

  async #advance(timer: Timer): Promise<void> {
    const { db, deps } = this.#services;
    // If the lease expired while the run was queued for a slot, another node may have claimed the run.
    if (timer.dueAt <= deps.now()) return;
    if (this.#isStopping) return this.#release(timer);
    const run = await db.read.first(find('flowRun', { id: timer.id }));
    const flow = run && (await db.read.first(find('flow', { id: run.flowId })));
    if (!run || !flow || run.endedAt !== null) return this.#drop(timer);
    let execution: Execution | undefined;
    try {
      const { signal } = this.#stopping;
      const turns = this.#turns;
      if (run.executed === 0 && run.attempt === 0 && run.status === 'running') figuresOf(db).runs.started++;
      const loaded = await turns.run(timer.serverId, () => loadRun(this.#services, run, flow));
      execution = new Execution(this.#services, timer, { ...loaded, signal, turns });
      while (!this.#isStopping && (await execution.next()));
      if (this.#isStopping && execution.step) await this.#release(execution.timer);
    } catch (error) {
      if (error instanceof Lost) return;
      if (this.#isStopping && error instanceof Unanswered && execution) return this.#release(execution.timer);
      await this.#fail(execution ?? { timer, run, flow, step: undefined }, error);
    }
  }

  /** Stores a failed attempt. Either the step is retried later, or the run fails. */
  async #fail(
    { timer, run, flow, step }: Pick<Execution, 'timer' | 'run' | 'flow' | 'step'>,
    error: unknown,
  ): Promise<void> {
    const failure = failureOf(error, run.attempt + 1);
    const { input = null } = error as { input?: unknown };
    if (failure.message === UNKNOWN) this.#outage.failed(error);
    const alsoIn = flow.makerId === null ? [] : [flow.makerId];
    await this.#write(timer, alsoIn, (work) => storeFailure(work, { run, step, input }, failure));
    if (failure.retryMs === undefined) figuresOf(this.#services.db).runs.failed++;
  }

  /** Starts a scheduled run that is due, and sets the timer for the next one. */
  async #startScheduled(timer: Timer): Promise<void> {
    const { flowBounds } = this.#services;
    await this.#write(timer, [], async (work) => {
      const { db, now } = work;
      const { id, serverId } = timer;
      const [flow, state] = [await db.first(find('flow', { id })), await db.first(find('flowState', { id }))];
      const slot = state?.nextAt ?? null;
      if (!flow?.enabled || flow.triggeredBy !== 'schedule' || slot === null) return removeTimer(db, id);
      const wait = await msUntilRun(db, serverId, flowBounds.runsPerMinute, now);
      if (wait > 0) return setTimer(db, { id, kind: 'flow', serverId, dueAt: now + wait, now });
      const cause = { cause: `slot ${slot}`, triggeredBy: 'schedule', isLate: now - slot > LATE_MS };
      await startRun(work, flow, cause);
      const trigger = flow.trigger as Extract<Trigger, { on: 'schedule' }>;
      const nextAt = nextTime(trigger, Math.max(now, slot)) ?? null;
      await db.run(update('flowState', id, { nextAt }));
      if (nextAt === null) await removeTimer(db, id);
      else await setTimer(db, { id, kind: 'flow', serverId, dueAt: nextAt, now });
    });
    this.onRoom();
  }

  /** Releases a run so that other nodes can continue it immediately. */
  #release = (timer: Timer): Promise<void> =>
    this.#write(timer, [], ({ db, now }) =>
      setTimer(db, { id: timer.id, kind: timer.kind, serverId: timer.serverId, dueAt: now, now }),
    );

  #drop = (timer: Timer): Promise<void> => this.#write(timer, [], ({ db }) => removeTimer(db, timer.id));

  /** Runs a write if this node still holds the claim on the timer. */
  async #write(timer: Timer, alsoIn: readonly string[], task: (work: Work) => Promise<void>): Promise<void> {
    try {
      await whileClaimed(this.#services, timer, task, alsoIn);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
    }
  }
}
