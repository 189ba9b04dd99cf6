// @run sqlite: tests the content of files, which no database stores
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { assertRefused, dataOf } from '../support/expect.ts';
import { box, chunk, photo, png, SECRET } from '../support/pictures.ts';
import { content, plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Images and videos: their size, their previews and the removal of their metadata.

let world: World;
let ada: Client;
before(async () => {
  world = await World.open();
  ada = await world.client(await world.server(await world.user()), ['canEditData']);
});
after(() => world.close());

const file = async (bytes: Uint8Array, name = 'picture'): Promise<Json> =>
  dataOf(await upload(world, ada, Buffer.from(bytes), name));
const bytesOf = async ({ id }: Json, query = ''): Promise<Buffer> =>
  (await content(world, ada, id, { query })).bytes;

test('a JPEG loses its personal metadata, keeps its pixels and orientation, and is not re-encoded', async () => {
  const given = await photo().jpeg().toBuffer();
  assert.ok(given.includes(SECRET));
  // A comment, an application segment, and a video appended by a phone.
  const segment = (marker: number, text: string) =>
    Buffer.concat([Buffer.from([0xff, marker, 0, text.length + 2]), Buffer.from(text)]);
  const full = Buffer.concat([
    given.subarray(0, 2),
    segment(0xfe, `comment ${SECRET}`),
    segment(0xed, `Photoshop 3.0 ${SECRET}`),
    // Only the colour profile may stay, in its own segment.
    segment(0xe5, `ICC_PROFILE\0${SECRET}`),
    segment(0xe2, `MPF\0${SECRET}`),
    segment(0xe2, 'ICC'),
    given.subarray(2),
    Buffer.from(`film ${SECRET}`),
  ]);
  const made = await file(full);
  assert.deepEqual([made.type, made.width, made.height], ['image/jpeg', 40, 60]);
  const kept = await bytesOf(made);
  assert.equal(made.bytes, kept.length);
  assert.ok(!kept.includes(SECRET) && !kept.includes('Exif\0\0II*\0\x08\0\0\0\x02'));
  assert.equal((await sharp(kept).metadata()).orientation, 6);
  assert.deepEqual(await sharp(kept).raw().toBuffer(), await sharp(given).raw().toBuffer());
});

test('PNG, WebP and GIF lose their metadata too', async () => {
  const text = chunk('tEXt', Buffer.from(`Comment\0${SECRET}`));
  const pngs = Buffer.concat([png(30, 20, text, chunk('eXIf', Buffer.from(SECRET))), Buffer.from(SECRET)]);
  const webp = await photo().webp().toBuffer();
  const gif = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .gif()
    .toBuffer();
  const comment = Buffer.concat([
    Buffer.from([0x21, 0xfe, SECRET.length]),
    Buffer.from(SECRET),
    Buffer.from([0]),
  ]);
  const gifs = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1), Buffer.from(SECRET)]);
  for (const [type, given, plain, size] of [
    ['image/png', pngs, png(30, 20), [30, 20]],
    ['image/webp', webp, webp, [60, 40]],
    ['image/gif', gifs, gif, [30, 20]],
  ] as const) {
    assert.ok(given.includes(SECRET), type);
    const made = await file(given);
    assert.deepEqual([made.type, made.width, made.height], [type, ...size], type);
    const kept = await bytesOf(made);
    assert.ok(!kept.includes(SECRET), type);
    assert.deepEqual(await sharp(kept).raw().toBuffer(), await sharp(plain).raw().toBuffer(), type);
  }
});

test('every kind of WebP, including animations, stays intact', async () => {
  const frames = await sharp({
    create: { width: 8, height: 24, channels: 4, background: '#3698', pageHeight: 8 } as never,
  })
    .gif()
    .toBuffer()
    .catch(() => undefined);
  const plain = sharp({ create: { width: 8, height: 9, channels: 4, background: '#3698' } });
  const all = [
    await plain.clone().webp().toBuffer(),
    await plain.clone().webp({ lossless: true }).toBuffer(),
  ];
  if (frames) all.push(await sharp(frames, { animated: true }).webp().toBuffer());
  for (const given of all) {
    const made = await file(given);
    assert.deepEqual([made.type, made.width], ['image/webp', 8]);
    const read = (bytes: Buffer) => sharp(bytes, { animated: true }).raw().toBuffer();
    assert.deepEqual(await read(await bytesOf(made)), await read(given));
  }
});

test("an MP4 video's size is detected; its user data is removed, while everything else stays at its offset", async () => {
  const track = Buffer.alloc(84);
  track.writeInt32BE(0x10000, 40);
  track.writeUInt16BE(640, 76);
  track.writeUInt16BE(360, 80);
  const user = box('udta', box('\xa9xyz', Buffer.from(SECRET)));
  const given = Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\0\0isomavc1')),
    box(
      'moov',
      box('mvhd', Buffer.alloc(100)),
      box('trak', box('tkhd', track), user),
      // An audio track, which nearly every video has.
      box('trak', box('tkhd', Buffer.alloc(84)), user, box('mdia', plainBytes(300))),
      user,
    ),
    box('uuid', Buffer.alloc(100_000, SECRET)),
    box('mdat', plainBytes(5000)),
  ]);
  const made = await file(given, 'film.mp4');
  assert.deepEqual([made.type, made.width, made.height, made.bytes], ['video/mp4', 640, 360, given.length]);
  const kept = await bytesOf(made);
  assert.ok(!kept.includes(SECRET));
  for (const type of ['mdia', 'mdat']) assert.equal(kept.indexOf(type), given.indexOf(type), type);
  assert.deepEqual(kept.subarray(-5000), given.subarray(-5000));
});

test('a large image has two previews and a placeholder, and a small one only a placeholder', async () => {
  const large = await file(await photo(2400, 1800).jpeg().toBuffer());
  assert.deepEqual([large.width, large.height, large.previews], [1800, 2400, ['small', 'large']]);
  for (const [size, side] of [
    ['small', 480],
    ['large', 1600],
  ] as const) {
    const { headers, bytes } = await content(world, ada, large.id, { query: `?preview=${size}` });
    assert.equal(headers.get('content-type'), 'image/webp');
    const { width, height, exif } = await sharp(bytes).metadata();
    assert.deepEqual([width, height, exif], [side * 0.75, side, undefined]);
  }
  const part = await content(world, ada, large.id, {
    query: '?preview=small',
    headers: { range: 'bytes=0-3' },
  });
  assert.equal(part.bytes.toString(), 'RIFF');
  const small = await file(await photo().png().toBuffer());
  assert.deepEqual(small.previews, []);
  for (const { thumbhash } of [large, small]) assert.match(thumbhash, /^[\w+/]{20,40}=*$/);
  assert.equal((await file(plainBytes())).thumbhash, null);
});

test('images are only decoded by the decoders for their types', async () => {
  assert.notEqual((await file(await photo().png().toBuffer())).thumbhash, null);
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
  await assert.rejects(sharp(svg).png().toBuffer(), /unsupported/);
});

test('decoding takes little memory: without a cache, and in one thread', async () => {
  await file(await photo().png().toBuffer());
  assert.deepEqual([sharp.concurrency(), sharp.cache().memory.max], [1, 0]);
});

test('decompression bombs are rejected by their header or never decompressed', async () => {
  for (const bomb of [png(50_000, 50_000), png(0, 10)])
    assertRefused(await upload(world, ada, Buffer.from(bomb)), 'INVALID_REQUEST', 'a bomb', 'file');
  const huge = Buffer.from(await photo().jpeg().toBuffer());
  const frame = huge.indexOf(Buffer.from([0xff, 0xc0]));
  huge.writeUInt16BE(65_000, frame + 5);
  huge.writeUInt16BE(65_000, frame + 7);
  assertRefused(await upload(world, ada, huge), 'INVALID_REQUEST', 'a JPEG', 'file');
  // PNG texts that would decompress to megabytes are removed without being read.
  const texts = await file(png(10, 10, chunk('zTXt', deflateSync(Buffer.alloc(50_000_000)))));
  assert.ok(texts.bytes < 500);
});

test('broken images, and images with a million chunks, are files without a special type', async () => {
  const jpeg = await photo().jpeg().toBuffer();
  const whole = png(30, 20);
  const parts = Array.from({ length: 250_000 }, () => chunk('tEXt', Buffer.alloc(0)));
  for (const given of [
    jpeg.subarray(0, jpeg.length / 2),
    whole.subarray(0, -20),
    png(30, 20, Buffer.concat(parts)),
    Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(1_000_000, 0xff)]),
    Buffer.concat([Buffer.from('GIF89a'), Buffer.alloc(7), Buffer.alloc(2_000_000, 0x01)]),
    Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), box('moov', Buffer.alloc(3))]),
    Buffer.concat([box('ftyp', Buffer.from('isom\0\0\0\0')), box('moov').fill(0xff, 0, 4)]),
  ]) {
    const made = await file(given);
    assert.deepEqual([made.type, made.bytes, made.previews], ['application/octet-stream', given.length, []]);
  }
});

test('corrupted images never break an upload', async () => {
  const pictures = await Promise.all([
    photo().jpeg().toBuffer(),
    photo().webp().toBuffer(),
    photo().png().toBuffer(),
    photo().gif().toBuffer(),
  ]);
  let state = 7;
  const random = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  for (let round = 0; round < 60; round++) {
    const given = Buffer.from(pictures[round % pictures.length] as Buffer);
    for (let change = 0; change < 5; change++) given[random(Math.min(given.length, 400))] = random(256);
    const { status } = await upload(world, ada, given.subarray(0, given.length - random(50)));
    assert.ok(status === 200 || status === 400, `${status}`);
    if (status === 400) continue;
  }
});
