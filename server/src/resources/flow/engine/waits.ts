import { setTimer } from '../../../clock/timers.ts';
import type { RowOf } from '../../../db/schema.ts';
import { find, prepare, q, update } from '../../../db/statements.ts';
import { ApiError } from '../../../errors.ts';
import { positionOfEventId } from '../../../feed/eventId.ts';
import { asWhole, readFor } from '../../../feed/whole.ts';
import { holds } from '../../../flows/conditions.ts';
import { firstIdAt } from '../../../lib/deps.ts';
import type { Services } from '../../../operations/services.ts';
import { transact } from '../../../operations/work.ts';
import { type Place, placeOf, type ReadEvent, seek } from './place.ts';

/** Events per read from the log. */
const BATCH_EVENTS = 50;
/** Waits per read. */
const PAGE_WAITS = 1_000;
/** Flows per query. */
const FLOWS_AT_ONCE = 200;
/** Runs woken in one write. */
const WOKEN_IN_WRITE = 100;
/** Waits are moved on after this many events that woke none. After a restart, these are read again. */
const MAX_PASSED = 500;

const FIRST = firstIdAt(0);

type Wait = Pick<RowOf<'flowWait'>, 'id' | 'condition' | 'cursor' | 'seq'>;

const open = (flowId: string) =>
  q
    .selectFrom('flowWait')
    .where('flowId', '=', flowId)
    .where('type', 'is not', null)
    .where('eventId', 'is', null);

/** The types of events that runs of these flows wait for. */
const awaited = (flowIds: readonly string[]) =>
  q
    .selectFrom('flowWait')
    .select(['flowId', 'type'])
    .where('flowId', 'in', flowIds)
    .where('type', 'is not', null)
    .where('eventId', 'is', null)
    .distinct();

const earliest = prepare((p: { flowId: string; type: string; isRead: boolean }) =>
  open(p.flowId)
    .select(['cursor', 'seq'])
    .where('type', '=', p.type)
    .where('isRead', '=', p.isRead)
    .orderBy('seq')
    .limit(1),
);

const waitsAfter = prepare((p: { flowId: string; type: string; after: string; limit: number }) =>
  open(p.flowId)
    .select(['id', 'condition', 'cursor', 'seq'])
    .where('type', '=', p.type)
    .where('id', '>', p.after)
    .orderBy('id')
    .limit(p.limit),
);

/**
 * Wakes the runs of flows that wait for events. A run that waits is a row; it is looked at only when an event of its type
 * comes. The write that wakes a run notes the event, so the first one counts, whichever nodes read it.
 */
export class Waits {
  readonly #services: Services;
  readonly #onWoken: () => void;
  /** By flow and type of event: what this node has read for all waits that there were. */
  readonly #read = new Map<string, Map<string, Place>>();

  /** `onWoken` is called after runs were woken. */
  constructor(services: Services, onWoken: () => void) {
    this.#services = services;
    this.#onWoken = onWoken;
  }

  /** Reads new events for the waiting runs of some flows. */
  async scan(flowIds: readonly string[]): Promise<void> {
    for (let first = 0; first < flowIds.length; first += FLOWS_AT_ONCE) {
      const some = flowIds.slice(first, first + FLOWS_AT_ONCE);
      const rows = await this.#services.db.read.all(awaited(some));
      const types = Map.groupBy(rows, ({ flowId }) => flowId);
      for (const flowId of some) await this.#scanFlow(flowId, types.get(flowId) ?? []);
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

  /** Returns the place up to which it has read. */
  async #scanType(flow: RowOf<'flow'>, type: string, before: Place | undefined): Promise<Place | undefined> {
    const { db, feed, authenticator } = this.#services;
    const { id: flowId, serverId } = flow;
    const [read, added] = await Promise.all([
      db.read.first(earliest({ flowId, type, isRead: true })),
      db.read.first(earliest({ flowId, type, isRead: false })),
    ]);
    // Every wait that was there when these events were read has had them.
    const known = read && before && before.seq > read.seq ? before : read;
    const first = added && (!known || added.seq < known.seq) ? added : known;
    if (!first) return undefined;
    const viewer = async () => (await authenticator.authenticateDigest('flow', flowId)).principal;
    const types = new Set([type]);
    const reader = await feed.reader(serverId, { types: readFor(types) }, viewer);
    const isNew = added ? await this.#newOnes(flow, type) : [];
    try {
      let place = await seek(reader, first);
      for (;;) {
        const events = await reader.next(BATCH_EVENTS);
        const whole = events.flatMap((event) => asWhole(event, types, feed.events) ?? []);
        const others = whole
          .map(({ json }) => JSON.parse(json) as ReadEvent)
          .filter(({ actorId }) => actorId !== flow.userId);
        // After the events were read: a wait that is not there yet is added later than they were.
        if (others.length > 0) await this.#match(flow, type, others);
        place = placeOf(reader, place);
        if (events.length === 0 && reader.isAtEnd) break;
      }
      if (isNew.length > 0 || place.seq - first.seq >= MAX_PASSED)
        await this.#moveOn(flow, type, place, isNew);
      return place;
    } catch (error) {
      // The agent or the role of the flow is gone. Its runs fail at their timeouts.
      if (error instanceof ApiError) return undefined;
      throw error;
    } finally {
      reader.close();
    }
  }

  async #newOnes({ id: flowId }: RowOf<'flow'>, type: string): Promise<string[]> {
    const rows = open(flowId).select('id').where('type', '=', type).where('isRead', '=', false);
    return (await this.#services.db.read.all(rows.orderBy('seq').limit(PAGE_WAITS))).map(({ id }) => id);
  }

  /** Wakes the runs whose conditions hold for one of these events. */
  async #match({ id: flowId, serverId }: RowOf<'flow'>, type: string, events: readonly ReadEvent[]) {
    const { db } = this.#services;
    for (let after = FIRST; ; ) {
      const page: Wait[] = await db.read.all(waitsAfter({ flowId, type, after, limit: PAGE_WAITS }));
      const woken = page.flatMap((wait) => {
        const event = events.find((one) => isAwaited(wait, one, serverId));
        return event ? [{ id: wait.id, eventId: event.id }] : [];
      });
      for (let first = 0; first < woken.length; first += WOKEN_IN_WRITE)
        await this.#wake(serverId, woken.slice(first, first + WOKEN_IN_WRITE));
      if (woken.length > 0) this.#onWoken();
      const last = page.at(-1);
      if (page.length < PAGE_WAITS || !last) return;
      after = last.id;
    }
  }

  #wake(serverId: string, woken: readonly { id: string; eventId: string }[]): Promise<void> {
    const { deps } = this.#services;
    return transact(
      this.#services,
      async (tx) => {
        const now = deps.now(tx.time());
        for (const { id, eventId } of woken) {
          const wait = await tx.first(find('flowWait', { id }));
          if (!wait || wait.eventId !== null || wait.type === null) continue;
          await tx.run(update('flowWait', id, { eventId }));
          // If a node has claimed the timer for the timeout, it has lost it now.
          await setTimer(tx, { id, kind: 'flowRun', serverId, dueAt: now, now });
        }
      },
      serverId,
    );
  }

  /** Moves on the waits for which everything was read, so that old events are not read again. */
  #moveOn(
    { id: flowId, serverId }: RowOf<'flow'>,
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

const isAwaited = ({ seq, condition }: Wait, event: ReadEvent, serverId: string): boolean =>
  (positionOfEventId(serverId, event.id)?.seq ?? 0) > seq &&
  (condition === null || holds(condition, { event }, true));
