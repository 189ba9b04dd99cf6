// @run sqlite: parses files, without a database
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileType } from '../../server/src/files/media/type.ts';
import { type Bytes, joined, parsed, textOf } from '../support/parsed.ts';
import { box, chunk, png, SECRET } from '../support/pictures.ts';

// The parsers of images and videos, with files built byte by byte: which bytes they keep, and what they reject.

const MALFORMED = 'application/octet-stream';

const jpegPart = (marker: number, ...content: Bytes[]): Buffer => {
  const data = joined(...content);
  return joined([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255], data);
};
const SOI = [0xff, 0xd8];
const EOI = [0xff, 0xd9];
const frame = (marker = 0xc0, height = 40, width = 60) =>
  jpegPart(marker, [8, 0, height, 0, width, 1, 1, 0x11, 0]);
/** A scan whose data contains 0xff bytes that do not end it: escaped ones, restart markers and fill bytes. */
const scan = joined(
  jpegPart(0xda, [1, 1, 0, 0, 63, 0]),
  [1, 0xff, 0, 2, 0xff, 0xd0, 3, 0xff, 0xd7, 0xff, 0xff, 0, 4],
);
const exif = (value: number, order: 'II' | 'MM' = 'MM', more = 0): Buffer => {
  const tiff = Buffer.alloc(10 + 12 * (more + 1));
  const short = (number: number, at: number) =>
    order === 'II' ? tiff.writeUInt16LE(number, at) : tiff.writeUInt16BE(number, at);
  tiff.write(order, 'latin1');
  short(42, 2);
  short(8, order === 'II' ? 4 : 6);
  short(more + 1, 8);
  short(0x0112, 10 + 12 * more);
  short(value, 18 + 12 * more);
  return jpegPart(0xe1, 'Exif\0\0', tiff);
};

test('a JPEG keeps the segments that affect rendering, and all scans', async () => {
  const kept = [
    jpegPart(0xe0, 'JFIF\0'),
    jpegPart(0xee, 'Adobe'),
    jpegPart(0xe2, 'ICC_PROFILE\0'),
    jpegPart(0xdb, [0]),
    frame(),
    ...[
      [0xff, 0x01],
      [0xff, 0xd0],
      [0xff, 0xd8],
    ],
    scan,
    jpegPart(0xc4, [0]),
    scan,
  ];
  const dropped = [0xe1, 0xe3, 0xed, 0xef, 0xfe].map((marker) => jpegPart(marker, `ICC_PROFILE\0${SECRET}`));
  const found = await parsed(SOI, ...dropped, jpegPart(0xe2, 'ICC_PROFILE'), [0xff], ...kept, EOI, SECRET);
  assert.deepEqual([found.type, found.width, found.height], ['image/jpeg', 60, 40]);
  assert.deepEqual([found.kept, found.isWhole], [textOf(SOI, ...kept, EOI), false]);
  const empty = await parsed(SOI, frame(), jpegPart(0xda, [1, 1, 0, 0, 63, 0]), EOI);
  assert.deepEqual([empty.type, empty.isWhole], ['image/jpeg', true]);
});

test("a JPEG's size is that of its first frame, rotated by its first orientation", async () => {
  const sizeOf = async (...parts: Uint8Array[]) => {
    const { type, width, height } = await parsed(SOI, ...parts, scan, EOI);
    return [type, width, height];
  };
  for (const marker of [0xc0, 0xc1, 0xc3, 0xc5, 0xc7, 0xc9, 0xcb, 0xcd, 0xcf])
    assert.deepEqual(await sizeOf(frame(marker), frame(0xc2, 1, 2)), ['image/jpeg', 60, 40], `${marker}`);
  for (const marker of [0xbf, 0xc4, 0xc8, 0xcc])
    assert.deepEqual(await sizeOf(frame(marker)), [MALFORMED, null, null], `${marker} is no frame`);
  const turned = ['image/jpeg', 40, 60];
  const upright = ['image/jpeg', 60, 40];
  for (const value of [0, 1, 2, 3, 4, 9, 256]) assert.deepEqual(await sizeOf(exif(value), frame()), upright);
  for (const value of [5, 6, 7, 8])
    for (const order of ['II', 'MM'] as const)
      for (const more of [0, 2]) assert.deepEqual(await sizeOf(exif(value, order, more), frame()), turned);
  assert.deepEqual(await sizeOf(exif(3), exif(6), frame()), upright);
  assert.deepEqual(await sizeOf(exif(1), exif(6), frame()), turned);
  for (const value of [2, 3, 4, 5, 6, 7, 8]) {
    const { kept } = await parsed(SOI, exif(value, 'II'), frame(), EOI);
    assert.ok(kept.includes(`Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0${textOf([value])}\0\0`));
  }
});

test('an Exif segment that is short, malformed or something else sets no orientation', async () => {
  const whole = exif(6).subarray(4);
  const segments = Array.from({ length: whole.length }, (_, bytes) => whole.subarray(0, bytes));
  segments.push(joined('http\0\0', whole.subarray(6)), joined('Exif\0\0II', whole.subarray(8)));
  // An entry beyond the last one, and an invalid value.
  segments.push(joined(whole.subarray(0, 15), [0], whole.subarray(16)), exif(9).subarray(4));
  for (const segment of segments) {
    const found = await parsed(SOI, jpegPart(0xe1, segment), frame(), EOI);
    assert.equal(found.kept, textOf(SOI, frame(), EOI), `${segment.length} bytes`);
  }
});

test('a malformed JPEG has no special type', async () => {
  const whole = [SOI, frame(), scan, EOI] as const;
  assert.equal((await parsed(...whole)).type, 'image/jpeg');
  for (const parts of [
    [SOI, EOI],
    [SOI, frame(), [0xfe, 0xd9]],
    [SOI, [0xff, 0xe0, 0, 1], frame(), EOI],
    [SOI, frame(), [0xff, 0xdb, 0, 3]],
    [SOI, frame(), scan],
    [SOI, frame()],
  ])
    assert.equal((await parsed(...parts)).type, MALFORMED);
});

/** The start of a GIF with a colour table of four colours. Its images can have their own tables. */
const gifHead = joined('GIF89a', [60, 0, 40, 0, 0x81, 0, 0], Array(12).fill(7));
const gifImage = (flags: number, table: number) =>
  joined([0x2c], Array(8).fill(0), [flags], Array(table).fill(0), [8, 3, 1, 1, 1, 1, 1, 0]);
const gifBlock = (label: number, ...blocks: string[]) =>
  joined([0x21, label], ...blocks.map((text) => joined([text.length], text)), [0]);

test('a GIF keeps its frames, pauses and loop count, and loses everything else', async () => {
  const kept = [
    gifBlock(0xf9, '\0\0\0\0'),
    gifBlock(0xff, 'NETSCAPE2.0', '\x01\0\0'),
    gifBlock(0xff, 'ANIMEXTS1.0', '\x01\0\0'),
    gifImage(0x80, 6),
    gifImage(0, 0),
    gifImage(0x87, 768),
    gifImage(0x07, 0),
  ];
  const [first, ...others] = kept as [Buffer, ...Buffer[]];
  const dropped = [gifBlock(0xfe, SECRET, SECRET), gifBlock(0xff, 'XMP DataXMP', SECRET)];
  const found = await parsed(gifHead, ...dropped, first, ...dropped, ...others, ';', SECRET);
  assert.deepEqual([found.type, found.width, found.height], ['image/gif', 60, 40]);
  assert.equal(found.kept, textOf(gifHead, ...kept, ';'));
  const plain = joined('GIF87a', [1, 0, 2, 0, 0x07, 0, 0], gifImage(0, 0), ';');
  const { isWhole: isPlainWhole, width, height } = await parsed(plain);
  assert.deepEqual([isPlainWhole, width, height], [true, 1, 2]);
  assert.equal((await parsed(plain, 'x')).isWhole, false);
  assert.equal((await parsed(gifHead, 'x;')).type, MALFORMED);
});

test('PNG chunks are dropped unless they affect rendering', async () => {
  const transparent = chunk('tRNS', Buffer.from([0, 1]));
  const whole = png(30, 20, transparent);
  const { kept, width, height } = await parsed(png(30, 20, chunk('tIME', Buffer.alloc(7)), transparent), 'x');
  assert.deepEqual([kept, width, height], [whole.toString('latin1'), 30, 20]);
  assert.equal((await parsed(whole)).isWhole, true);
  const start = whole.subarray(0, 8);
  for (const part of [
    whole.subarray(8, 20),
    chunk('IHDR', Buffer.alloc(12)),
    chunk('IEND', Buffer.alloc(13)),
  ])
    assert.equal((await parsed(start, part, chunk('IEND', Buffer.alloc(0)))).type, MALFORMED);
  assert.equal((await parsed(whole.subarray(0, -1))).type, MALFORMED);
});

const track = (width: number, height: number, version = 0, scale = 0x10000): Buffer => {
  const data = Buffer.alloc(version === 1 ? 96 : 84);
  const matrix = data.subarray(-44);
  data[0] = version;
  matrix.writeInt32BE(scale, 0);
  matrix.writeUInt16BE(width, 36);
  matrix.writeUInt16BE(height, 40);
  return box('trak', box('tkhd', data));
};
/** A box with a 64-bit size. */
const largeBox = (type: string, content: string, bytes = 16 + content.length): Buffer =>
  joined([0, 0, 0, 1], type, [0, 0, 0, 0, 0, 0, bytes >> 8, bytes & 255], content);
const brand = box('ftyp', Buffer.from('isom\0\0\0\0'));

test("an MP4's size is that of its first video track, as rotated", async () => {
  const sizeOf = async (...tracks: Buffer[]) => {
    const { type, width, height } = await parsed(
      brand,
      box('moov', ...tracks),
      box('free', Buffer.alloc(99)),
    );
    return [type, width, height];
  };
  const sound = track(0, 0);
  assert.deepEqual(await sizeOf(sound), ['video/mp4', null, null]);
  assert.equal((await parsed(brand, box('moov', track(640, 360)))).width, 640);
  assert.deepEqual(await sizeOf(sound, track(640, 360), track(64, 36)), ['video/mp4', 640, 360]);
  assert.deepEqual(await sizeOf(track(640, 360, 1), track(64, 36)), ['video/mp4', 640, 360]);
  assert.deepEqual(await sizeOf(track(640, 360, 0, 0x1000000)), ['video/mp4', 640, 360]);
  assert.deepEqual(await sizeOf(track(640, 360, 0, 0)), ['video/mp4', 360, 640]);
  assert.deepEqual(await sizeOf(track(640, 0), track(0, 360), track(64, 36)), ['video/mp4', 64, 36]);
  for (const version of [0, 1]) {
    const short = track(640, 360, version).subarray(16, -1);
    assert.deepEqual(await sizeOf(box('trak', box('tkhd', short))), [MALFORMED, null, null]);
  }
});

test('boxes of an MP4 with metadata are zeroed, however their size is given', async () => {
  const films = [largeBox('mdat', 'film'), joined([0, 0, 0, 0], 'mdat', 'film')];
  for (const film of films) {
    for (const type of ['udta', 'meta', 'uuid']) {
      const nested = box('moov', box('trak', largeBox(type, SECRET)));
      const { kept, type: found } = await parsed(brand, largeBox(type, SECRET), box(type), nested, film);
      const free = largeBox('free', '\0'.repeat(SECRET.length), 16 + SECRET.length);
      assert.equal(found, 'video/mp4');
      assert.equal(kept, textOf(brand, free, box('free'), box('moov', box('trak', free)), film));
    }
  }
  const last = await parsed(brand, [0, 0, 0, 0], 'meta', SECRET);
  assert.equal(last.kept, textOf(brand, [0, 0, 0, 0], 'free', '\0'.repeat(SECRET.length)));
  const { kept } = await parsed(brand, box('uuid', Buffer.alloc(64 * 1024 + 1, 1)), films[0] as Buffer);
  assert.equal(kept, textOf(brand, box('free', Buffer.alloc(64 * 1024 + 1)), films[0] as Buffer));
});

test('boxes of an MP4 have a valid size, within the box around them, and at most eight levels', async () => {
  const nested = (levels: number): Buffer => (levels === 0 ? box('free') : box('moov', nested(levels - 1)));
  const typeOfFilm = async (...parts: Bytes[]) => (await parsed(brand, ...parts)).type;
  assert.equal(await typeOfFilm(nested(8)), 'video/mp4');
  assert.equal(await typeOfFilm(nested(9)), MALFORMED);
  assert.equal(await typeOfFilm(largeBox('mdat', '')), 'video/mp4');
  assert.equal(await typeOfFilm(largeBox('mdat', '', 15), 'x'.repeat(20)), MALFORMED);
  assert.equal(await typeOfFilm(joined([0, 0, 0, 7], 'mdat', 'x'.repeat(20))), MALFORMED);
  const long = box('free', Buffer.alloc(5));
  long.writeUInt32BE(14, 0);
  assert.equal(await typeOfFilm(box('moov', long), box('free')), MALFORMED);
});

test('other files are kept whole', async () => {
  for (const [type, text] of [
    ['application/pdf', '%PDF-1'],
    [MALFORMED, 'GIF89a'],
  ])
    assert.deepEqual(await parsed(text as string), {
      ...{ type, width: null, height: null, pieces: [{ from: 0, to: 6 }], kept: text, isWhole: true },
    });
});

test('a file may have 50,000 parts', async () => {
  const many = (part: Buffer, amount: number) => Buffer.alloc(part.length * amount, part);
  const files: [FileType, (amount: number) => Promise<{ type: FileType }>][] = [
    ['image/jpeg', (amount) => parsed(SOI, many(joined([0xff, 1]), amount - 2), frame(), EOI)],
    ['image/gif', (amount) => parsed(gifHead, many(gifBlock(0xf9), amount - 1), ';')],
    ['image/png', (amount) => parsed(png(3, 2, many(chunk('tRNS', Buffer.alloc(0)), amount - 3)))],
    ['video/mp4', (amount) => parsed(brand, many(box('free'), amount - 1))],
  ];
  for (const [type, file] of files) {
    assert.equal((await file(50_000)).type, type);
    assert.equal((await file(50_001)).type, MALFORMED, type);
  }
});

test('a block or marker may begin where a read of 64 KB ends', async () => {
  for (const shift of [-2, -1, 0, 1, 2]) {
    const bytes = 64 * 1024 - shift;
    const blocks = joined(
      Buffer.alloc(256 * 254, joined([255], Array(255).fill(1))),
      [bytes - gifHead.length - 11 - 256 * 254 - 1],
      Buffer.alloc(bytes - gifHead.length - 11 - 256 * 254 - 1, 1),
    );
    const gif = joined(gifHead, [0x2c], Array(9).fill(0), [8], blocks, [1, 1, 0], ';');
    assert.deepEqual([(await parsed(gif)).isWhole, gif.length], [true, bytes + 4], `GIF, ${shift}`);
    const start = joined(SOI, frame(), jpegPart(0xda, [1, 1, 0, 0, 63, 0]));
    const jpeg = joined(start, Buffer.alloc(bytes - start.length, 1), EOI);
    assert.equal((await parsed(jpeg)).isWhole, true, `JPEG, ${shift}`);
    const { type } = await parsed(jpeg.subarray(0, -2), [0xff, 0, 1], EOI);
    assert.equal(type, 'image/jpeg', `JPEG with data, ${shift}`);
  }
});

test('WebP chunks are dropped unless they affect rendering', async () => {
  const riff = (bytes: number) => joined('RIFF', [bytes & 255, bytes >> 8, 0, 0], 'WEBP');
  const part = (type: string, content: Buffer) =>
    joined(type, [content.length, 0, 0, 0], content, content.length % 2 === 0 ? '' : '\0');
  const lossless = part('VP8L', joined([0x2f, 0x3b, 0xc0, 0x09, 0x00]));
  const lossy = part('VP8 ', joined([0, 0, 0, 0x9d, 1, 0x2a, 60, 0x40, 40, 0x80]));
  const extended = (flags: number) => part('VP8X', joined([flags, 1, 2, 3, 59, 0, 0, 39, 0, 0]));
  const more = [part('ALPH', joined('odd')), part('ICCP', joined('even'))];
  const size = (parts: Buffer[]) => joined(...parts).length;
  const secrets = [part('EXIF', joined(SECRET, 'x')), part('XMP ', joined(SECRET))];
  for (const first of [lossless, lossy, extended(0x32)]) {
    const kept = [first, ...more];
    const all = [first, ...secrets, ...more];
    const found = await parsed(riff(4 + size(all)), ...all, SECRET);
    assert.deepEqual([found.type, found.width, found.height], ['image/webp', 60, 40]);
    assert.equal(found.kept, textOf(riff(4 + size(kept)), ...kept));
    assert.equal((await parsed(riff(4 + first.length), first)).width, 60);
    const short = await parsed(riff(4 + size(all)), joined(...all).subarray(0, -1));
    assert.equal(short.type, MALFORMED);
  }
  const flagged = [extended(0xff), lossy];
  const { kept } = await parsed(riff(4 + size(flagged)), ...flagged);
  assert.equal(kept, textOf(riff(4 + size(flagged)), extended(0xf3), lossy));
  for (const none of [
    part('ALPH', Buffer.alloc(10)),
    part('VP8L', Buffer.alloc(4)),
    part('VP8 ', Buffer.alloc(9)),
  ])
    assert.equal((await parsed(riff(4 + none.length), none)).type, MALFORMED);
});
