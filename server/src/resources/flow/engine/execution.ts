import type { Caller } from '../../../access/authenticator.ts';
import { setTimer, type Timer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { q } from '../../../db/statements.ts';
import { after, stepAt } from '../../../flows/position.ts';
import { type Filled, type Step, type StepType, typeOf } from '../../../flows/steps.ts';
import type { Values } from '../../../flows/template.ts';
import { figuresOf } from '../../../operations/flowFigures.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { whileClaimed } from '../../claimed.ts';
import { makersOf, requireMaker } from '../maker.ts';
import { INTERACTION } from '../start.ts';
import { callOf } from './call.ts';
import { eventOf, interactionOf } from './events.ts';
import { existingOf, StepFailure } from './failure.ts';
import { branchOf, eachOf } from './inner.ts';
import { end, moveOn } from './moves.ts';
import { ask, wait } from './pause.ts';
import { performIn } from './perform.ts';
import { saveStep } from './stored.ts';
import { fill, nameOf, outputsOf, valuesAt } from './values.ts';

/** Lease of a run, in milliseconds, and of one that waits for a response. A step takes less. */
const LEASE_MS = 10_000;
const CALL_LEASE_MS = 30_000;
/** The lease is renewed by the write of a step if less than this is left of it. */
const RENEW_MS = 5_000;
/** Steps of a run, and of a try. */
export const MAX_EXECUTED = 200;

type Run = RowOf<'flowRun'>;

/** Executes a claimed run, step by step. Each step is one write, which also stores its result. */
export class Execution {
  readonly services: Services;
  #timer: Timer;
  run: Run;
  readonly flow: RowOf<'flow'>;
  readonly caller: Caller;
  readonly #makers: readonly Caller[];
  readonly #event: object | undefined;
  /** Whether the event that started the run is no longer kept, or no longer visible. Only steps that read it fail. */
  readonly #isEventGone: boolean;
  /** The input of the step that has waited. */
  readonly #waited: Filled;
  readonly #outputs: Record<string, { output: unknown }>;
  readonly #signal: AbortSignal;

  private constructor(
    services: Services,
    timer: Timer,
    loaded: {
      run: Run;
      flow: RowOf<'flow'>;
      caller: Caller;
      makers: readonly Caller[];
      event: object | undefined;
      isEventGone: boolean;
      steps: readonly RowOf<'flowStep'>[];
      signal: AbortSignal;
    },
  ) {
    this.services = services;
    this.#timer = timer;
    this.run = loaded.run;
    this.flow = loaded.flow;
    this.caller = loaded.caller;
    this.#makers = loaded.makers;
    this.#event = loaded.event;
    this.#isEventGone = loaded.isEventGone;
    const { position } = loaded.run;
    this.#waited = (loaded.steps.find((step) => step.position === position)?.input ?? {}) as Filled;
    this.#outputs = outputsOf(loaded.steps);
    this.#signal = loaded.signal;
  }

  /** Loads what a run needs. Throws ApiError if its agent is gone. */
  static async load(
    services: Services,
    timer: Timer,
    { run, flow, signal }: { run: Run; flow: RowOf<'flow'>; signal: AbortSignal },
  ): Promise<Execution> {
    const caller = await services.authenticator.authenticateDigest('flow', flow.id);
    const { serverId, eventId, cause } = run;
    const isPressed = cause.startsWith(INTERACTION);
    const [makers, event, steps] = await Promise.all([
      makersOf(services, flow),
      eventId === null
        ? isPressed
          ? interactionOf(services, cause)
          : undefined
        : eventOf(services, caller, { serverId, eventId }),
      services.db.read.all(q.selectFrom('flowStep').selectAll().where('runId', '=', run.id).orderBy('id')),
    ]);
    const isEventGone = (eventId !== null || isPressed) && !event;
    return new Execution(services, timer, { run, flow, caller, makers, event, isEventGone, steps, signal });
  }

  get timer(): Timer {
    return this.#timer;
  }

  /** The next step; undefined at the end. */
  get step(): Step | undefined {
    const { position, steps } = this.run;
    return position === null ? undefined : stepAt(steps as Step[], position);
  }

  /** Executes the next step. Returns whether the run continues now. Throws Lost, and the errors of the step. */
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
    const values = this.#values();
    if (type.does === 'call') return this.#callOut(step, type, values);
    if ((type.does === 'write' || type.does === 'ask') && !(await this.#mayWrite())) return false;
    const input = this.#inputOf(step, type, values);
    try {
      return await this.#execute(step, type, input, values);
    } catch (error) {
      if (error instanceof Error) Object.assign(error, { input });
      throw error;
    }
  }

  /** The input of a step. A step that has waited keeps the input with which it began. */
  #inputOf(step: Step, type: StepType, values: Values): Filled {
    if (this.run.status === 'waiting') return this.#waited;
    return type.does === 'branch' ? { where: step.where } : fill(step, type, values);
  }

  /** Executes a step. Returns whether the run continues now. */
  async #execute(step: Step, type: StepType, input: Filled, values: Values): Promise<boolean> {
    if (type.does === 'wait') return wait(this, step, input);
    if (type.does === 'ask') return ask(this, step, type, input);
    if (type.does === 'branch') return this.#branch(step, input, values);
    if (type.does === 'each') return this.#each(step, input);
    if (type.does === 'compute') await this.store(step, async () => type.run(input), input);
    if (type.does === 'write') await this.#storeWrite(step, type, input);
    return true;
  }

  /** Throws MakerLacks. */
  requireMaker = ({ db }: Work): Promise<void> => requireMaker(db, this.services, this.#makers, this.caller);

  /** Takes one of the server's writes of this minute. If there is none, the run continues when there is. */
  async #mayWrite(): Promise<boolean> {
    const { limiter, flowBounds } = this.services;
    const { id, serverId } = this.run;
    if (flowBounds.writesPerMinute === 0) return true;
    const taken = await limiter.take(`flow writes ${serverId}`, flowBounds.writesPerMinute);
    if (taken.accepted) return true;
    await this.write(({ db, now }) =>
      setTimer(db, { id, kind: 'flowRun', serverId, dueAt: now + Math.ceil(taken.resetMs), now }),
    );
    return false;
  }

  #values(): Values {
    const { flow, run } = this;
    const { input, position } = run;
    const items = run.items as unknown[] | null;
    const now = this.services.deps.now();
    const found = { flow, runId: run.id, input, outputs: this.#outputs, items, now };
    const values = { ...valuesAt(position ?? '', found), event: this.#event };
    // A run may wait for longer than its event is kept.
    return this.#isEventGone ? Object.defineProperty(values, 'event', { get: throwGone }) : values;
  }

  async #storeWrite(step: Step, type: Extract<StepType, { does: 'write' }>, input: Filled): Promise<void> {
    try {
      await this.store(
        step,
        (work) => type.run(performIn(this.services, this.caller, work, this.run), input),
        input,
      );
    } catch (error) {
      // The record to add already exists, for example because somebody else reacted with the agent's key.
      const existing = existingOf(error);
      await this.store(step, async () => existing, input);
    }
  }

  async #branch(step: Step, input: Filled, values: Values): Promise<boolean> {
    const { output, inside } = branchOf(step, values, this.run.position as string);
    await this.store(step, async () => output, input, inside);
    return true;
  }

  /** Sends a request, then stores its response. If the node dies in between, it is sent again with the same key. */
  async #callOut(step: Step, type: StepType, values: Values): Promise<boolean> {
    const { id, serverId, position } = this.run;
    const key = `${id}-${position}`;
    await this.write(this.requireMaker, CALL_LEASE_MS);
    const call = await callOf(this.services, { step, type, values, serverId, key });
    const output = await call.send(this.#signal);
    await this.store(step, async () => output, call.input);
    return true;
  }

  async #each(step: Step, input: Filled): Promise<boolean> {
    const { items, output, inside } = eachOf(step, input, this.run.position as string);
    await this.store(step, async () => output, input, inside, items);
    return true;
  }

  /** Stores the result of the step together with what `act` does, in one write, and moves on. */
  async store(
    step: Step,
    act: (work: Work) => Promise<object>,
    input: unknown,
    inside?: string,
    list?: readonly unknown[],
  ): Promise<void> {
    const { run } = this;
    const items = (run.items as unknown[] | null)?.length ?? 0;
    const next = inside ?? after(run.steps as Step[], run.position as string, items);
    const { output, set } = await this.write(async (work) => {
      await this.requireMaker(work);
      const output = await act(work);
      await saveStep(work, run, step, { status: 'done', input, output, error: null });
      return { output, set: await moveOn(work, run, next, list) };
    });
    figuresOf(this.services.db).steps++;
    this.#outputs[nameOf(step, run.position as string)] = { output };
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
    const result = await whileClaimed(services, timer, async (work) => {
      if (dueAt !== timer.dueAt)
        await work.db.run(q.updateTable('timer').set({ dueAt }).where('id', '=', timer.id));
      return task(work);
    });
    this.#timer = { ...timer, dueAt };
    return result;
  }
}

function throwGone(): never {
  throw new StepFailure('the event is no longer kept, or the flow no longer sees it');
}
