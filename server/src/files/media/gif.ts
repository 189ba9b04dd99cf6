import type { Picture } from './picture.ts';
import { Malformed, Pieces, type Source } from './piece.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const COMMENT = 0xfe;
const APPLICATION = 0xff;
/** The application identifiers of blocks that contain an animation's loop count. */
const REPEATS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** Returns the size of a colour table in bytes. The low three bits of the flags encode it. */
const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));

/**
 * Parses a GIF (GIF89a specification). Drops comments, and application data except an animation's loop
 * count. Throws `Malformed`.
 */
export async function readGif(source: Source): Promise<Picture> {
  const head = await source.read(0, 13);
  const pieces = new Pieces();
  let place = 13 + tableBytes(head[10] as number);
  pieces.add({ from: 0, to: place });
  for (;;) {
    source.step();
    const kind = (await source.read(place, 1))[0];
    if (kind === TRAILER) {
      pieces.add({ from: place, to: place + 1 });
      return { width: head.readUInt16LE(6), height: head.readUInt16LE(8), pieces: pieces.list };
    }
    let data: number;
    let isKept = true;
    if (kind === IMAGE) {
      const flags = (await source.read(place + 9, 1))[0] as number;
      data = place + 10 + tableBytes(flags) + 1;
    } else if (kind === EXTENSION) {
      const label = (await source.read(place + 1, 1))[0];
      data = place + 2;
      if (label === COMMENT) isKept = false;
      if (label === APPLICATION)
        isKept = REPEATS.includes((await source.read(data + 1, 11)).toString('latin1'));
    } else {
      throw new Malformed('there is no block');
    }
    const end = await endOfBlocks(source, data);
    if (isKept) pieces.add({ from: place, to: end });
    place = end;
  }
}

/**
 * Skips a sequence of length-prefixed sub-blocks, which ends with an empty one. Returns the position after
 * it.
 */
const endOfBlocks = (source: Source, from: number): Promise<number> =>
  source.scan(from, 1, (some) => {
    let at = 0;
    while (at < some.length) {
      const length = some[at] as number;
      at += length + 1;
      if (length === 0) return { passed: at, isFound: true };
    }
    return { passed: at, isFound: false };
  });
