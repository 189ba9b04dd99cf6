import type { Reader } from '../../db/contract.ts';
import { ApiError, notFound } from '../../errors.ts';
import { load } from '../common.ts';
import { messageTarget } from '../message/load.ts';

/**
 * Loads an attachment with its message's channel. Throws NOT_FOUND if the attachment does not exist or its
 * message was deleted.
 */
export async function attachmentTarget(db: Reader, id: string) {
  const attachment = await load(db, 'attachment', id);
  const { serverId, messageId } = attachment;
  if (messageId === null) return { serverId, attachment };
  const { channel } = await messageTarget(db, messageId).catch((error) => {
    throw error instanceof ApiError ? notFound('attachment') : error;
  });
  return { serverId, channel, attachment };
}
