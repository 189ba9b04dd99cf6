import { conditions, requireCondition } from '../access/conditions.ts';
import type { Principal } from '../access/principal.ts';
import type { Reader } from '../db/contract.ts';
import type { RowOf } from '../db/schema.ts';
import { update } from '../db/statements.ts';
import { invalid } from '../errors.ts';
import { eventsOf } from '../feed/eventKind.ts';
import { fileTypes } from '../files/media/type.ts';
import { MAX_NAME } from '../files/name.ts';
import { previewSizes } from '../files/store.ts';
import { Type } from '../lib/schema.ts';
import { count, id, nullable, oneOf, record, size, text } from '../operations/fields.ts';
import type { Work } from '../operations/work.ts';
import { load, recordOf, touched } from './common.ts';

/** The maximum number of files in a message. */
export const MAX_ATTACHMENTS = 10;

export const previewNames = Object.keys(previewSizes) as (keyof typeof previewSizes)[];

/** The fields of a file that are also shown in its message. */
const fileFields = {
  name: text({
    min: 1,
    max: MAX_NAME,
    description: 'The file name given by the sender. For display only: it may not match the type',
    examples: ['harbour.jpg'],
  }),
  type: oneOf(fileTypes, 'The media type, detected from the content; application/octet-stream if unknown'),
  bytes: size('Size in bytes', 1, 204_800),
  width: nullable(count('For an image or video: the displayed width, in pixels'), 1920),
  height: nullable(count('For an image or video: the displayed height, in pixels'), 1080),
  thumbhash: nullable(
    text({ max: 100, description: 'A placeholder to show until an image is loaded: a ThumbHash in base64' }),
  ),
  previews: Type.Array(oneOf(previewNames), {
    description: `Available previews: small is up to ${previewSizes.small} pixels wide and high, large up to ${previewSizes.large}`,
    examples: [['small', 'large']],
  }),
};

/** An attachment as shown in its message. */
export const shownAttachment = Type.Object(
  { id: id(), ...fileFields },
  { $id: 'MessageAttachment', title: 'MessageAttachment', additionalProperties: false },
);
export const toShownAttachment = recordOf(shownAttachment);

export const attachment = record('Attachment', {
  serverId: id(),
  channelId: nullable(id('The channel of its message; null until it is sent')),
  messageId: nullable(id('The message that the file was sent with; null until it is sent')),
  creatorId: id('The user who uploaded it'),
  ...fileFields,
});
export const toAttachment: (row: object) => ReturnType<ReturnType<typeof recordOf<typeof attachment>>> =
  recordOf(attachment);

/** Returns the only user who can see an attachment: its uploader until it is sent, then null. */
export const keeperOf = ({ messageId, creatorId }: Pick<RowOf<'attachment'>, 'messageId' | 'creatorId'>) =>
  messageId === null ? creatorId : null;

export const attachmentEvents = eventsOf(
  'attachment',
  {
    data: attachment,
    audience: 'attachment',
    addressOf: (found) => ({ userId: keeperOf(found) }),
  },
  {
    created:
      'A file was uploaded, or the picture of a link preview was added to a message. If a file was uploaded, only its uploader receives this event',
    updated: 'A file was sent with a message',
    deleted: 'A file was removed, or its message or link preview was deleted',
  },
);

/** Loads the attachments of a message to be sent. Throws NOT_FOUND. */
export async function attachmentsNamed(db: Reader, ids: readonly string[]): Promise<RowOf<'attachment'>[]> {
  return Promise.all(ids.map((id) => load(db, 'attachment', id)));
}

/** Throws FORBIDDEN or INVALID_REQUEST unless the principal may send these attachments in a server. */
export function requireSendable(
  principal: Principal,
  serverId: string,
  attachments: readonly RowOf<'attachment'>[],
): void {
  for (const [index, attachment] of attachments.entries()) {
    const { creatorId } = attachment;
    requireCondition(principal, conditions.ownAttachment, { creatorId });
    if (attachment.serverId !== serverId)
      throw invalid('mismatch', `attachmentIds.${index}`, 'is a file of another server');
    if (attachment.messageId !== null)
      throw invalid('wrong_kind', `attachmentIds.${index}`, 'was already sent');
  }
}

/** Attaches files to a message that has just been sent. */
export async function attach(
  { db, emit, now }: Work,
  { id: messageId, channelId }: Pick<RowOf<'message'>, 'id' | 'channelId'>,
  attachments: readonly RowOf<'attachment'>[],
): Promise<void> {
  for (const attachment of attachments) {
    const set = { channelId, messageId, updatedAt: touched(attachment, now) };
    await db.run(update('attachment', attachment.id, set));
    await emit(attachmentEvents.updated, toAttachment({ ...attachment, ...set }));
  }
}
