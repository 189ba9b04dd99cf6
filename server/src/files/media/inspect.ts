/**
 * Removes metadata such as the camera, the location and the author from uploaded media. Files are not decoded
 * and re-encoded, because that would take hundreds of megabytes for a phone's photo and reduce quality.
 * Instead, each format's parser returns the list of pieces to keep, and the file is copied piece by piece
 * (docs/decisions/0055).
 *
 * Invariants:
 *
 * - Allowlists: PNG and WebP chunks, GIF application blocks and JPEG application segments that are not known
 *   to affect rendering are dropped, as is anything after the end of the image. Of the Exif data in a JPEG,
 *   only the orientation is kept. In MP4, where other boxes contain byte offsets, metadata boxes are
 *   overwritten with zeros of the same length.
 * - Pixels are untouched: kept pieces are copied byte for byte.
 * - Bounded work: a parser reads windows of 64 KB, at most `MAX_STEPS` parts and `MAX_PIECES` pieces,
 *   regardless of what the file claims. It works in slices of a few milliseconds, and one slice per turn of
 *   the event loop runs in the whole process, round-robin over tenants.
 * - A file that a parser rejects is stored unchanged as `application/octet-stream`, which browsers download
 *   and never display. WebM, audio other than MP4, PDF and ZIP are stored unchanged as well.
 */

import { open } from 'node:fs/promises';
import { Turns } from '../../lib/turns.ts';
import { readGif } from './gif.ts';
import { readJpeg } from './jpeg.ts';
import { readMp4 } from './mp4.ts';
import type { Picture } from './picture.ts';
import { Malformed, Source, type Turn } from './piece.ts';
import { readPng } from './png.ts';
import { type FileType, HEAD_BYTES, typeOf } from './type.ts';
import { readWebp } from './webp.ts';

const readers: Partial<Record<FileType, (source: Source) => Promise<Picture>>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/webp': readWebp,
  'video/mp4': readMp4,
  'audio/mp4': readMp4,
};

/** A file as it will be stored. */
export interface Inspected extends Picture {
  type: FileType;
}

/** Runs one slice of parsing at a time. */
const slices = new Turns();

/** Schedules the slices of a tenant's files. */
export const turnOf =
  (tenant: string): Turn =>
  () =>
    slices.run(tenant, async () => {});

/**
 * Detects a file's type by its content, and returns it with the size in pixels and the pieces to keep. A
 * malformed or truncated file has the type `application/octet-stream`. `turn` schedules the slices of work.
 */
export async function inspect(path: string, bytes: number, turn: Turn): Promise<Inspected> {
  const whole = { width: null, height: null, pieces: [{ from: 0, to: bytes }] };
  const handle = await open(path, 'r');
  try {
    const source = new Source(handle, bytes, turn);
    const type = typeOf(await source.read(0, Math.min(HEAD_BYTES, bytes)));
    const read = readers[type];
    if (!read) return { type, ...whole };
    return { type, ...(await read(source)) };
  } catch (error) {
    if (error instanceof Malformed) return { type: 'application/octet-stream', ...whole };
    throw error;
  } finally {
    await handle.close();
  }
}

/** Whether the file is kept unchanged. */
export const isWhole = ({ pieces }: Picture, bytes: number): boolean => {
  const [first] = pieces;
  if (pieces.length !== 1 || !first || first instanceof Uint8Array) return false;
  return first.from === 0 && first.to === bytes;
};
