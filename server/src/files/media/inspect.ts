import { open } from 'node:fs/promises';
import { readGif } from './gif.ts';
import { readJpeg } from './jpeg.ts';
import { readMp4 } from './mp4.ts';
import type { Picture } from './picture.ts';
import { Malformed, Source } from './piece.ts';
import { readPng } from './png.ts';
import { type FileType, HEAD_BYTES, typeOf } from './type.ts';
import { readWebp } from './webp.ts';

const readers: Partial<Record<FileType, (source: Source) => Promise<Picture>>> = {
  'image/png': readPng,
  'image/jpeg': readJpeg,
  'image/gif': readGif,
  'image/webp': readWebp,
  'video/mp4': readMp4,
};

/** A file as it is to be kept. */
export interface Inspected extends Picture {
  type: FileType;
}

/**
 * Looks at a file: its type by its content, its size in pixels, and what stays of it without what it tells of its maker. A file
 * that is not whole is of no special type.
 */
export async function inspect(path: string, bytes: number): Promise<Inspected> {
  const whole = { width: null, height: null, pieces: [{ from: 0, to: bytes }] };
  const handle = await open(path, 'r');
  try {
    const source = new Source(handle, bytes);
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

/** True if nothing of the file is left out. */
export const isWhole = ({ pieces }: Picture, bytes: number): boolean => {
  const [first] = pieces;
  if (pieces.length !== 1 || !first || first instanceof Uint8Array) return false;
  return first.from === 0 && first.to === bytes;
};
