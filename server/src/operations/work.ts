import type { Tx } from '../db/contract.ts';
import type { EventKind } from '../feed/eventKind.ts';
import { appendEvent, type LostBy, type NewEvent } from '../feed/log.ts';
import type { LiveNews } from '../feed/logged.ts';
import { type Deps, newRow } from '../lib/deps.ts';

/** Further facts about an event. */
interface Beside<K> {
  /** Who may have lost sight of a channel by it. */
  lostBy?: LostBy | undefined;
  /** Rows that the event's consequences need and that were read already. */
  known?: K;
}

/** The means of a change, whoever asks for it: an operation, a command, the first run, a sweep. */
export interface Work {
  db: Tx;
  /** The user whose doing it is; null for the operator, and for the server itself. */
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  now: number;
  /** `id`, `createdAt` and `updatedAt` of a new row. */
  newRow(): { id: string; createdAt: number; updatedAt: number };
  randomBytes(size: number): Uint8Array;
  /**
   * Tells of a change in the log that it belongs to, and then makes the consequences that the change has: call it before the rows
   * are gone that these look for. Events are appended at the end of the transaction, in the order in which they were emitted.
   */
  emit<D>(kind: EventKind<D>, data: D, beside?: Beside<unknown>): Promise<void>;
  /** Tells those who listen at the moment, once the transaction is durable. No log keeps it. */
  tell<D>(kind: EventKind<D>, data: D): void;
  /** Everything that was emitted and told so far. */
  readonly told: Told;
}

/** A change that one event has for others: `data` and `known` are those of the event. */
// biome-ignore lint/suspicious/noExplicitAny: consequences of all events stand in one table
export type Consequence<D = any, K = any> = (work: Work, data: D, known: K) => Promise<void>;

/** The consequences of each type of event, in their order. */
export type Consequences = ReadonlyMap<string, readonly Consequence[]>;

/** The consequences of one type of event, as a row of that table. */
export const on = <D, K = undefined>(
  kind: EventKind<D>,
  ...effects: Consequence<D, K>[]
): [string, readonly Consequence[]] => [kind.type, effects];

/** The events of one transaction. */
export class Told {
  readonly #emitted: Omit<NewEvent, 'at'>[] = [];
  readonly live: LiveNews[] = [];

  emit(event: Omit<NewEvent, 'at'>): void {
    this.#emitted.push(event);
  }

  /** Appends the emitted events; the last step of a transaction. */
  async append(tx: Tx, deps: Pick<Deps, 'now'>): Promise<void> {
    for (const event of this.#emitted) await appendEvent(tx, { ...event, at: deps.now(tx.time()) });
  }

  /** The logs that the events are in. */
  get logs(): Set<string> {
    return new Set(this.#emitted.map(({ logId }) => logId));
  }
}

/** The work of an actor in a transaction; null for the operator, and for the server itself. */
export function workIn(
  tx: Tx,
  { deps, consequences }: { deps: Deps; consequences: Consequences },
  actorId: string | null,
  told = new Told(),
): Work {
  const work: Work = {
    db: tx,
    actorId,
    now: deps.now(tx.time()),
    newRow: () => newRow(deps, tx.time()),
    randomBytes: deps.randomBytes,
    told,
    async emit(kind, data, beside) {
      const { logId, channelId, userId } = kind.addressOf(data);
      told.emit({ type: kind.type, logId, channelId, userId, actorId, data, lostBy: beside?.lostBy });
      const effects = consequences.get(kind.type);
      if (effects) for (const effect of effects) await effect(work, data, beside?.known);
    },
    tell(kind, data) {
      const { logId: serverId, channelId } = kind.addressOf(data);
      told.live.push({ type: kind.type, serverId, channelId, actorId, at: work.now, data: data as object });
    },
  };
  return work;
}
