import type { Db, Tx } from '../db/contract.ts';
import type { EventKind } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import { appendEvent, type LostBy, type NewEvent } from '../feed/log.ts';
import type { NewLiveEvent } from '../feed/logged.ts';
import { type Deps, newRow } from '../lib/deps.ts';

interface EmitOptions<K> {
  /** The viewers who may lose sight of a channel by the change. */
  lostBy?: LostBy | undefined;
  /** Rows already read that the consequences of the event need. */
  known?: K;
}

/** A change under way in a transaction: of an operation, a command, the first run or a sweep. */
export interface Work {
  db: Tx;
  /** The user who makes the change; null for the operator, and for Palaver itself. */
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  /**
   * Emits an event, then runs its consequences. Call it before you delete rows that the consequences read. Events are
   * appended to their logs at the end of the transaction, in the order of the calls.
   */
  emit<D>(kind: EventKind<D>, data: D, options?: EmitOptions<unknown>): Promise<void>;
  /** Sends a live event to open streams once the transaction is durable. No log keeps it. */
  tell<D>(kind: EventKind<D>, data: D): void;
  /** The events emitted and told so far. */
  readonly pending: PendingEvents;
}

/**
 * A further change that follows from an event: `data` and `known` are the arguments of `emit`. Where nothing follows, it may
 * return without a promise.
 */
// biome-ignore lint/suspicious/noExplicitAny: consequences of all events stand in one table
export type Consequence<D = any, K = any> = (work: Work, data: D, known: K) => Promise<void> | void;

/** The consequences of each type of event, in the order in which they run. */
export type Consequences = ReadonlyMap<string, readonly Consequence[]>;

/** One row of that table: a type of event and its consequences. */
export const on = <D, K = undefined>(
  kind: EventKind<D>,
  ...effects: Consequence<D, K>[]
): [string, readonly Consequence[]] => [kind.type, effects];

/** The events of one transaction, before they are appended and sent. */
export class PendingEvents {
  readonly #emitted: NewEvent[] = [];
  readonly #live: NewLiveEvent[] = [];

  /** The event gets the time at which it is appended. */
  emit(event: NewEvent): void {
    this.#emitted.push(event);
  }

  tell(news: NewLiveEvent): void {
    this.#live.push(news);
  }

  /** Returns a function that drops the events that come after this call. */
  mark(): () => void {
    const emitted = this.#emitted.length;
    const live = this.#live.length;
    return () => {
      this.#emitted.length = emitted;
      this.#live.length = live;
    };
  }

  /** Appends the emitted events to their logs: the last step of a transaction. */
  async append(tx: Tx, deps: Pick<Deps, 'now'>): Promise<void> {
    for (const event of this.#emitted) {
      event.at = deps.now(tx.time());
      await appendEvent(tx, event);
    }
  }

  /** Tells readers of the events, once the transaction is durable. */
  publish(feed: Pick<Feed, 'wake' | 'tell'>): void {
    const [first, second] = this.#emitted;
    if (first) feed.wake(second ? new Set(this.#emitted.map(({ logId }) => logId)) : [first.logId]);
    for (const news of this.#live) feed.tell(news);
  }
}

/**
 * Runs `task` in a transaction, which appends the events that `task` adds to `pending` last: a database server answers
 * reads at once only until the first change. Tells the readers of `feed`, if given, once it is durable. The transaction
 * is serial with others on the logs of `serverId` and `alsoIn`.
 */
export async function transact<T>(
  { db, deps, feed }: { db: Pick<Db, 'write'>; deps: Deps; feed?: Pick<Feed, 'wake' | 'tell'> },
  task: (tx: Tx, pending: PendingEvents) => Promise<T>,
  serverId?: string,
  alsoIn?: readonly string[],
): Promise<T> {
  const done = async (tx: Tx) => {
    const pending = new PendingEvents();
    const result = await task(tx, pending);
    await pending.append(tx, deps);
    return { result, pending };
  };
  const { result, pending } = await db.write(done, serverId, alsoIn);
  if (feed) pending.publish(feed);
  return result;
}

/** The same, serial with others on the account of a person, whose log has the id of the user. */
export const transactOnAccount = <T>(
  services: Parameters<typeof transact>[0],
  userId: string,
  task: (tx: Tx, pending: PendingEvents) => Promise<T>,
): Promise<T> => transact(services, task, userId, [userId]);

/**
 * Runs a step of a write under way. If the step throws, its changes and events are undone, and the write may go on. Steps may
 * have steps, but two at the same time fail the write.
 */
export async function step<T>({ db, pending }: Work, task: () => Promise<T>): Promise<T> {
  const dropEvents = pending.mark();
  try {
    return await db.savepoint(task);
  } catch (error) {
    dropEvents();
    throw error;
  }
}

/** What `emit` returns where nothing follows. */
const done = Promise.resolve();

/** Runs the consequences of an event, one after the other. */
function follow(
  effects: readonly Consequence[],
  work: Work,
  data: unknown,
  known: unknown,
  from = 0,
): Promise<void> {
  for (let index = from; index < effects.length; index++) {
    const running = effects[index]?.(work, data, known);
    if (running) return running.then(() => follow(effects, work, data, known, index + 1));
  }
  return done;
}

/** A `Work`. Its functions need no `this`: rows take them out of it. */
export class Working implements Work {
  readonly db: Tx;
  readonly actorId: string | null;
  readonly now: number;
  readonly newRow: Work['newRow'];
  readonly randomBytes: Work['randomBytes'];
  readonly emit: Work['emit'];
  readonly tell: Work['tell'];
  readonly pending: PendingEvents;

  constructor(
    tx: Tx,
    { deps, consequences }: { deps: Deps; consequences: Consequences },
    actorId: string | null,
    pending: PendingEvents,
  ) {
    const now = deps.now(tx.time());
    this.db = tx;
    this.actorId = actorId;
    this.now = now;
    this.newRow = () => newRow(deps, tx.time());
    this.randomBytes = deps.randomBytes;
    this.pending = pending;
    this.emit = (kind, data, options) => {
      const { logId, channelId, userId } = kind.addressOf(data);
      const { type } = kind;
      pending.emit({ type, logId, channelId, userId, actorId, at: now, data, lostBy: options?.lostBy });
      const effects = consequences.get(kind.type);
      return effects ? follow(effects, this, data, options?.known) : done;
    };
    this.tell = (kind, data) => {
      const { logId: serverId, channelId, userId } = kind.addressOf(data);
      pending.tell({ type: kind.type, serverId, channelId, userId, actorId, at: now, data: data as object });
    };
  }
}

/** The work of an actor in a transaction. The actor is null for the operator, and for Palaver itself. */
export const workIn = (
  tx: Tx,
  services: { deps: Deps; consequences: Consequences },
  actorId: string | null,
  pending = new PendingEvents(),
): Work => new Working(tx, services, actorId, pending);
