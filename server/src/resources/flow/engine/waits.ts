import { setTimer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, prepare, q, update } from '../../../db/statements.ts';
import { holds } from '../../../flows/conditions.ts';
import { stepAt } from '../../../flows/position.ts';
import type { Step } from '../../../flows/steps.ts';
import { firstIdAt } from '../../../lib/deps.ts';
import type { Services } from '../../../operations/services.ts';
import { system, transact, type Work, workIn } from '../../../operations/work.ts';
import { storeFailure } from './failed.ts';
import { eventsAfter, type Logged, type Place } from './place.ts';
import type { SetAside } from './setAside.ts';
import { openWaits } from './waitRows.ts';

/** Maximum waits read at once. */
const PAGE_WAITS = 1_000;
/** Number of flows per query. */
const FLOWS_AT_ONCE = 200;
/** Maximum runs to wake in one write. */
const WOKEN_IN_WRITE = 100;
/**
 * The positions of waits are stored after this many log events, and when waits are added. After a restart,
 * events after the stored positions are read again.
 */
const MAX_PASSED = 500;

const FIRST = firstIdAt(0);

type Flow = RowOf<'flow'>;
type Wait = Pick<RowOf<'flowWait'>, 'id' | 'condition' | 'cursor' | 'seq'>;

/** A run to wake. `eventId` is null if its condition cannot be evaluated, in which case the run fails. */
interface Woken {
  id: string;
  eventId: string | null;
}

/** Selects the types of events that runs of these flows wait for. */
const awaited = (flowIds: readonly string[]) =>
  openWaits().select(['flowId', 'type']).where('flowId', 'in', flowIds).distinct();

const earliest = prepare((p: { flowId: string; type: string; isRead: boolean }) =>
  openWaits()
    .select(['cursor', 'seq'])
    .where('flowId', '=', p.flowId)
    .where('type', '=', p.type)
    .where('isRead', '=', p.isRead)
    .orderBy('seq')
    .limit(1),
);

const waitsAfter = prepare((p: { flowId: string; type: string; after: string; limit: number }) =>
  openWaits()
    .select(['id', 'condition', 'cursor', 'seq'])
    .where('flowId', '=', p.flowId)
    .where('type', '=', p.type)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/**
 * Wakes the runs of flows that wait for events. A waiting run is a row that is checked only when an event of
 * its type arrives. The write that wakes a run records the event, so that exactly one event counts,
 * regardless of which nodes read it.
 */
export class Waits {
  readonly #services: Services;
  readonly #setAside: SetAside;
  readonly #onWoken: () => void;
  readonly #isStopping: () => boolean;
  /**
   * By flow and event type: the position up to which this node has tested events against all waits that
   * existed then.
   */
  readonly #read = new Map<string, Map<string, Place>>();

  /** `onWoken` is called after runs were woken. */
  constructor(
    services: Services,
    setAside: SetAside,
    { onWoken, isStopping }: { onWoken: () => void; isStopping: () => boolean },
  ) {
    this.#services = services;
    this.#setAside = setAside;
    this.#onWoken = onWoken;
    this.#isStopping = isStopping;
  }

  /** Reads new events for the waiting runs of some flows. */
  async scan(flowIds: readonly string[]): Promise<void> {
    for (let first = 0; first < flowIds.length && !this.#isStopping(); first += FLOWS_AT_ONCE) {
      const some = flowIds.slice(first, first + FLOWS_AT_ONCE);
      const rows = await this.#services.db.read.all(awaited(some));
      const types = Map.groupBy(rows, ({ flowId }) => flowId);
      for (const flowId of some) {
        if (this.#isStopping()) return;
        await this.#setAside.attempt(flowId, () => this.#scanFlow(flowId, types.get(flowId) ?? []));
      }
    }
  }

  async #scanFlow(flowId: string, types: readonly { type: string | null }[]): Promise<void> {
    const before = this.#read.get(flowId);
    this.#read.delete(flowId);
    const flow = types.length > 0 && (await this.#services.db.read.first(find('flow', { id: flowId })));
    if (!flow) return;
    const places = new Map<string, Place>();
    for (const row of types) {
      const type = row.type as string;
      const place = await this.#scanType(flow, type, before?.get(type));
      if (place) places.set(type, place);
    }
    this.#read.set(flowId, places);
  }

  /**
   * Reads new events of a type for the waits of a flow. Returns the position up to which it has read, if it
   * has reached the end of the log.
   */
  async #scanType(flow: Flow, type: string, before: Place | undefined): Promise<Place | undefined> {
    const { db } = this.#services;
    const { id: flowId } = flow;
    const [read, added] = await Promise.all([
      db.read.first(earliest({ flowId, type, isRead: true })),
      db.read.first(earliest({ flowId, type, isRead: false })),
    ]);
    // Waits that existed when these events were read have already been tested against the events.
    const known = read && before && before.seq > read.seq ? before : read;
    const first = added && (!known || added.seq < known.seq) ? added : known;
    if (!first) return undefined;
    const isNew = added ? await this.#newOnes(flow, type) : [];
    let place: Place = { cursor: first.cursor, seq: first.seq };
    let isWhole = false;
    for await (const { read, place: passed, isEnd } of eventsAfter(this.#services, flow, type, place)) {
      const others = read.filter(({ event }) => event.actorId !== flow.userId);
      // `#match` loads the waits only after the events were read. Waits that are added later start after
      // these events.
      if (others.length > 0) await this.#match(flow, type, others);
      place = passed;
      isWhole = isEnd;
      if (this.#isStopping()) return undefined;
    }
    // If the flow's agent was deleted, its runs fail at their timeouts.
    if (!isWhole) return undefined;
    if (isNew.length > 0 || place.seq - first.seq >= MAX_PASSED) await this.#moveOn(flow, type, place, isNew);
    return place;
  }

  async #newOnes({ id }: Flow, type: string): Promise<string[]> {
    const rows = openWaits().select('id').where('flowId', '=', id).where('type', '=', type);
    const unread = rows.where('isRead', '=', false).orderBy('seq').limit(PAGE_WAITS);
    return (await this.#services.db.read.all(unread)).map((row) => row.id);
  }

  /** Wakes the runs whose conditions hold for one of these events. */
  async #match(flow: Flow, type: string, read: readonly Logged[]): Promise<void> {
    const { db } = this.#services;
    const { id: flowId } = flow;
    const onBroken = (error: unknown) => this.#setAside.noteBroken(flowId, error);
    for (let after = FIRST; !this.#isStopping(); ) {
      const page: Wait[] = await db.read.all(waitsAfter({ flowId, type, after, limit: PAGE_WAITS }));
      const woken = page.flatMap((wait) => wokenBy(wait, read, onBroken) ?? []);
      for (let first = 0; first < woken.length; first += WOKEN_IN_WRITE)
        await this.#wake(flow, woken.slice(first, first + WOKEN_IN_WRITE));
      if (woken.length > 0) this.#onWoken();
      const last = page.at(-1);
      if (page.length < PAGE_WAITS || !last) return;
      after = last.id;
    }
  }

  #wake({ serverId, makerId }: Flow, woken: readonly Woken[]): Promise<void> {
    const isNoticed = makerId !== null && woken.some(({ eventId }) => eventId === null);
    return transact(
      this.#services,
      async (tx, pending) => {
        const work = workIn(tx, this.#services, system, pending);
        const { now } = work;
        for (const { id, eventId } of woken) {
          const wait = await tx.first(find('flowWait', { id }));
          if (!wait || wait.eventId !== null || wait.type === null) continue;
          if (eventId === null) {
            await failWaiting(work, id);
            continue;
          }
          await tx.run(update('flowWait', id, { eventId }));
          // If a node has claimed the timer for the timeout, this revokes the claim.
          await setTimer(tx, { id, kind: 'flowRun', serverId, dueAt: now, now });
        }
      },
      serverId,
      isNoticed ? [makerId] : [],
    );
  }

  /** Advances waits past events that have been read, so that they are not read again. */
  #moveOn(
    { id: flowId, serverId }: Flow,
    type: string,
    { cursor, seq }: Place,
    isNew: readonly string[],
  ): Promise<void> {
    const passed = q
      .updateTable('flowWait')
      .set({ cursor, seq, isRead: true })
      .where('flowId', '=', flowId)
      .where('type', '=', type)
      .where('eventId', 'is', null)
      .where('seq', '<', seq)
      .where((eb) =>
        isNew.length > 0 ? eb.or([eb('isRead', '=', true), eb('id', 'in', isNew)]) : eb('isRead', '=', true),
      );
    const added = q.updateTable('flowWait').set({ isRead: true }).where('id', 'in', isNew);
    return transact(
      this.#services,
      async (tx) => {
        await tx.run(passed);
        if (isNew.length > 0) await tx.run(added);
      },
      serverId,
    );
  }
}

/** Returns the run of a wait, if one of these events counts for the wait and meets its condition. */
function wokenBy(
  { id, seq: after, condition }: Wait,
  read: readonly Logged[],
  onBroken: (error: unknown) => void,
): Woken | undefined {
  try {
    const found = read.find(
      ({ event, seq }) => seq > after && (condition === null || holds(condition, { event }, true)),
    );
    return found && { id, eventId: found.event.id };
  } catch (error) {
    onBroken(error);
    return { id, eventId: null };
  }
}

/** Ends a run whose condition cannot be evaluated. */
async function failWaiting(work: Work, id: string): Promise<void> {
  const { db } = work;
  const run = await db.first(find('flowRun', { id }));
  if (!run || run.endedAt !== null || run.position === null) return;
  const { position } = run;
  const step = stepAt(run.steps as Step[], position);
  const stored = await db.first(find('flowStep', { runId: id, position }));
  const failure = { message: 'the condition of its event cannot be evaluated', retryMs: undefined };
  await storeFailure(work, { run, step, input: stored?.input ?? null }, failure);
}
