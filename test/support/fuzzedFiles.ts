import sharp from 'sharp';
import { box, chunk, photo, png } from './pictures.ts';

/** Almost valid images and videos for the parser tests. */

/** Pseudo-random integers from 0 up to, but not including, `below`: the same sequence for the same seed. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Numbers that trip up parsers. */
const odd = [0, 1, 2, 7, 8, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/** An almost valid file: a sample with a few changes, and possibly the end of another one. */
export function changed(given: Buffer, other: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(given);
  for (let left = 1 + random(4); left > 0 && bytes.length > 8; left--) {
    const place = random(bytes.length - 8);
    const number = odd[random(odd.length)] as number;
    switch (random(7)) {
      case 0:
        bytes[place] = random(256);
        break;
      case 1:
        bytes.writeUInt32BE(number, place);
        break;
      case 2:
        bytes.writeUInt32LE(number, place);
        break;
      case 3:
        bytes.writeUInt16BE(number & 0xffff, place);
        break;
      case 4:
        bytes = bytes.subarray(0, place + 1);
        break;
      case 5:
        bytes = Buffer.concat([bytes.subarray(0, place), bytes.subarray(random(place + 1))]);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, place), other.subarray(random(other.length))]);
    }
    if (bytes.length > 2_000_000) return bytes.subarray(0, 2_000_000);
  }
  return bytes;
}

/** A small valid file of each parsed format. */
export async function sampleFiles(): Promise<Buffer[]> {
  const track = Buffer.alloc(84);
  track.writeUInt16BE(640, 76);
  track.writeUInt16BE(360, 80);
  return [
    await photo().jpeg().toBuffer(),
    await photo().jpeg({ progressive: true }).toBuffer(),
    await photo().webp().toBuffer(),
    await sharp({ create: { width: 9, height: 9, channels: 4, background: '#3698' } })
      .webp({ lossless: true })
      .toBuffer(),
    await photo().gif().toBuffer(),
    png(30, 20, chunk('tEXt', Buffer.from('Comment\0text'))),
    Buffer.concat([
      box('ftyp', Buffer.from('isom\0\0\0\0isomavc1')),
      box(
        'moov',
        box('trak', box('tkhd', track)),
        box('trak', box('tkhd', Buffer.alloc(84)), box('udta', box('name'))),
      ),
      box('uuid', Buffer.alloc(100)),
      box('mdat', Buffer.alloc(300)),
    ]),
  ];
}
