import type { Picture } from './picture.ts';
import { Malformed, Pieces, type Source } from './piece.ts';

/** The flags for Exif and XMP in the extended header (RFC 9649, 2.7.1). */
const EXIF = 0x08;
const XMP = 0x04;
const kept = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);

/** Parses a WebP (RFC 9649). Returns its size and the pieces to keep. Throws `Malformed`. */
export async function readWebp(source: Source): Promise<Picture> {
  const pieces = new Pieces();
  let size: { width: number; height: number } | undefined;
  const end = Math.min(source.bytes, 8 + (await source.read(4, 4)).readUInt32LE(0));
  let bytes = 4;
  for (let place = 12; place + 8 <= end; ) {
    source.step();
    const head = await source.read(place, 8);
    const type = head.toString('latin1', 0, 4);
    const length = head.readUInt32LE(4);
    const next = place + 8 + length + (length % 2);
    if (next > source.bytes) throw new Malformed('a chunk is truncated');
    if (kept.has(type)) {
      bytes += next - place;
      size ??= await sizeIn(source, type, place + 8, length);
      if (type === 'VP8X') {
        const flags = (await source.read(place + 8, 1))[0] as number;
        pieces.add({ from: place, to: place + 8 });
        pieces.add(Buffer.from([flags & ~(EXIF | XMP)]));
        pieces.add({ from: place + 9, to: next });
      } else {
        pieces.add({ from: place, to: next });
      }
    }
    place = next;
  }
  if (!size) throw new Malformed('there is no image data');
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(bytes, 4);
  return { ...size, pieces: [head, ...pieces.list] };
}

async function sizeIn(
  source: Source,
  type: string,
  place: number,
  length: number,
): Promise<{ width: number; height: number } | undefined> {
  if (length < 10) {
    if (type !== 'VP8L' || length < 5) return undefined;
  }
  if (type === 'VP8X') {
    const data = await source.read(place, 10);
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  }
  if (type === 'VP8 ') {
    const data = await source.read(place, 10);
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type !== 'VP8L') return undefined;
  const bits = (await source.read(place, 5)).readUInt32LE(1);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}
