import type { ChannelView } from '../access/predicates.ts';
import { append } from '../db/append.ts';
import type { Tx } from '../db/contract.ts';
import type { ActorKind } from '../db/tables/event.ts';
import { withoutLargeMeta } from './appMeta.ts';
import { toStored } from './contentRefs.ts';
import type { EventAddress } from './eventKind.ts';

/**
 * The viewers who may lose access to a channel through an event: viewers who had access before it, or members
 * with a role.
 */
export type LostBy = { channel: ChannelView } | { roleId: string };

/** The event types that may have `lostBy`. Readers check these events regardless of their filter. */
export const sightTypes: ReadonlySet<string> = new Set(['channel.updated', 'role.updated']);

/** Events that change the permissions of the user named in their data, starting with the next event. */
export const standingTypes: ReadonlySet<string> = new Set([
  'serverMember.created',
  'serverMember.deleted',
  'userRole.created',
  'userRole.deleted',
]);

/** An event to append to its log. */
export interface NewEvent extends EventAddress {
  type: string;
  /** The user who made the change; null for the operator and for Palaver itself. */
  actorId: string | null;
  actor: ActorKind;
  /** Milliseconds since the Unix epoch. */
  at: number;
  /** The record as a read returns it. */
  data: unknown;
  lostBy?: LostBy | undefined;
}

/**
 * Appends an event within the transaction of the write that causes it: both are committed, or neither is.
 * Sequence numbers have no gaps and follow commit order, because both engines serialize writes to one server
 * and to one user's log. With `isWhole`, the event repeats the content of messages instead of referring to
 * it. Throws if `lostBy` is set on a type that is not in `sightTypes`.
 */
export function appendEvent(tx: Tx, event: NewEvent, isWhole = false): Promise<void> {
  const { logId, type, actorId, actor, channelId, userId, at, data, lostBy } = event;
  if (lostBy && !sightTypes.has(type)) throw new Error(`${type} is not among sightTypes`);
  const stored = isWhole ? undefined : toStored(type, data);
  const { json, metaOf } = stored ? { ...stored, metaOf: null } : withoutLargeMeta(type, data);
  return tx.run(
    append({
      logId,
      type,
      actorId,
      actor,
      channelId,
      userId,
      lostBy: lostBy ? JSON.stringify(lostBy) : null,
      at,
      data: json,
      metaOf,
      contentOf: stored?.contentOf ?? null,
      version: stored?.version ?? null,
    }),
  );
}
