import type { RowOf } from '../../../db/schema.ts';
import { insert } from '../../../db/statements.ts';
import { ApiError, invalid } from '../../../errors.ts';
import { isPicture } from '../../../files/media/type.ts';
import { requireFileRoom } from '../../../limits/room.ts';
import type { Services } from '../../../operations/services.ts';
import type { Work } from '../../../operations/work.ts';
import { attachmentEvents, toAttachment, toShownAttachment } from '../../attached.ts';
import { discardFile, keepFile, receiveLoaded, type Upload } from '../../received.ts';
import { Pages } from './pages.ts';
import type { Preview } from './want.ts';

// The picture of a link preview is a file of its message. It counts towards the quotas of the message's
// author, and is visible, kept, exported and deleted with the message. Browsers never contact the linked
// site.

type Message = Pick<RowOf<'message'>, 'id' | 'serverId' | 'channelId' | 'creatorId' | 'type'>;

/** A picture to load, and the tenant that it counts towards. */
interface Wanted {
  tenant: string;
  url: string;
}

/**
 * Loads and stores a picture for a message. Undefined if it cannot be loaded, is not an image, would exceed a
 * quota, or is not stored before `signal` is aborted.
 */
export async function loadPicture(
  services: Services,
  message: Message,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<Upload | undefined> {
  let isLate = false;
  const late = new Promise<undefined>((resolve) => {
    const end = () => resolve(undefined);
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
  const stored = storePicture(services, message, wanted, signal).then(
    async (upload) => {
      if (isLate) await discardFile(upload, services);
      return upload;
    },
    () => undefined,
  );
  const first = await Promise.race([stored, late]);
  isLate = first === undefined;
  return first;
}

async function storePicture(
  services: Services,
  { serverId, creatorId, type }: Message,
  { tenant, url }: Wanted,
  signal: AbortSignal,
): Promise<Upload> {
  const bytes = await Pages.of(services).picture(tenant, url, signal);
  const uploader = { userId: creatorId, userType: type === 'person' ? type : 'agent' } as const;
  return receiveLoaded(services, bytes, uploader, {
    serverId,
    accept({ type, width, height }) {
      if (!isPicture(type) || width === null || height === null)
        throw invalid('wrong_kind', 'file', 'must be an image: PNG, JPEG, GIF or WebP');
    },
  });
}

/** Adds a stored picture to a message. Undefined if it would now exceed a quota. */
export async function showPicture(
  { db, emit, newRow }: Work,
  services: Services,
  { id: messageId, serverId, channelId, creatorId }: Message,
  upload: Upload,
): Promise<Preview['image']> {
  try {
    await requireFileRoom(db, services.quotas, serverId, upload.file.bytes);
    await keepFile({ db }, serverId, upload);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'INVALID_REQUEST') return undefined;
    throw error;
  }
  const { file } = upload;
  const name = file.type.replace('image/', 'preview.');
  const row = { ...newRow(), ...file, name, serverId, channelId, messageId, creatorId };
  await db.run(insert('attachment', row));
  await emit(attachmentEvents.created, toAttachment(row));
  return toShownAttachment(row);
}
