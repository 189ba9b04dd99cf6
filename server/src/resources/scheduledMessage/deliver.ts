import type { Caller } from '../../access/authenticator.ts';
import { removeTimer } from '../../clock/timers.ts';
import type { RowOf } from '../../db/schema.ts';
import { find, remove, update } from '../../db/statements.ts';
import type { ApiError } from '../../errors.ts';
import { perform } from '../../operations/perform.ts';
import type { Services } from '../../operations/services.ts';
import type { Work } from '../../operations/work.ts';
import { touched } from '../common.ts';
import { messageSend } from '../message/index.ts';
import { reach } from '../message/reach.ts';
import { addNotification, removeNotification } from '../notification.ts';
import { scheduledMessageEvents, toScheduled } from './scheduledRecord.ts';

const MAX_FAILURE_CHARACTERS = 1_000;

type Row = RowOf<'scheduledMessage'>;

/**
 * Sends a scheduled message as the person who scheduled it. This is a step of a write that also deletes the
 * scheduled message. Returns the message. Throws ApiError if the person may not send it.
 */
export async function sendScheduled(
  services: Services,
  caller: Caller,
  work: Work,
  found: Row,
): Promise<{ id: string }> {
  const { channelId, threadId, replyToId, content } = found;
  const body = {
    channelId,
    content,
    ...(threadId !== null && { threadId }),
    ...(replyToId !== null && { replyToId }),
  };
  const { data } = await perform(services, messageSend, caller, { body }, { within: work });
  await removeScheduled(work, found);
  return data as { id: string };
}

/** Deletes a scheduled message, its timer and the notification that it failed. */
export async function removeScheduled(work: Work, found: Row): Promise<void> {
  const { db, tell } = work;
  await clearFailure(work, found);
  await removeTimer(db, found.id);
  await db.run(remove('scheduledMessage', { id: found.id }));
  tell(scheduledMessageEvents.deleted, toScheduled(found));
}

/** Deletes the notification about a scheduled message that could not be sent, if there is one. */
export async function clearFailure(work: Work, { id: messageId, failedAt }: Row): Promise<void> {
  if (failedAt === null) return;
  const told = await work.db.first(find('notification', { messageId, type: 'schedule' }));
  if (told) await removeNotification(work, told);
}

/**
 * Keeps a message that could not be sent, with the reason, and notifies the person unless they have left the
 * server.
 */
export async function failScheduled(
  work: Work,
  found: Row,
  { message }: ApiError,
  isMember: boolean,
): Promise<void> {
  const { db, now, tell } = work;
  const set = {
    failedAt: now,
    failure: message.slice(0, MAX_FAILURE_CHARACTERS),
    updatedAt: touched(found, now),
  };
  await removeTimer(db, found.id);
  await db.run(update('scheduledMessage', found.id, set));
  tell(scheduledMessageEvents.updated, toScheduled({ ...found, ...set }));
  if (!isMember) return;
  const { userId, serverId, channelId, id: messageId } = found;
  const about = { userId, serverId, type: 'schedule' as const, actorId: userId, channelId, messageId };
  await reach(work, [await addNotification(work, about)]);
}
