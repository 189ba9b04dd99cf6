import type { Caller } from '../../../access/authenticator.ts';
import { setTimer, type Timer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { q } from '../../../db/statements.ts';
import { stepAt } from '../../../flows/position.ts';
import { type Filled, type Step, type StepType, typeOf } from '../../../flows/steps.ts';
import type { Values } from '../../../flows/template.ts';
import type { Turns } from '../../../lib/turns.ts';
import { figuresOf } from '../../../operations/flowFigures.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { Lost, whileClaimed } from '../../claimed.ts';
import { requireMaker } from '../maker.ts';
import { callOf } from './call.ts';
import { existingOf, StepFailure } from './failure.ts';
import type { Loaded } from './loaded.ts';
import { end, moveOn } from './moves.ts';
import { ask, wait } from './pause.ts';
import { performIn } from './perform.ts';
import { advanced, isWritten, type Prepared, prepared, writesAhead } from './several.ts';
import { saveStep } from './stored.ts';
import { fill, nameOf, outputsOf, valuesAt } from './values.ts';

/**
 * Duration of the lease on a run, and on a run that is waiting for a response, in milliseconds. Both are
 * longer than a step can take.
 */
const LEASE_MS = 10_000;
const CALL_LEASE_MS = 30_000;
/** If less time than this is left on the lease, a step's write renews it. */
const RENEW_MS = 5_000;
/** Maximum steps in a run, and in a dry run. */
export const MAX_EXECUTED = 200;
/** Maximum steps per write. */
const MAX_IN_WRITE = 10;

type Run = RowOf<'flowRun'>;
type Outputs = Record<string, { output: unknown }>;

/**
 * Executes a claimed run. Consecutive steps are executed in one write, which also stores their results. If
 * one of them fails, the write is rolled back, and the steps are executed again one by one.
 */
export class Execution {
  readonly services: Services;
  #timer: Timer;
  run: Run;
  readonly flow: RowOf<'flow'>;
  readonly caller: Caller;
  readonly #loaded: Loaded;
  /** The input of the step that was waiting. */
  readonly #waited: Filled;
  #outputs: Outputs;
  readonly #signal: AbortSignal;
  readonly #turns: Turns;
  /** The number of next steps to execute one by one, because a write with several steps failed. */
  #alone = 0;
  /** The number of writes that were reserved from this minute's limit but not used. */
  #taken = 0;

  constructor(services: Services, timer: Timer, loaded: Loaded & { signal: AbortSignal; turns: Turns }) {
    this.services = services;
    this.#timer = timer;
    this.run = loaded.run;
    this.flow = loaded.flow;
    this.caller = loaded.caller;
    this.#loaded = loaded;
    const { position } = loaded.run;
    this.#waited = (loaded.steps.find((step) => step.position === position)?.input ?? {}) as Filled;
    this.#outputs = outputsOf(loaded.steps);
    this.#signal = loaded.signal;
    this.#turns = loaded.turns;
  }

  get timer(): Timer {
    return this.#timer;
  }

  /** Returns the next step; undefined at the end. */
  get step(): Step | undefined {
    const { position, steps } = this.run;
    return position === null ? undefined : stepAt(steps as Step[], position);
  }

  /**
   * Executes the next step. Returns whether the run continues immediately. Throws Lost, and the errors of the
   * step.
   */
  async next(): Promise<boolean> {
    if (this.run.endedAt !== null) return false;
    const { step } = this;
    if (!step) {
      this.#moved(await this.write((work) => end(work, this.run)));
      return false;
    }
    if (this.run.executed >= MAX_EXECUTED)
      throw new StepFailure(`more than ${MAX_EXECUTED} steps were executed`);
    const type = typeOf(step);
    if (isWritten(type)) return this.#several();
    const values = this.#values(this.run, this.#outputs);
    if (type.does === 'call') return this.#callOut(step, type, values);
    if (type.does === 'ask') {
      if (!(await this.#takeWrites(1))) return false;
      this.#taken--;
    }
    // A step that was waiting keeps its original input.
    const input = this.run.status === 'waiting' ? this.#waited : fill(step, type, values);
    try {
      return await (type.does === 'ask' ? ask(this, step, type, input) : wait(this, step, input));
    } catch (error) {
      throw withInput(error, input);
    }
  }

  /** Throws MakerLacks unless the flow's maker (`makerId`) still has the permissions that the flow needs. */
  requireMaker = ({ db }: Work): Promise<void> =>
    requireMaker(db, this.services, this.#loaded.makers, this.caller);

  /**
   * Reserves up to `amount` of the server's writes for this minute. Returns false if none was available; the
   * run then resumes once a write is available.
   */
  async #takeWrites(amount: number): Promise<boolean> {
    const { limiter, flowBounds } = this.services;
    const { id, serverId } = this.run;
    if (flowBounds.writesPerMinute === 0) this.#taken = Number.POSITIVE_INFINITY;
    while (this.#taken < amount) {
      const slot = await limiter.take(`flow writes ${serverId}`, flowBounds.writesPerMinute);
      if (slot.accepted) this.#taken++;
      else if (this.#taken > 0) return true;
      else {
        await this.write(({ db, now }) =>
          setTimer(db, { id, kind: 'flowRun', serverId, dueAt: now + Math.ceil(slot.resetMs), now }),
        );
        return false;
      }
    }
    return true;
  }

  #values(run: Run, outputs: Outputs): Values {
    const { input, position } = run;
    const items = run.items as unknown[] | null;
    const now = this.services.deps.now();
    const found = { flow: this.flow, runId: run.id, input, outputs, items, now };
    const values = { ...valuesAt(position ?? '', found), event: this.#loaded.event };
    // A run may wait for longer than its event is retained.
    return this.#loaded.isEventGone ? Object.defineProperty(values, 'event', { get: throwGone }) : values;
  }

  /** Executes the next steps in one write. Returns whether the run continues immediately. */
  async #several(): Promise<boolean> {
    const most = this.#alone > 0 ? 1 : MAX_IN_WRITE;
    if (!(await this.#takeWrites(writesAhead(this.run, most)))) return false;
    let count = 0;
    try {
      await this.#stored(async (work) => {
        let [run, outputs, taken] = [this.run, this.#outputs, this.#taken];
        for (count = 0; count < most && run.position !== null && run.executed < MAX_EXECUTED; count++) {
          const step = stepAt(run.steps as Step[], run.position) as Step;
          const type = typeOf(step);
          if (!isWritten(type) || (type.does === 'write' && taken === 0)) break;
          if (type.does === 'write') taken--;
          const done = prepared(step, type, this.#values(run, outputs), run.position);
          const output = await this.#done(work, run, step, done);
          outputs = { ...outputs, [nameOf(step, run.position)]: { output } };
          run = advanced(run, done);
        }
        return { run, outputs, taken };
      });
      this.#alone -= Math.min(this.#alone, count);
    } catch (error) {
      if (error instanceof Lost) throw error;
      if (count > 0 && most > 1) this.#alone = count + 1;
      else await this.#storeExisting(error);
    }
    return true;
  }

  /** Executes a step in a write, and stores its result. Returns its output. */
  async #done(work: Work, run: Run, step: Step, { input, act }: Prepared): Promise<object> {
    try {
      await this.requireMaker(work);
      const output = await act(work, performIn(this.services, this.caller, work, run));
      await saveStep(work, run, step, { status: 'done', input, output, error: null });
      return output;
    } catch (error) {
      throw withInput(error, input);
    }
  }

  /**
   * If the record already exists, for example because somebody else reacted with the agent's key, stores it
   * as the step's output. Rethrows other errors of a step.
   */
  async #storeExisting(error: unknown): Promise<void> {
    const existing = existingOf(error);
    await this.store(this.step as Step, async () => existing, (error as { input?: unknown }).input);
  }

  /**
   * Sends a request, then stores its response. If the node dies in between, the request is sent again with
   * the same key.
   */
  async #callOut(step: Step, type: StepType, values: Values): Promise<boolean> {
    const { id, serverId, position } = this.run;
    const key = `${id}-${position}`;
    await this.write(this.requireMaker, CALL_LEASE_MS);
    const call = await callOf(this.services, { step, type, values, serverId, key });
    const output = await call.send(this.#signal);
    await this.store(step, async () => output, call.input);
    return true;
  }

  /** Stores the step's result together with the changes made by `act`, in one write, and advances the run. */
  store(step: Step, act: (work: Work) => Promise<object>, input: unknown): Promise<void> {
    return this.#stored(async (work) => {
      const output = await this.#done(work, this.run, step, { input, act });
      const outputs = { ...this.#outputs, [nameOf(step, this.run.position as string)]: { output } };
      return { run: advanced(this.run), outputs, taken: this.#taken };
    });
  }

  /** Runs a write that executes steps, and advances the run. */
  async #stored(task: (work: Work) => Promise<{ run: Run; outputs: Outputs; taken: number }>): Promise<void> {
    const { outputs, taken, set } = await this.write(async (work) => {
      const { run, ...done } = await task(work);
      return { ...done, set: await moveOn(work, this.run, run) };
    });
    figuresOf(this.services.db).steps += (set.executed ?? 0) - this.run.executed;
    this.#outputs = outputs;
    this.#taken = taken;
    this.#moved(set);
  }

  #moved(set: Partial<Run>): void {
    this.run = { ...this.run, ...set };
    if (this.run.endedAt !== null) figuresOf(this.services.db).runs.done++;
  }

  /** Runs a write of the claimed run. Throws Lost if it is no longer claimed. */
  async write<T>(task: (work: Work) => Promise<T>, leaseMs = RENEW_MS): Promise<T> {
    const { services, timer } = { services: this.services, timer: this.#timer };
    const now = services.deps.now();
    const dueAt = timer.dueAt - now < leaseMs ? now + Math.max(LEASE_MS, leaseMs) : timer.dueAt;
    const renewed = q.updateTable('timer').set({ dueAt }).where('id', '=', timer.id);
    const result = await this.#turns.run(timer.serverId, () =>
      whileClaimed(services, timer, async (work) => {
        if (dueAt !== timer.dueAt) await work.db.run(renewed);
        return task(work);
      }),
    );
    this.#timer = { ...timer, dueAt };
    return result;
  }
}

function withInput(error: unknown, input: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { input }) : error;
}

function throwGone(): never {
  throw new StepFailure('the event is no longer kept, or the flow can no longer see it');
}
