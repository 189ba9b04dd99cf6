import { documentTypeOf, documentTypes } from './zip.ts';

const pictureTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

/** Types that a browser may display inline, because none of them can run code. */
const inlineTypes = [
  ...pictureTypes,
  ...(['video/mp4', 'video/webm'] as const),
  ...(['audio/mpeg', 'audio/mp4', 'audio/wav', 'audio/ogg', 'audio/flac', 'audio/aac'] as const),
] as const;

/**
 * Number of bytes at the start of a file that determine its type. Most types have a signature there.
 * Documents that are ZIP files are identified by their first entries.
 */
export const HEAD_BYTES = 16 * 1024;
const MARK_BYTES = 64;

const otherTypes = [
  'application/pdf',
  ...documentTypes,
  'application/zip',
  'application/octet-stream',
] as const;

/** The media types that files are served with. */
export type FileType = (typeof inlineTypes)[number] | (typeof otherTypes)[number];

export const fileTypes: readonly FileType[] = [...inlineTypes, ...otherTypes];

const pictures: ReadonlySet<string> = new Set(pictureTypes);

/** Whether files of this type are images, with a width, a height and previews. */
export const isPicture = (type: string): boolean => pictures.has(type);

const inline: ReadonlySet<string> = new Set(inlineTypes);

export const isInline = (type: string): boolean => inline.has(type);

/** MPEG-4 brands that browsers play (ISO/IEC 14496-12, 4.3). Other brands are images, or QuickTime. */
const mp4Brands = new Set(
  'isom iso2 iso3 iso4 iso5 iso6 mp41 mp42 avc1 dash mmp4 MSNV M4V 3gp4 3gp5 3gp6'.split(' '),
);

/** Detects a file's type by its first `HEAD_BYTES`, never by its name or the type that the client claims. */
export function typeOf(whole: Buffer): FileType {
  const head = whole.subarray(0, MARK_BYTES);
  const has = (text: string, place = 0) => head.toString('latin1', place, place + text.length) === text;
  if (has('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (has('\xff\xd8\xff')) return 'image/jpeg';
  if (has('GIF87a') || has('GIF89a')) return 'image/gif';
  if (has('RIFF') && has('WEBP', 8)) return 'image/webp';
  if (has('ftypM4A ', 4) || has('ftypM4B ', 4)) return 'audio/mp4';
  if (has('ftyp', 4) && mp4Brands.has(head.toString('latin1', 8, 12).trim())) return 'video/mp4';
  // Whether the bytes are an EBML header (RFC 8794, 11.2.6) with WebM as the document type.
  if (has('\x1a\x45\xdf\xa3') && head.includes('\x42\x82\x84webm', 'latin1')) return 'video/webm';
  if (has('ID3') || isMpegAudio(head)) return 'audio/mpeg';
  if (has('RIFF') && has('WAVE', 8)) return 'audio/wav';
  if (has('OggS\0\x02') && isOggAudio(head)) return 'audio/ogg';
  if (has('fLaC')) return 'audio/flac';
  if (isAdts(head)) return 'audio/aac';
  if (has('%PDF-')) return 'application/pdf';
  if (has('PK\x03\x04')) return documentTypeOf(whole.subarray(0, HEAD_BYTES)) ?? 'application/zip';
  return 'application/octet-stream';
}

/** Whether the bytes are a valid MPEG audio layer III frame header (ISO/IEC 11172-3, 2.4.1.3). */
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

/** Whether the first packet of an Ogg stream (RFC 3533, 6) starts an Opus, Vorbis or FLAC stream. */
function isOggAudio(head: Buffer): boolean {
  const packet = head.toString('latin1', 27 + (head[26] ?? 0));
  return ['OpusHead', '\x01vorbis', '\x7fFLAC'].some((mark) => packet.startsWith(mark));
}

/** Whether the bytes are a valid ADTS header for AAC (ISO/IEC 13818-7, 6.2). */
function isAdts(head: Buffer): boolean {
  const [first = 0, second = 0, third = 0] = head;
  return first === 0xff && (second & 0xf6) === 0xf0 && ((third >> 2) & 15) < 13;
}
