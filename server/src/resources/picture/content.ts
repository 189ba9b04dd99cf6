import { notFound } from '../../errors.ts';
import { dispositionOf } from '../../files/name.ts';
import { fileKeys, NotStored } from '../../files/store.ts';
import { Type } from '../../lib/schema.ts';
import { download } from '../../operations/download.ts';
import { oneOf, optional } from '../../operations/fields.ts';
import { previewNames } from '../attached.ts';
import { load } from '../common.ts';

/**
 * Pictures are immutable, because a new picture gets a new URL. One year is the conventional maximum for
 * `max-age`.
 */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Prevents scripts. Pages from any origin, such as other clients, may embed pictures. */
const safely = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
};

export const pictureContent = download({
  operation: 'pictureContent',
  open: true,
  path: '/pictures/:pictureId',
  tag: 'picture',
  kind: 'content',
  summary: 'Download an image of a server, user, emoji or direct message',
  description:
    'Anyone who has the URL can load it without a key, for example in a web page. The URL is in `icon`, `banner`, `image` or `url` of a record, and stops working when the image is replaced or removed.',
  visible: 'anyone',
  query: Type.Object({
    preview: optional(
      oneOf(previewNames, 'Return a smaller version as WebP, or the original if that is not larger'),
    ),
  }),
  type: 'application/octet-stream',
  async target({ db }, { params }) {
    return { serverId: null, picture: await load(db, 'picture', params.pictureId) };
  },
  async run({ services: { files } }, { query }, { picture }) {
    const preview = query.preview && picture.previews.includes(query.preview) ? query.preview : undefined;
    const store = await files.store;
    const key = fileKeys(picture.id)[preview ?? 'whole'];
    const length = preview ? await store.sizeOf(key) : picture.bytes;
    if (length === undefined) throw notFound('file');
    const type = preview ? 'image/webp' : picture.type;
    return {
      type,
      length,
      tag: key,
      cacheControl: FOR_EVER,
      headers: { ...safely, 'content-disposition': dispositionOf('inline', `picture.${type.slice(6)}`) },
      bytes: (range) =>
        store.open(key, range).catch((error) => {
          throw error instanceof NotStored ? notFound('file') : error;
        }),
    };
  },
});
