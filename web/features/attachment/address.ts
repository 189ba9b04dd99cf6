import { base } from '../../api/base.ts';
import type { Records } from '../../api/records.ts';

export type File = Records['MessageAttachment'];

/** The URL of a file's content, authorized by the session's cookie. */
export function contentOf(
  { id }: Pick<File, 'id'>,
  how: { preview?: 'small' | 'large'; isSaved?: boolean } = {},
): string {
  const query = new URLSearchParams();
  if (how.preview) query.set('preview', how.preview);
  if (how.isSaved) query.set('download', 'true');
  return `${base}/api/v1/attachments/${encodeURIComponent(id)}/content${query.size > 0 ? `?${query}` : ''}`;
}

/** How a file is displayed. `file` means a card with a download link and, for some types, a preview. */
export function kindOf({ type }: Pick<File, 'type'>): 'picture' | 'film' | 'sound' | 'file' {
  if (type.startsWith('image/')) return 'picture';
  if (type.startsWith('video/')) return 'film';
  if (type.startsWith('audio/')) return 'sound';
  return 'file';
}

/**
 * GIFs up to this many bytes play in the message. Larger ones show a still preview, if there is one, until
 * opened.
 */
const MOST_MOVING = 4_000_000;

/**
 * The URL of the image for a box that is `width` px wide, on a screen with `pixels` device pixels per px: the
 * small preview if it is sharp enough, otherwise the large one or the file. For GIFs, see `MOST_MOVING`.
 */
export function pictureFor(file: File, width: number, pixels: number): string {
  const moves = file.type === 'image/gif';
  if (moves && file.bytes <= MOST_MOVING) return contentOf(file);
  const largest = Math.max(file.width ?? 0, file.height ?? 0);
  const wanted = width * pixels * (file.width ? largest / file.width : 1);
  if (file.previews.includes('small') && wanted <= 480 * 1.1) return contentOf(file, { preview: 'small' });
  if (file.previews.includes('large')) return contentOf(file, { preview: 'large' });
  return contentOf(file, file.previews.includes('small') && moves ? { preview: 'small' } : {});
}
