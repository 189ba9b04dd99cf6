import type { RowOf } from '../../db/schema.ts';
import { insert, update } from '../../db/statements.ts';
import { invalid } from '../../errors.ts';
import type { Inspected } from '../../files/media/inspect.ts';
import { isPicture } from '../../files/media/type.ts';
import { requireFileRoom } from '../../limits/room.ts';
import type { WriteCall } from '../../operations/call.ts';
import { API_PREFIX } from '../../operations/operation.ts';
import { upload } from '../../operations/upload.ts';
import { changeChannel } from '../channel/change.ts';
import { channel } from '../channel/channelRecord.ts';
import { channelTarget } from '../channel/load.ts';
import { load, touched } from '../common.ts';
import { requireReachable } from '../reachable.ts';
import { discardFile, keepFile, receiveFile, type Upload } from '../received.ts';
import { server, serverEvents, toServer } from '../server/serverRecord.ts';
import { changeUser, toUser, user } from '../user.ts';

/** Maximum size in bytes. It is small, because many people load these pictures. */
const MAX_BYTES = 5_000_000;

/** Throws INVALID_REQUEST unless a file is an image. */
export function acceptPicture({ type, width, height }: Inspected): void {
  if (!isPicture(type) || width === null || height === null)
    throw invalid('wrong_kind', 'file', 'must be an image: PNG, JPEG, GIF or WebP');
}

/** Creates the row of a picture and returns its URL. Store the URL in a record in the same transaction. */
export async function keepPicture(
  { db, newRow, principal }: WriteCall,
  serverId: string | null,
  received: Upload,
): Promise<string> {
  await keepFile({ db }, serverId, received);
  const { name: _name, width, height, ...file } = received.file;
  const address = `${API_PREFIX}/pictures/${file.id}`;
  const size = { width: width as number, height: height as number };
  await db.run(
    insert('picture', { ...newRow(), serverId, creatorId: principal.userId, address, ...size, ...file }),
  );
  return address;
}

const described =
  'Send a form with one file: PNG, JPEG, GIF or WebP, up to 5 MB. The new image replaces the previous one. Camera and location metadata is removed.';

const ofServer = <Path extends '/servers/:id/icon' | '/servers/:id/banner'>(
  field: 'icon' | 'banner',
  { operation, path }: { operation: string; path: Path },
) =>
  upload({
    operation,
    path,
    resource: 'server',
    verb: 'update',
    summary: `Upload a server's ${field}`,
    description: `${described} To remove it, set \`${field}\` to null with PATCH /servers/:id.`,
    takes: ['multipart/form-data'],
    maxBytes: MAX_BYTES,
    answer: server,
    async target({ db }, { params }) {
      const found = await load(db, 'server', params.id);
      return { ...found, serverId: found.id };
    },
    receive: (call, incoming, { serverId }, services) =>
      receiveFile(call, incoming, services, { serverId, accept: acceptPicture }),
    fingerprint: ({ sha256 }: Upload) => sha256,
    async run(call, _input, found, received: Upload) {
      const { db, emit, now, services } = call;
      await requireFileRoom(db, services.quotas, found.id, received.file.bytes);
      const address = await keepPicture(call, found.id, received);
      const set = { [field]: address, updatedAt: touched(found, now) };
      await db.run(update('server', found.id, set));
      const changed = toServer({ ...found, ...set });
      await emit(serverEvents.updated, changed);
      return changed;
    },
    discard: discardFile,
  });

export const serverIconUpload = ofServer('icon', {
  operation: 'serverIconUpload',
  path: '/servers/:id/icon',
});

export const serverBannerUpload = ofServer('banner', {
  operation: 'serverBannerUpload',
  path: '/servers/:id/banner',
});

export const channelImageUpload = upload({
  operation: 'channelImageUpload',
  path: '/channels/:id/image',
  resource: 'channel',
  verb: 'update',
  summary: 'Upload a picture for a direct message',
  description: `${described} Anyone in the direct message can change it. To remove it, set \`image\` to null with PATCH /channels/:id.`,
  takes: ['multipart/form-data'],
  maxBytes: MAX_BYTES,
  answer: channel,
  async target({ db }, { params }) {
    return channelTarget(db, params.id);
  },
  async receive(call, incoming, { serverId, channel: found }, services) {
    requireDirect(found);
    await requireReachable(call.db, call.principal, found);
    return receiveFile(call, incoming, services, { serverId, accept: acceptPicture });
  },
  fingerprint: ({ sha256 }: Upload) => sha256,
  async run(call, _input, { serverId, channel: found }, received: Upload) {
    requireDirect(found);
    await requireReachable(call.db, call.principal, found);
    await requireFileRoom(call.db, call.services.quotas, serverId, received.file.bytes);
    return changeChannel(call, found, { image: await keepPicture(call, serverId, received) });
  },
  discard: discardFile,
});

/** Throws INVALID_REQUEST for a channel that is not a direct message. */
function requireDirect({ memberIds }: RowOf<'channel'>): void {
  if (!memberIds) throw invalid('wrong_kind', 'id', 'is not a direct message');
}

export const userImageUpload = upload({
  operation: 'userImageUpload',
  path: '/users/me/image',
  resource: 'picture',
  verb: 'insert',
  summary: 'Upload your image',
  description: `${described} The image is visible in all your servers.`,
  takes: ['multipart/form-data'],
  maxBytes: MAX_BYTES,
  answer: user,
  target: async ({ principal }) => ({ serverId: principal.serverId, ownerId: principal.userId }),
  receive: (call, incoming, _target, services) =>
    receiveFile(call, incoming, services, { serverId: null, accept: acceptPicture }),
  fingerprint: ({ sha256 }: Upload) => sha256,
  async run(call, _input, { ownerId }, received: Upload) {
    const found = await load(call.db, 'user', ownerId);
    return toUser(await changeUser(call, found, { image: await keepPicture(call, null, received) }));
  },
  discard: discardFile,
});
