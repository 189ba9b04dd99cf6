import { correctionOf } from './qrCorrection.ts';

// QR codes by ISO/IEC 18004: bytes, versions 1 to 10, a correction of about 15 % (level M). That is enough for any link.

/** Bytes of correction in a block, and the number of blocks, by version. */
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5];
const LEVEL_M = 0;

/** Bits that are not of patterns, of a version: of data, correction, and some left over. */
function bitsIn(version: number): number {
  const aligned = Math.floor(version / 7) + 2;
  const all = (16 * version + 128) * version + 64;
  if (version < 2) return all;
  return all - (25 * aligned - 10) * aligned + 55 - (version < 7 ? 0 : 36);
}

const blocksIn = (version: number): number => BLOCKS[version - 1] as number;
const correctionIn = (version: number): number => CORRECTION[version - 1] as number;
const dataBytesIn = (version: number): number =>
  Math.floor(bitsIn(version) / 8) - blocksIn(version) * correctionIn(version);

/** The text as data of a version: mode, length, bytes, end, and filling. */
function dataOf(bytes: Uint8Array, version: number): number[] {
  const bits: number[] = [];
  const add = (value: number, length: number) => {
    for (let at = length - 1; at >= 0; at--) bits.push((value >>> at) & 1);
  };
  const room = dataBytesIn(version) * 8;
  add(4, 4);
  add(bytes.length, version < 10 ? 8 : 16);
  for (const byte of bytes) add(byte, 8);
  add(0, Math.min(4, room - bits.length));
  add(0, (8 - (bits.length % 8)) % 8);
  for (let fill = 0xec; bits.length < room; fill ^= 0xfd) add(fill, 8);
  return Array.from({ length: room / 8 }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  );
}

/** Data and correction of all blocks, woven into each other. */
function woven(data: readonly number[], version: number): number[] {
  const [count, length] = [blocksIn(version), correctionIn(version)];
  const short = Math.floor(data.length / count);
  const longer = data.length % count;
  const blocks: number[][] = [];
  for (let at = 0, start = 0; at < count; at++) {
    const end = start + short + (at < count - longer ? 0 : 1);
    blocks.push(data.slice(start, end));
    start = end;
  }
  const corrections = blocks.map((block) => correctionOf(block, length));
  const column = (rows: readonly number[][], at: number) => rows.flatMap((row) => row[at] ?? []);
  return [
    ...Array.from({ length: short + 1 }, (_, at) => column(blocks, at)),
    ...Array.from({ length }, (_, at) => column(corrections, at)),
  ].flat();
}

/** Where the small squares have their middles, along each side. */
function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const size = version * 4 + 17;
  const step = Math.ceil((size - 13) / (2 * count - 2)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, at) => size - 7 - at * step).reverse()];
}

const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A value with the remainder by which its bits are corrected. */
function checked(value: number, polynomial: number, length: number): number {
  const top = 1 << length;
  let rest = value;
  for (let at = 0; at < length; at++) rest = (rest << 1) ^ (rest & (top >> 1) ? polynomial : 0);
  return (value << length) | (rest & (top - 1));
}

type Grid = (boolean | undefined)[][];

/** All that every code of a version has, with the mask's number in it; the places of data are undefined. */
function frame(version: number, mask: number): Grid {
  const size = version * 4 + 17;
  const grid: Grid = Array.from({ length: size }, () => Array(size).fill(undefined));
  const put = (x: number, y: number, dark: boolean) => {
    const row = grid[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  for (let at = 0; at < size; at++) {
    put(6, at, at % 2 === 0);
    put(at, 6, at % 2 === 0);
  }
  const square = (x: number, y: number, radius: number, isDark: (distance: number) => boolean) => {
    for (let dy = -radius; dy <= radius; dy++)
      for (let dx = -radius; dx <= radius; dx++)
        put(x + dx, y + dy, isDark(Math.max(Math.abs(dx), Math.abs(dy))));
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(x, y, 4, (distance) => distance !== 2 && distance !== 4);
  const middles = alignments(version);
  const last = middles.length - 1;
  for (const [i, x] of middles.entries())
    for (const [j, y] of middles.entries())
      if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)))
        square(x, y, 2, (distance) => distance !== 1);
  const format = checked((LEVEL_M << 3) | mask, 0x537, 10) ^ 0x5412;
  for (let at = 0; at < 15; at++) {
    const dark = ((format >>> at) & 1) === 1;
    put(8, at < 6 ? at : at < 8 ? at + 1 : size - 15 + at, dark);
    put(at < 8 ? size - 1 - at : at === 8 ? 7 : 14 - at, 8, dark);
  }
  put(8, size - 8, true);
  if (version >= 7) {
    const bits = checked(version, 0x1f25, 12);
    for (let at = 0; at < 18; at++) {
      const [near, far] = [Math.floor(at / 3), size - 11 + (at % 3)];
      put(near, far, ((bits >>> at) & 1) === 1);
      put(far, near, ((bits >>> at) & 1) === 1);
    }
  }
  return grid;
}

/** Fills the places of data, in the zigzag from the end, and masks them. */
function filled(grid: Grid, bytes: readonly number[], mask: number): boolean[][] {
  const size = grid.length;
  const isMasked = masks[mask] as (x: number, y: number) => boolean;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    for (let step = 0; step < size; step++) {
      const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = grid[y] as (boolean | undefined)[];
        if (row[x] !== undefined) continue;
        const dark = (((bytes[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        row[x] = dark !== isMasked(x, y);
        bit++;
      }
    }
  }
  return grid as boolean[][];
}

/** How hard a code is to read: runs, blocks, likenesses of the corners, and too much of one colour. */
function penaltyOf(grid: readonly boolean[][]): number {
  const size = grid.length;
  const at = (x: number, y: number): string => (grid[y]?.[x] ? '1' : '0');
  const lines: string[] = [];
  for (let y = 0; y < size; y++) {
    lines.push(Array.from({ length: size }, (_, x) => at(x, y)).join(''));
    lines.push(Array.from({ length: size }, (_, x) => at(y, x)).join(''));
  }
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    penalty += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++)
      if (new Set([at(x, y), at(x - 1, y), at(x, y - 1), at(x - 1, y - 1)]).size === 1) penalty += 3;
  const dark = grid.flat().filter(Boolean).length;
  return penalty + 10 * Math.floor(Math.abs((dark * 20) / (size * size) - 10));
}

/** The QR code of a text: rows of squares, true for dark. Throws RangeError beyond 213 bytes of UTF-8. */
export function qrCodeOf(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const header = (version: number) => (version < 10 ? 2 : 3);
  const version = BLOCKS.findIndex((_, at) => bytes.length + header(at + 1) <= dataBytesIn(at + 1)) + 1;
  if (version === 0) throw new RangeError('the text is too long for a QR code');
  const woves = woven(dataOf(bytes, version), version);
  const codes = masks.map((_, mask) => filled(frame(version, mask), woves, mask));
  const penalties = codes.map(penaltyOf);
  return codes[penalties.indexOf(Math.min(...penalties))] as boolean[][];
}
