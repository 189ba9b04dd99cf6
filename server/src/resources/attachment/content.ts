import { find } from '../../db/statements.ts';
import { notFound } from '../../errors.ts';
import { isInline } from '../../files/media/type.ts';
import { dispositionOf } from '../../files/name.ts';
import { fileKeys, NotStored } from '../../files/store.ts';
import { isId } from '../../lib/deps.ts';
import { Type } from '../../lib/schema.ts';
import { download } from '../../operations/download.ts';
import { flag, oneOf, optional } from '../../operations/fields.ts';
import { keeperOf, previewNames } from '../attached.ts';
import { attachmentTarget } from './load.ts';

/** Prevents a file from running scripts, loading resources, or acting as part of the page that shows it. */
const safely = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
};

export const attachmentContent = download({
  operation: 'attachmentContent',
  path: '/attachments/:attachmentId/content',
  tag: 'attachment',
  kind: 'content',
  summary: 'Download a file',
  description:
    'The file is visible to everyone who can see its message. Supports `Range` with one range. In pages of this server, images and videos need no header: the session cookie is enough. Common image, video and audio types are served inline, all others as downloads.',
  visible: 'attachment',
  query: Type.Object({
    preview: optional(oneOf(previewNames, 'Return a smaller preview instead, as WebP')),
    download: optional(flag('Serve it as a download, regardless of its type')),
  }),
  type: 'application/octet-stream',
  async serverOf(db, { attachmentId = '' }) {
    const found = isId(attachmentId) ? await db.first(find('attachment', { id: attachmentId })) : undefined;
    return found?.serverId ?? null;
  },
  async target({ db }, { params }) {
    const found = await attachmentTarget(db, params.attachmentId);
    return { ...found, ownerId: keeperOf(found.attachment) };
  },
  async run({ services: { files } }, { query }, { attachment }) {
    const { id, previews } = attachment;
    const { preview } = query;
    if (preview && !previews.includes(preview)) throw notFound('preview');
    const store = await files.store;
    const key = fileKeys(id)[preview ?? 'whole'];
    const length = preview ? await store.sizeOf(key) : attachment.bytes;
    if (length === undefined) throw notFound('file');
    const name = preview ? `${attachment.name}.webp` : attachment.name;
    const type = preview ? 'image/webp' : attachment.type;
    const kind = isInline(type) && query.download !== true ? 'inline' : 'attachment';
    return {
      type,
      length,
      tag: key,
      cacheControl: 'private, no-store',
      headers: { ...safely, 'content-disposition': dispositionOf(kind, name) },
      bytes: (range) =>
        store.open(key, range).catch((error) => {
          throw error instanceof NotStored ? notFound('file') : error;
        }),
    };
  },
});
