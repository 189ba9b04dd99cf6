import type { Records } from '../../api/records.ts';

/** A file of a message. */
export type File = Records['MessageAttachment'];

/** The address of a file's content on this server; the session's cookie opens it. */
export function contentOf(
  { id }: Pick<File, 'id'>,
  how: { preview?: 'small' | 'large'; isSaved?: boolean } = {},
): string {
  const query = new URLSearchParams();
  if (how.preview) query.set('preview', how.preview);
  if (how.isSaved) query.set('download', 'true');
  return `/api/v1/attachments/${encodeURIComponent(id)}/content${query.size > 0 ? `?${query}` : ''}`;
}

/** What a browser shows of a file; all else is saved. */
export function kindOf({ type }: Pick<File, 'type'>): 'picture' | 'film' | 'sound' | 'file' {
  if (type.startsWith('image/')) return 'picture';
  if (type.startsWith('video/')) return 'film';
  if (type.startsWith('audio/')) return 'sound';
  return 'file';
}

/** So many bytes of a moving picture are loaded unasked; a larger one stands still until it is opened. */
const MOST_MOVING = 4_000_000;

/** The picture to show in a box of so many px: the smallest that fills it on this screen. */
export function pictureFor(file: File, width: number, pixels: number): string {
  const moves = file.type === 'image/gif';
  if (moves && file.bytes <= MOST_MOVING) return contentOf(file);
  const largest = Math.max(file.width ?? 0, file.height ?? 0);
  const wanted = width * pixels * (file.width ? largest / file.width : 1);
  if (file.previews.includes('small') && wanted <= 480 * 1.1) return contentOf(file, { preview: 'small' });
  if (file.previews.includes('large')) return contentOf(file, { preview: 'large' });
  return contentOf(file, file.previews.includes('small') && moves ? { preview: 'small' } : {});
}
