import type { Picture } from './picture.ts';
import { Malformed, Pieces, type Source } from './piece.ts';

/** The chunks that affect rendering. All others, such as text, location and time, are dropped. */
const kept = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs hIST sPLT cICP mDCV cLLI acTL fcTL fdAT'.split(
    ' ',
  ),
);

/**
 * Parses a PNG (W3C, Portable Network Graphics, third edition). Returns its size and the pieces to keep.
 * Throws `Malformed`.
 */
export async function readPng(source: Source): Promise<Picture> {
  const pieces = new Pieces();
  pieces.add({ from: 0, to: 8 });
  let width = 0;
  let height = 0;
  for (let place = 8; ; ) {
    source.step();
    const head = await source.read(place, 8);
    const length = head.readUInt32BE(0);
    const type = head.toString('latin1', 4);
    const end = place + 12 + length;
    if (end > source.bytes) throw new Malformed('a chunk is truncated');
    if (place === 8) {
      if (type !== 'IHDR' || length !== 13) throw new Malformed('there is no IHDR');
      const size = await source.read(place + 8, 8);
      width = size.readUInt32BE(0);
      height = size.readUInt32BE(4);
    }
    if (kept.has(type)) pieces.add({ from: place, to: end });
    // Drops trailing bytes, which no program displays and which may contain anything.
    if (type === 'IEND') return { width, height, pieces: pieces.list };
    place = end;
  }
}
