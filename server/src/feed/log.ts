import type { ChannelView } from '../access/predicates.ts';
import { append } from '../db/append.ts';
import type { Tx } from '../db/contract.ts';
import { withoutLargeMeta } from './appMeta.ts';
import type { EventAddress } from './eventKind.ts';

/** The viewers who may lose sight of a channel by an event: those who saw it as it was, or those with a role. */
export type LostBy = { channel: ChannelView } | { roleId: string };

/** The types of events with `lostBy`: readers with any filter look for them. */
export const sightTypes: ReadonlySet<string> = new Set(['channel.updated', 'role.updated']);

/** The types of events by which the permissions of the user in their data change: they hold for the next event already. */
export const standingTypes: ReadonlySet<string> = new Set([
  'serverMember.created',
  'serverMember.deleted',
  'userRole.created',
  'userRole.deleted',
]);

/** An event to be appended to its log. */
export interface NewEvent extends EventAddress {
  type: string;
  /** The user who made the change; null for the operator, and for Palaver itself. */
  actorId: string | null;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record as a read shows it. */
  data: unknown;
  lostBy?: LostBy | undefined;
}

/**
 * Appends an event in the transaction of the write. The numbers of a log increase by one, in the order of the commits:
 * on every engine, writes to one server, and writes to one user's log, are serial.
 */
export function appendEvent(tx: Tx, event: NewEvent): Promise<void> {
  const { logId, type, actorId, channelId, userId, at, data, lostBy } = event;
  if (lostBy && !sightTypes.has(type)) throw new Error(`${type} is not among sightTypes`);
  const { json, metaOf } = withoutLargeMeta(type, data);
  return tx.run(
    append({
      logId,
      type,
      actorId,
      channelId,
      userId,
      lostBy: lostBy ? JSON.stringify(lostBy) : null,
      at,
      data: json,
      metaOf,
    }),
  );
}
