import type { Picture } from './picture.ts';
import { Malformed, Pieces, type Source } from './piece.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COMMENT = 0xfe;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;

/** Whether a marker is a start of frame (ITU T.81, table B.1). C4, C8 and CC have other meanings. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
/** Whether a marker has neither a length nor a segment. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= SOI);

/**
 * Parses a JPEG (ITU T.81). Returns its size as displayed, and the pieces to keep: everything that affects
 * rendering. Only the orientation is kept from Exif. Throws `Malformed`.
 */
export async function readJpeg(source: Source): Promise<Picture> {
  const pieces = new Pieces();
  pieces.add({ from: 0, to: 2 });
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  for (let place = 2; ; ) {
    source.step();
    const [first, marker] = (await source.read(place, 2)) as unknown as [number, number];
    if (first !== 0xff) throw new Malformed('there is no marker');
    if (marker === 0xff) {
      place += 1;
      continue;
    }
    if (marker === EOI || isAlone(marker)) {
      pieces.add({ from: place, to: place + 2 });
      place += 2;
      if (marker !== EOI) continue;
      if (!size) throw new Malformed('there is no frame');
      const isTurned = orientation >= 5;
      return {
        width: isTurned ? size.height : size.width,
        height: isTurned ? size.width : size.height,
        pieces: pieces.list,
      };
    }
    const length = (await source.read(place + 2, 2)).readUInt16BE(0);
    const end = place + 2 + length;
    if (length < 2 || end > source.bytes) throw new Malformed('a segment is truncated');
    if (isFrame(marker) && !size) {
      const frame = await source.read(place + 5, 4);
      size = { height: frame.readUInt16BE(0), width: frame.readUInt16BE(2) };
    }
    if (marker === APP1) {
      const found = orientationIn(await source.read(place + 4, length - 2));
      if (found > 1 && orientation === 1) {
        orientation = found;
        pieces.add(exifWith(orientation));
      }
    } else if (await isKept(source, marker, place + 4, length - 2)) {
      pieces.add({ from: place, to: end });
    }
    place = end;
    if (marker !== SOS) continue;
    const next = await nextMarker(source, place);
    pieces.add({ from: place, to: next });
    place = next;
  }
}

/**
 * Whether to keep a segment. Comments and application segments are dropped, except those that affect
 * rendering: JFIF's and Adobe's segments, and ICC profiles.
 */
async function isKept(source: Source, marker: number, place: number, length: number): Promise<boolean> {
  if (marker === COMMENT) return false;
  if (marker <= APP0 || marker > APP15 || marker === APP14) return true;
  if (marker !== APP2 || length < 12) return false;
  return (await source.read(place, 12)).toString('latin1') === 'ICC_PROFILE\0';
}

/**
 * Returns the position of the next marker after a scan's data. In the data, 0xFF is followed by 0 or by a
 * restart number.
 */
const nextMarker = (source: Source, from: number): Promise<number> =>
  source.scan(from, 2, (some) => {
    const last = some.length - 1;
    // Uses a loop, because `indexOf` would be slower in a file full of 0xFF.
    for (let at = 0; at < last; at++) {
      if (some[at] !== 0xff) continue;
      const next = some[at + 1] as number;
      const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
      if (!isData) return { passed: at, isFound: true };
    }
    // The last byte may be the first half of a marker.
    return { passed: last, isFound: false };
  });

/** Returns the orientation in an Exif segment (CIPA DC-008, 4.6.4), 1 to 8; 1 if it has none. */
function orientationIn(segment: Buffer): number {
  if (segment.length < 14 || segment.toString('latin1', 0, 6) !== 'Exif\0\0') return 1;
  const tiff = segment.subarray(6);
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const short = (place: number) => {
    if (place + 2 > tiff.length) return 0;
    return isLittle ? tiff.readUInt16LE(place) : tiff.readUInt16BE(place);
  };
  const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
  const entries = short(start);
  for (let entry = 0; entry < entries; entry++) {
    const place = start + 2 + entry * 12;
    if (place + 12 > tiff.length) return 1;
    if (short(place) !== 0x0112) continue;
    const value = short(place + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** Creates an Exif segment that contains only an orientation. */
const exifWith = (orientation: number): Uint8Array =>
  Buffer.from(
    `ffe10022${Buffer.from('Exif\0\0MM').toString('hex')}002a0000000800010112000300000001000${orientation}000000000000`,
    'hex',
  );
