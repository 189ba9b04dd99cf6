import type { Actions, Outgoing } from '../../replica/index.ts';
import { createStore } from '../../ui/index.ts';
import { takeFiles, uploadsAt, whenUploaded } from '../upload/index.ts';
import { replyAt, stopReply } from './replying/index.ts';

/** The channels and threads whose message is waiting for uploads, each with the controller that cancels it. */
const holds = createStore<ReadonlyMap<string, AbortController>>(new Map());

/** True while a message in this channel or thread is waiting for uploads. */
export const useIsHeld = (placeId: string): boolean => holds.use().has(placeId);

/** Cancels the waiting message, so the user can continue writing. */
export const stopHold = (placeId: string): void => holds.get().get(placeId)?.abort();

function hold(placeId: string, controller?: AbortController): void {
  const next = new Map(holds.get());
  if (controller) next.set(placeId, controller);
  else next.delete(placeId);
  holds.set(next);
}

const isOver = (placeId: string): boolean => uploadsAt(placeId).every(({ state }) => state === 'done');

/**
 * Sends a message to the channel or thread it was written in, once its files are uploaded, even if the user navigates
 * in the meantime. Calls `leaving` when the message enters the outbox. Resolves with false if it was not sent
 * because it was empty, an upload failed, the user cancelled, or another message is still waiting for uploads.
 */
export async function sendFrom(
  actions: Pick<Actions, 'send'>,
  message: Omit<Outgoing, 'replyToId' | 'attachmentIds'>,
  leaving: () => void,
): Promise<boolean> {
  const placeId = message.threadId ?? message.channelId;
  if (holds.get().has(placeId)) return false;
  const replyToId = replyAt(placeId);
  if (!isOver(placeId)) {
    const controller = new AbortController();
    hold(placeId, controller);
    const isThere = await whenUploaded(placeId, controller.signal);
    hold(placeId);
    if (!isThere) return false;
  }
  if (message.content === '' && uploadsAt(placeId).length === 0) return false;
  const attachmentIds = takeFiles(placeId);
  if (replyToId !== undefined && replyAt(placeId) === replyToId) stopReply(placeId);
  leaving();
  await actions.send({ ...message, attachmentIds, ...(replyToId !== undefined && { replyToId }) });
  return true;
}
