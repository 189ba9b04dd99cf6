import type { Db, Tx } from '../db/contract.ts';
import type { EventKind } from '../feed/eventKind.ts';
import type { Feed } from '../feed/feed.ts';
import { appendEvent, type LostBy, type NewEvent } from '../feed/log.ts';
import type { LiveNews } from '../feed/logged.ts';
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

/** A further change that follows from an event: `data` and `known` are the arguments of `emit`. */
// biome-ignore lint/suspicious/noExplicitAny: consequences of all events stand in one table
export type Consequence<D = any, K = any> = (work: Work, data: D, known: K) => Promise<void>;

/** The consequences of each type of event, in the order in which they run. */
export type Consequences = ReadonlyMap<string, readonly Consequence[]>;

/** One row of that table: a type of event and its consequences. */
export const on = <D, K = undefined>(
  kind: EventKind<D>,
  ...effects: Consequence<D, K>[]
): [string, readonly Consequence[]] => [kind.type, effects];

/** The events of one transaction, before they are appended and sent. */
export class PendingEvents {
  readonly #emitted: Omit<NewEvent, 'at'>[] = [];
  readonly #live: LiveNews[] = [];

  emit(event: Omit<NewEvent, 'at'>): void {
    this.#emitted.push(event);
  }

  tell(news: LiveNews): void {
    this.#live.push(news);
  }

  /** Appends the emitted events to their logs: the last step of a transaction. */
  async append(tx: Tx, deps: Pick<Deps, 'now'>): Promise<void> {
    for (const event of this.#emitted) await appendEvent(tx, { ...event, at: deps.now(tx.time()) });
  }

  /** Tells readers of the events, once the transaction is durable. */
  publish(feed: Pick<Feed, 'wake' | 'tell'>): void {
    if (this.#emitted.length > 0) feed.wake(new Set(this.#emitted.map(({ logId }) => logId)));
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

/** The work of an actor in a transaction. The actor is null for the operator, and for Palaver itself. */
export function workIn(
  tx: Tx,
  { deps, consequences }: { deps: Deps; consequences: Consequences },
  actorId: string | null,
  pending = new PendingEvents(),
): Work {
  const work: Work = {
    db: tx,
    actorId,
    now: deps.now(tx.time()),
    newRow: () => newRow(deps, tx.time()),
    randomBytes: deps.randomBytes,
    pending,
    async emit(kind, data, options) {
      const { logId, channelId, userId } = kind.addressOf(data);
      pending.emit({ type: kind.type, logId, channelId, userId, actorId, data, lostBy: options?.lostBy });
      const effects = consequences.get(kind.type);
      if (effects) for (const effect of effects) await effect(work, data, options?.known);
    },
    tell(kind, data) {
      const { logId: serverId, channelId, userId } = kind.addressOf(data);
      pending.tell({
        type: kind.type,
        serverId,
        channelId,
        userId,
        actorId,
        at: work.now,
        data: data as object,
      });
    },
  };
  return work;
}
