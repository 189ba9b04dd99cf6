import { append } from '../db/append.ts';
import type { Tx } from '../db/contract.ts';
import type { EventType } from './events.ts';

/** Something that happened in a server, as the log keeps it. */
export interface NewEvent {
  type: EventType;
  serverId: string;
  actorId: string | null;
  /** The channel whose viewers may see it; null where its server's members may. */
  channelId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record as a read would show it. */
  data: unknown;
}

/**
 * Appends an event in the transaction of the write. Numbers grow by one per server, in the order of the commits:
 * writes of one server are serial on every engine.
 */
export async function appendEvent(tx: Tx, event: NewEvent): Promise<void> {
  await tx.run(append({ ...event, data: JSON.stringify(event.data) }));
}
