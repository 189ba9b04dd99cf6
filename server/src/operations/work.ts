import type { Db, Tx } from '../db/contract.ts';
import type { ActorKind } from '../db/tables/event.ts';
import type { EventKind } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import { appendEvent, type LostBy, type NewEvent } from '../feed/log.ts';
import type { NewLiveEvent } from '../feed/logged.ts';
import { type Deps, newRow } from '../lib/deps.ts';

interface EmitOptions<K> {
  /** The viewers who may lose access to a channel because of the change. */
  lostBy?: LostBy | undefined;
  /** Rows that the event's consequences need and that have already been read. */
  known?: K;
}

/** The actor of a change. */
export type Actor =
  | { readonly kind: 'person' | 'key'; readonly id: string }
  | { readonly kind: 'operator' | 'system'; readonly id: null };

/** The operator, who used the command line or started a node. */
export const operator: Actor = { kind: 'operator', id: null };
/** Palaver itself, for example its background jobs. */
export const system: Actor = { kind: 'system', id: null };
/** Creates the actor for a person who is signed in, or is signing in or up. */
export const personActor = (id: string): Actor => ({ kind: 'person', id });

/** A change in progress in a transaction, made by an operation, a command, the initial setup or a sweep. */
export interface Work {
  db: Tx;
  /**
   * The user who makes the change; null for the operator, for Palaver itself, and if the actor is not known
   * yet.
   */
  readonly actorId: string | null;
  /**
   * Null in an open operation without a caller until `actAs` is called. Until then, no events can be emitted.
   */
  readonly actorKind: ActorKind | null;
  /** Sets the actor of an open operation once it is known: the person who signs up or in. */
  actAs(actor: Actor): void;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** Returns the `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  /**
   * Emits an event, then runs its consequences. Call this before you delete rows that the consequences read.
   * Events are appended to their logs at the end of the transaction, in the order of the calls.
   */
  emit<D>(kind: EventKind<D>, data: D, options?: EmitOptions<unknown>): Promise<void>;
  /** Broadcasts a live event to open streams once the transaction is durable. It is not stored in any log. */
  tell<D>(kind: EventKind<D>, data: D): void;
  /** The events emitted and broadcast so far. */
  readonly pending: PendingEvents;
}

/**
 * A change that follows from an event. `data` and `known` are the arguments of `emit`. Can return nothing
 * instead of a promise if there is nothing to do.
 */
// biome-ignore lint/suspicious/noExplicitAny: consequences of all events are in one table
export type Consequence<D = any, K = any> = (work: Work, data: D, known: K) => Promise<void> | void;

/** The consequences of each event type, in execution order. */
export type Consequences = ReadonlyMap<string, readonly Consequence[]>;

/** Creates an entry of `Consequences`: an event type and its consequences. */
export const on = <D, K = undefined>(
  kind: EventKind<D>,
  ...effects: Consequence<D, K>[]
): [string, readonly Consequence[]] => [kind.type, effects];

/** The events of one transaction, until they are appended and sent. */
export class PendingEvents {
  readonly #emitted: NewEvent[] = [];
  readonly #live: NewLiveEvent[] = [];

  /** Adds an event, which gets its time only when it is appended. */
  emit(event: NewEvent): void {
    this.#emitted.push(event);
  }

  tell(news: NewLiveEvent): void {
    this.#live.push(news);
  }

  /** Returns a function that drops the events added after this call. */
  mark(): () => void {
    const emitted = this.#emitted.length;
    const live = this.#live.length;
    return () => {
      this.#emitted.length = emitted;
      this.#live.length = live;
    };
  }

  /**
   * Appends the emitted events to their logs. This is the last step of a transaction. `isWhole` is set while
   * older nodes may read them (see `Db.hasOlderNodes`).
   */
  async append(tx: Tx, deps: Pick<Deps, 'now'>, isWhole = false): Promise<void> {
    for (const event of this.#emitted) {
      event.at = deps.now(tx.time());
      await appendEvent(tx, event, isWhole);
    }
  }

  /** Notifies readers of the events. Call this once the transaction is durable. */
  publish(feed: Pick<Feed, 'wake' | 'tell'>): void {
    const [first, second] = this.#emitted;
    if (first) feed.wake(second ? new Set(this.#emitted.map(({ logId }) => logId)) : [first.logId]);
    for (const news of this.#live) feed.tell(news);
  }
}

/**
 * Runs `task` in a transaction. Events that `task` adds to `pending` are appended last, because reads after
 * the first change are slower on a database server. Once the transaction is durable, notifies the readers of
 * `feed`, if given. The transaction is serialized with others that write to the logs of `serverId` and
 * `alsoIn`.
 */
export async function transact<T>(
  {
    db,
    deps,
    feed,
  }: {
    db: Pick<Db, 'write'> & Partial<Pick<Db, 'hasOlderNodes'>>;
    deps: Deps;
    feed?: Pick<Feed, 'wake' | 'tell'>;
  },
  task: (tx: Tx, pending: PendingEvents) => Promise<T>,
  serverId?: string,
  alsoIn?: readonly string[],
): Promise<T> {
  const done = async (tx: Tx) => {
    const pending = new PendingEvents();
    const result = await task(tx, pending);
    await pending.append(tx, deps, db.hasOlderNodes?.());
    return { result, pending };
  };
  const { result, pending } = await db.write(done, serverId, alsoIn);
  if (feed) pending.publish(feed);
  return result;
}

/** Like `transact`, but serialized with other changes to a person's account, whose log has the user's id. */
export const transactOnAccount = <T>(
  services: Parameters<typeof transact>[0],
  userId: string,
  task: (tx: Tx, pending: PendingEvents) => Promise<T>,
): Promise<T> => transact(services, task, userId, [userId]);

/**
 * Runs a step of a running write in a savepoint. If the step throws, its changes and events are rolled
 * back, and the write may continue. Steps can be nested, but two concurrent steps make the write fail.
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

/** Returned by `emit` if there are no consequences. Shared, to avoid allocating a promise. */
const done = Promise.resolve();

/** Runs the consequences of an event, one after another. */
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

/** Implements `Work`. Its functions don't use `this`, because callers destructure them. */
export class Working implements Work {
  readonly db: Tx;
  actorId: string | null;
  actorKind: ActorKind | null;
  readonly actAs: Work['actAs'];
  readonly now: number;
  readonly newRow: Work['newRow'];
  readonly randomBytes: Work['randomBytes'];
  readonly emit: Work['emit'];
  readonly tell: Work['tell'];
  readonly pending: PendingEvents;

  constructor(
    tx: Tx,
    { deps, consequences }: { deps: Deps; consequences: Consequences },
    actor: Actor | undefined,
    pending: PendingEvents,
  ) {
    const now = deps.now(tx.time());
    this.db = tx;
    this.actorId = actor?.id ?? null;
    this.actorKind = actor?.kind ?? null;
    this.actAs = ({ id, kind }) => {
      this.actorId = id;
      this.actorKind = kind;
    };
    this.now = now;
    this.newRow = () => newRow(deps, tx.time());
    this.randomBytes = deps.randomBytes;
    this.pending = pending;
    this.emit = (kind, data, options) => {
      const { logId, channelId, userId } = kind.addressOf(data);
      const { type } = kind;
      const { actorId } = this;
      const actor = this.#actorOf(type);
      pending.emit({
        type,
        logId,
        channelId,
        userId,
        actorId,
        actor,
        at: now,
        data,
        lostBy: options?.lostBy,
      });
      const effects = consequences.get(kind.type);
      return effects ? follow(effects, this, data, options?.known) : done;
    };
    this.tell = (kind, data) => {
      const { logId: serverId, channelId, userId } = kind.addressOf(data);
      const by = { actorId: this.actorId, actor: this.#actorOf(kind.type) };
      pending.tell({ type: kind.type, serverId, channelId, userId, ...by, at: now, data: data as object });
    };
  }

  /**
   * Returns the kind of actor. Throws an Error if there is none. In an open operation, that is a bug: it has
   * to call `actAs` first.
   */
  #actorOf(type: string): ActorKind {
    if (this.actorKind === null) throw new Error(`${type} has no actor`);
    return this.actorKind;
  }
}

/** Creates a `Work` for an actor in a transaction. Without an actor, it cannot emit events. */
export const workIn = (
  tx: Tx,
  services: { deps: Deps; consequences: Consequences },
  actor: Actor | undefined,
  pending = new PendingEvents(),
): Work => new Working(tx, services, actor, pending);
