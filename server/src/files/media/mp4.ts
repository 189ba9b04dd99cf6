import type { Picture } from './picture.ts';
import { Malformed, Pieces, type Source } from './piece.ts';

/**
 * Boxes with metadata such as camera and location. They are zeroed, not removed, because other boxes contain
 * byte offsets into the file.
 */
const emptied = new Set(['udta', 'meta', 'uuid']);
/** Boxes that may contain boxes with metadata. */
const containers = new Set(['moov', 'trak']);
/** Maximum nesting of these boxes. Normal files have two levels. */
const MAX_DEPTH = 8;
const FREE = Buffer.from('free');
const ZEROS = Buffer.alloc(64 * 1024);

type Size = { width: number; height: number };

/**
 * Parses an MPEG-4 file (ISO/IEC 14496-12). Returns the size of its video and the pieces to keep. Throws
 * `Malformed`.
 */
export async function readMp4(source: Source): Promise<Picture> {
  const pieces = new Pieces();
  const size = await boxes(source, pieces, 0, { from: 0, to: source.bytes });
  return { width: size?.width ?? null, height: size?.height ?? null, pieces: pieces.list };
}

async function boxes(
  source: Source,
  pieces: Pieces,
  depth: number,
  { from, to }: { from: number; to: number },
): Promise<Size | undefined> {
  if (depth > MAX_DEPTH) throw new Malformed('too many levels');
  let size: Size | undefined;
  for (let place = from; place < to; ) {
    source.step();
    const { type, head, end } = await boxAt(source, place, to);
    if (emptied.has(type)) {
      pieces.add({ from: place, to: place + 4 });
      pieces.add(FREE);
      pieces.add({ from: place + 8, to: place + head });
      for (let left = end - place - head; left > 0; left -= ZEROS.length)
        pieces.add(ZEROS.subarray(0, Math.min(left, ZEROS.length)));
    } else if (containers.has(type)) {
      pieces.add({ from: place, to: place + head });
      // `size ??= await …` would be wrong, because every track has to be scanned, even once the size is
      // known.
      const found = await boxes(source, pieces, depth + 1, { from: place + head, to: end });
      size ??= found;
    } else {
      if (type === 'tkhd') size ??= await sizeIn(source, place + head, end);
      pieces.add({ from: place, to: end });
    }
    place = end;
  }
  return size;
}

/**
 * Reads a box header. Returns the box's type, the header's length, and the end of the box. Size 1 means that
 * a 64-bit size follows; 0 means that the box extends to the end of the file.
 */
async function boxAt(source: Source, place: number, to: number) {
  const start = await source.read(place, 8);
  const type = start.toString('latin1', 4);
  let head = 8;
  let bytes = start.readUInt32BE(0);
  if (bytes === 0) bytes = to - place;
  if (bytes === 1) {
    bytes = Number((await source.read(place + 8, 8)).readBigUInt64BE(0));
    head = 16;
  }
  const end = place + bytes;
  if (bytes < head || end > to) throw new Malformed('a box is truncated');
  return { type, head, end };
}

/**
 * Returns the size in a track header, rotated according to the header's matrix. Undefined for a track without
 * video.
 */
async function sizeIn(source: Source, place: number, end: number): Promise<Size | undefined> {
  const version = (await source.read(place, 1))[0];
  const matrix = place + (version === 1 ? 52 : 40);
  if (matrix + 44 > end) throw new Malformed('a track is truncated');
  const data = await source.read(matrix, 44);
  const width = data.readUInt16BE(36);
  const height = data.readUInt16BE(40);
  if (width === 0 || height === 0) return undefined;
  return data.readInt32BE(0) === 0 ? { width: height, height: width } : { width, height };
}
