import type { Caller } from '../../../access/authenticator.ts';
import type { RowOf } from '../../../db/schema.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { asWhole, readFor } from '../../../feed/whole.ts';
import { holds } from '../../../flows/conditions.ts';
import { after, stepAt } from '../../../flows/position.ts';
import { type Filled, type Step, type StepType, typeOf } from '../../../flows/steps.ts';
import type { Values } from '../../../flows/template.ts';
import type { Trigger } from '../../../flows/triggers.ts';
import type { WriteCall } from '../../../operations/call.ts';
import type { Services } from '../../../operations/services.ts';
import { step as savepoint } from '../../../operations/work.ts';
import { cutError, shown } from '../flowRecord.ts';
import { makersOf, requireMaker } from '../maker.ts';
import { editableFlow, eventOf } from './events.ts';
import { MAX_EXECUTED } from './execution.ts';
import { failureOf } from './failure.ts';
import { branchOf, eachOf } from './inner.ts';
import { performIn } from './perform.ts';
import type { ReadEvent } from './place.ts';
import { fill, nameOf, valuesAt } from './values.ts';

/** Number of events to try if none is specified. */
const EVENTS = 10;
/**
 * Maximum log events to read in the search for matching events. The search for new messages also reads
 * `message.updated` events, few of which complete a streamed message.
 */
const SEARCHED = 100;
/** Values are truncated to this many characters of JSON. */
const MAX_SHOWN_CHARACTERS = 2_000;

type Flow = RowOf<'flow'>;

/** The input of a dry run: callers and events. */
export interface Prepared {
  caller: Caller;
  makers: readonly Caller[];
  /** The events; undefined if the flow is not triggered by events. */
  events: readonly ReadEvent[] | undefined;
}

interface TriedStep {
  name: string;
  type: string;
  status: 'done' | 'failed' | 'skipped';
  input: unknown;
  output: unknown;
  error: string | null;
}

interface Tried {
  eventId: string | null;
  matches: boolean;
  error: string | null;
  steps: TriedStep[];
}

/**
 * Loads the events for a dry run: those that are currently visible to both the flow and the caller. Returns
 * nothing for a caller who may not edit flows. Throws NOT_FOUND if `eventId` is given but not visible to
 * both, and INVALID_REQUEST if Palaver does not run the flow or its agent was deleted.
 */
export async function prepare(
  services: Services,
  by: Caller | undefined,
  flowId: string,
  eventId: string | undefined,
): Promise<Prepared | undefined> {
  const { authenticator } = services;
  const flow = await editableFlow(services, by, flowId);
  if (!flow || !by) return undefined;
  if (flow.kind !== 'flow')
    throw invalid('wrong_kind', 'id', 'is a note for other programs. Save its steps to try it');
  const caller = await authenticator.authenticateDigest('flow', flow.id).catch((error) => {
    if (error instanceof ApiError) throw invalid('wrong_kind', 'id', error.message);
    throw error;
  });
  const makers = await makersOf(services, flow);
  const trigger = flow.trigger as Trigger;
  if (trigger.on !== 'event') return { caller, makers, events: undefined };
  const { serverId } = flow;
  const isSeen = eventId !== undefined && (await eventOf(services, by, { serverId, eventId }));
  const ids =
    eventId === undefined ? await latest(services, by, flow, trigger.type) : isSeen ? [eventId] : [];
  const seen = (id: string) => eventOf(services, caller, { serverId, eventId: id });
  const events = (await Promise.all(ids.map(seen))).filter((event) => event !== undefined);
  if (eventId !== undefined && events.length === 0) throw new ApiError('NOT_FOUND', 'event not found');
  return { caller, makers, events };
}

/** Returns the ids of the latest events of a type that the caller can see, newest first. */
async function latest({ feed }: Services, by: Caller, { serverId }: Flow, type: string): Promise<string[]> {
  const types = new Set([type]);
  const reader = await feed.reader(serverId, { types: readFor(types) }, async () => by.principal);
  try {
    const { events } = await reader.backward(SEARCHED, true);
    const whole = events.filter((event) => asWhole(event, types, feed.events));
    return whole.slice(0, EVENTS).map(({ id }) => id);
  } finally {
    reader.close();
  }
}

/** Thrown to roll back a dry run. */
class Undo extends Error {}

/** Executes the steps for each event in a write, and rolls them back. */
export async function rehearse(call: WriteCall, flow: Flow, prepared: Prepared): Promise<Tried[]> {
  const tried: Tried[] = [];
  // The number of steps left for all events together. It is limited, because the dry run blocks the server's
  // writes.
  const room = { left: MAX_EXECUTED };
  for (const event of prepared.events ?? [undefined]) {
    const { where } = flow.trigger as { where?: unknown };
    const matches = !event || where === undefined || holds(where, { event });
    const rehearsal = new Rehearsal(call, flow, prepared, event, room);
    const error = matches ? await rehearsal.run() : null;
    tried.push({ eventId: event?.id ?? null, matches, error, steps: rehearsal.steps });
  }
  return tried;
}

class Rehearsal {
  readonly steps: TriedStep[] = [];
  readonly #call: WriteCall;
  readonly #flow: Flow;
  readonly #prepared: Prepared;
  readonly #event: ReadEvent | undefined;
  readonly #room: { left: number };
  readonly #outputs: Record<string, { output: unknown }> = {};
  #items: readonly unknown[] = [];

  constructor(
    call: WriteCall,
    flow: Flow,
    prepared: Prepared,
    event: ReadEvent | undefined,
    room: { left: number },
  ) {
    this.#call = call;
    this.#flow = flow;
    this.#prepared = prepared;
    this.#event = event;
    this.#room = room;
  }

  /** Returns the reason why a step failed; null if none did. */
  async run(): Promise<string | null> {
    let failed: string | null = null;
    try {
      await savepoint(this.#call, async () => {
        failed = await this.#all();
        throw new Undo();
      });
    } catch (error) {
      if (!(error instanceof Undo)) throw error;
    }
    return failed;
  }

  async #all(): Promise<string | null> {
    const steps = this.#flow.steps as Step[];
    for (let position: string | null = steps.length > 0 ? '0' : null; position !== null; ) {
      const step = stepAt(steps, position) as Step;
      if (this.#room.left-- <= 0) return `more than ${MAX_EXECUTED} steps were executed`;
      const inside = await this.#execute(step, position);
      if (this.steps.at(-1)?.status === 'failed') return this.steps.at(-1)?.error ?? null;
      position = inside ?? after(steps, position, this.#items.length);
    }
    return null;
  }

  /** Executes a step. Returns the position of its first inner step, if there is one. */
  async #execute(step: Step, position: string): Promise<string | undefined> {
    const type = typeOf(step);
    const tried = { name: nameOf(step, position), type: step.do, error: null };
    let input: Filled = {};
    try {
      const values = this.#values(position);
      input = type.does === 'branch' ? { where: step.where } : fill(step, type, values);
      const { output, inside } = await this.#outcome(step, type, { input, values, position });
      this.#outputs[tried.name] = { output };
      const status = output === null ? 'skipped' : 'done';
      this.steps.push({ ...tried, status, input: cut(input), output: cut(output) });
      return inside;
    } catch (error) {
      const { message } = failureOf(error, 1);
      this.steps.push({
        ...tried,
        status: 'failed',
        input: cut(input),
        output: null,
        error: cutError(message),
      });
      return undefined;
    }
  }

  async #outcome(
    step: Step,
    type: StepType,
    { input, values, position }: { input: Filled; values: Values; position: string },
  ): Promise<{ output: unknown; inside?: string | undefined }> {
    if (type.does === 'compute') return { output: type.run(input) };
    if (type.does === 'branch') return branchOf(step, values, position);
    if (type.does === 'each') {
      const each = eachOf(step, input, position);
      this.#items = each.items;
      return each;
    }
    if (type.does !== 'write' && type.does !== 'ask') return { output: null };
    const { caller, makers } = this.#prepared;
    const { services } = this.#call;
    const { id, serverId } = this.#flow;
    return savepoint(this.#call, async () => {
      await requireMaker(this.#call.db, services, makers, caller);
      const running = { id, serverId, depth: 0 };
      return { output: await type.run(performIn(services, caller, this.#call, running), input) };
    });
  }

  #values(position: string): Values {
    const flow = this.#flow;
    const found = { flow, runId: flow.id, input: {}, outputs: this.#outputs, items: this.#items };
    // A dry run sends nothing, so secrets are not decrypted.
    return {
      ...valuesAt(position, { ...found, now: this.#call.now }),
      event: this.#event,
      secret: placeholders,
    };
  }
}

const placeholders = new Proxy(
  {},
  {
    getOwnPropertyDescriptor: () => ({ configurable: true, enumerable: true, value: '•••' }),
    get: () => '•••',
  },
);

const cut = (value: unknown): unknown => shown(value, MAX_SHOWN_CHARACTERS);
