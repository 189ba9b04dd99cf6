const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** The types that a browser may show by itself: none of them runs anything. */
const inlineTypes = [...pictureTypes, 'video/mp4', 'video/webm', 'audio/mpeg'] as const;

/** Bytes of a file's beginning that tell its type. */
export const HEAD_BYTES = 64;

const otherTypes = ['application/pdf', 'application/zip', 'application/octet-stream'] as const;

/** A media type by which files are given out. */
export type FileType = (typeof inlineTypes)[number] | (typeof otherTypes)[number];

export const fileTypes: readonly FileType[] = [...inlineTypes, ...otherTypes];

const pictures: ReadonlySet<string> = new Set(pictureTypes);

/** True for the types of pictures, which have a width and a height, and previews. */
export const isPicture = (type: string): boolean => pictures.has(type);

const inline: ReadonlySet<string> = new Set(inlineTypes);

export const isInline = (type: string): boolean => inline.has(type);

/** Brands of MPEG-4 files that browsers play (ISO/IEC 14496-12, 4.3). Others are pictures, or QuickTime's own. */
const mp4Brands = new Set(
  'isom iso2 iso3 iso4 iso5 iso6 mp41 mp42 avc1 dash mmp4 MSNV M4V M4A 3gp4 3gp5 3gp6'.split(' '),
);

/** The type of a file by its first `HEAD_BYTES`, never by its name or by what its sender says. */
export function typeOf(head: Buffer): FileType {
  const has = (text: string, place = 0) => head.toString('latin1', place, place + text.length) === text;
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  if (has('ftyp', 4) && mp4Brands.has(head.toString('latin1', 8, 12).trim())) return 'video/mp4';
  // EBML (RFC 8794, 11.2.6), whose document type WebM names.
  if (has('\x1a\x45\xdf\xa3') && head.includes('\x42\x82\x84webm', 'latin1')) return 'video/webm';
  if (has('ID3') || isMpegAudio(head)) return 'audio/mpeg';
  if (has('%PDF-')) return 'application/pdf';
  if (has('PK\x03\x04')) return 'application/zip';
  return 'application/octet-stream';
}

/** True for the header of a frame of MPEG audio, layer III (ISO/IEC 11172-3, 2.4.1.3), with values that are in use. */
function isMpegAudio(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  const rate = third >> 4;
  return (
    first === 0xff &&
    second >= 0xe0 &&
    version !== 1 &&
    layer === 1 &&
    rate > 0 &&
    rate < 15 &&
    ((third >> 2) & 3) < 3
  );
}
