import type { ChannelView } from '../access/predicates.ts';
import { append } from '../db/append.ts';
import type { Tx } from '../db/contract.ts';
import type { EventAddress } from './eventKind.ts';

/** Who may have lost sight of a channel by an event: whoever saw it as it was, or everybody with a role. */
export type LostBy = { channel: ChannelView } | { roleId: string };

/** An event as it is about to be appended to its log. */
export interface NewEvent extends EventAddress {
  type: string;
  /** The user whose doing it is; null for the operator, and for the server itself. */
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record, as a read shows it. */
  data: unknown;
  lostBy?: LostBy | undefined;
}

/**
 * Appends an event in the transaction of the write. Numbers grow by one in each log, in the order of the commits: writes of one
 * server, and those that concern one user, are serial on every engine.
 */
export function appendEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { logId, type, actorId, channelId, userId, at, data, lostBy } = event;
  return tx.run(
    append({
      logId,
      type,
      actorId,
      channelId,
      userId,
      lostBy: lostBy ? JSON.stringify(lostBy) : null,
      at,
      data: JSON.stringify(data),
    }),
  );
}
