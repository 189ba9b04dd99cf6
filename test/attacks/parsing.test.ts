// @run sqlite: tests parsers of uploads, which read no data
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Incoming } from '../../server/src/files/incoming.ts';
import { inspect } from '../../server/src/files/media/inspect.ts';
import { nameFrom } from '../../server/src/files/name.ts';
import { cpuMs } from '../../server/src/lib/cpu.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { box, chunk, png } from '../support/pictures.ts';
import { inShortSlices } from '../support/slices.ts';
import { World } from '../support/world.ts';

// Files crafted to be as expensive as possible to parse. No file may block the event loop, regardless of its content.

const folder = mkdtempSync(join(tmpdir(), 'palaver-parsing-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const incoming = new Incoming(join(folder, 'incoming'));

const MEGABYTE = 1_000_000;
const latin1 = (text: string) => Buffer.from(text, 'latin1');
const hex = (text: string) => Buffer.from(text, 'hex');
const many = (count: number, bytes: Buffer) => Buffer.alloc(count * bytes.length, bytes);

const film = box('ftyp', latin1('isom\0\0\0\0'));
const frame = hex('ffc0000b080010001001011100');
const gif = latin1('GIF89a\x01\0\x01\0\0\0\0');

/** Nested boxes of two alternating types. */
function nested(levels: number): Buffer {
  const bytes = Buffer.alloc(levels * 8);
  for (let level = 0; level < levels; level++) {
    bytes.writeUInt32BE((levels - level) * 8, level * 8);
    bytes.write(level % 2 === 0 ? 'moov' : 'trak', level * 8 + 4, 'latin1');
  }
  return Buffer.concat([film, bytes]);
}

function webp(...chunks: Buffer[]): Buffer {
  const body = Buffer.concat(chunks);
  const head = latin1('RIFF\0\0\0\0WEBP');
  head.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([head, body]);
}

/** An Exif segment with many directory entries, none of which is an orientation. */
const exif = Buffer.concat([
  hex('ffe1fffe'),
  latin1('Exif\0\0MM'),
  hex('002a00000008ffff'),
  Buffer.alloc(65_534 - 2 - 16, 1),
]);

const files: Record<string, Buffer> = {
  'MP4: 195,000 nested boxes': nested(195_000),
  'MP4: 9 nested boxes': nested(9),
  'MP4: 3 million empty boxes': Buffer.concat([film, many(3_000_000, box('free'))]),
  'MP4: 3 million metadata boxes': Buffer.concat([film, many(3_000_000, box('udta'))]),
  'MP4: tracks until the end': Buffer.concat([
    film,
    box('moov', many(200_000, box('trak', box('tkhd', Buffer.alloc(84))))),
  ]),
  'MP4: boxes with 64-bit sizes': Buffer.concat([
    film,
    many(300_000, hex('00000001667265650000000000000010')),
  ]),
  'JPEG: a scan of 24 MB of ff': Buffer.concat([hex('ffd8ffda0002'), Buffer.alloc(24 * MEGABYTE, 0xff)]),
  'JPEG: a scan of 24 MB of ff00': Buffer.concat([hex('ffd8ffda0002'), many(12 * MEGABYTE, hex('ff00'))]),
  'JPEG: 24 MB of fill bytes': Buffer.concat([hex('ffd8'), Buffer.alloc(24 * MEGABYTE, 0xff)]),
  'JPEG: 4 million empty scans': Buffer.concat([
    hex('ffd8'),
    frame,
    many(4_000_000, hex('ffda0002')),
    hex('ffd9'),
  ]),
  'JPEG: 2 million comments': Buffer.concat([
    hex('ffd8'),
    frame,
    many(2_000_000, hex('fffe0002')),
    hex('ffd9'),
  ]),
  'JPEG: alternating segments': Buffer.concat([
    hex('ffd8'),
    frame,
    many(1_000_000, hex('fffe0002ffdb0002')),
    hex('ffd9'),
  ]),
  'JPEG: 300 Exif directories of 5,400 entries': Buffer.concat([
    hex('ffd8'),
    frame,
    many(300, exif),
    hex('ffd9'),
  ]),
  'JPEG: restart markers': Buffer.concat([hex('ffd8'), frame, many(6 * MEGABYTE, hex('ffd0')), hex('ffd9')]),
  'GIF: 12 million blocks of one byte': Buffer.concat([
    gif,
    hex('21fe'),
    many(12 * MEGABYTE, hex('0100')).fill(1),
  ]),
  'GIF: 8 million empty extensions': Buffer.concat([gif, many(8_000_000, hex('21fe00')), hex('3b')]),
  'GIF: alternating extensions': Buffer.concat([gif, many(2_000_000, hex('21fe0021f900')), hex('3b')]),
  'PNG: 2 million empty chunks': png(1, 1, many(2_000_000, chunk('tEXt', Buffer.alloc(0)))),
  'PNG: alternating chunks': png(
    1,
    1,
    many(900_000, Buffer.concat([chunk('tEXt', Buffer.alloc(0)), chunk('gAMA', Buffer.alloc(0))])),
  ),
  'WebP: 3 million empty chunks': webp(
    many(3_000_000, hex('4143434c00000000')),
    hex('5650384c05000000000000000000'),
  ),
  'WebP: 3 million frames': webp(many(3_000_000, latin1('ANMF\0\0\0\0'))),
  'WebP: alternating chunks': webp(many(1_500_000, latin1('EXIF\0\0\0\0ALPH\0\0\0\0'))),
  'WebM, MP3, PDF and ZIP are not parsed': Buffer.concat([
    latin1('PK\x03\x04'),
    Buffer.alloc(24 * MEGABYTE, 1),
  ]),
};

for (const [what, bytes] of Object.entries(files)) {
  test(`${what}: parsed in short slices`, async (t) => {
    const path = join(folder, 'file');
    writeFileSync(path, bytes);
    const { result, slices } = await inShortSlices(what, async (turn) => {
      const found = await inspect(path, bytes.length, turn);
      const kept = await incoming.assemble({ path, bytes: bytes.length }, found.pieces, turn);
      rmSync(kept.path);
      return found.type;
    });
    t.diagnostic(
      `${result}: ${slices.longestMs.toFixed(1)} ms at most, ${slices.totalMs.toFixed(0)} ms in all`,
    );
  });
}

test('files of several tenants are parsed round-robin: one slice per turn of the event loop', async () => {
  const { turnOf } = await import('../../server/src/files/media/inspect.ts');
  let slices = 0;
  let most = 0;
  let isOver = false;
  const counted = (tenant: string) => {
    const turn = turnOf(tenant);
    return async () => {
      await turn();
      slices++;
    };
  };
  const watch = (): void => {
    most = Math.max(most, slices);
    slices = 0;
    if (!isOver) setImmediate(watch);
  };
  watch();
  const path = join(folder, 'together');
  const bytes = files['MP4: 9 nested boxes'] as Buffer;
  writeFileSync(path, bytes);
  await Promise.all(
    Array.from({ length: 32 }, (_, index) => inspect(path, bytes.length, counted(`tenant ${index % 3}`))),
  );
  isOver = true;
  assert.equal(most, 1);
});

test('a file name of any length is cleaned in a few milliseconds, and keeps its extension', () => {
  const from = cpuMs();
  for (const part of [
    'a',
    '\u200d',
    '😀\u200d',
    '\u0300',
    '1\ufe0f',
    ' ',
    '/',
    '\ud83d',
    '\u{1f3f4}\u{e0067}',
  ]) {
    const name = nameFrom(`${part.repeat(200_000)}.png`);
    assert.ok([...name].length <= 200, part);
  }
  assert.ok(cpuMs() - from < 200);
  assert.match(nameFrom(`${'a'.repeat(200_000)}.png`), /^a{196}\.png$/);
});

test('a form with thousands of empty parts is rejected at the limit, with or without a file before them', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const { key } = await world.client(await world.server(await world.user()), ['canEditData']);
  // The parser that the server uses.
  const { Busboy } = createRequire(import.meta.resolve('../../server/src/http/upload.ts'))('@fastify/busboy');
  let most = 0;
  let all = 0;
  const write = Busboy.prototype._write;
  Busboy.prototype._write = function (chunk: Buffer, encoding: BufferEncoding, done: () => void) {
    most = Math.max(most, chunk.length);
    all += chunk.length;
    return write.call(this, chunk, encoding, done);
  };
  t.after(() => {
    Busboy.prototype._write = write;
  });
  const head = '--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nbytes\r\n';
  const post = async (body: string) => {
    [most, all] = [0, 0];
    const answer = await world.request('POST', '/attachments', {
      raw: body,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=edge' },
    });
    return answer;
  };
  const empty = '--edge\r\n\r\n\r\n'.repeat(60_000 / 12);
  for (const body of [empty, head + empty]) {
    const answer = await post(body);
    assertRefused(answer, 'INVALID_REQUEST');
    assert.match(answer.body.error.message, /too many parts/);
    assert.ok(most <= 512 && all <= 2_048, `${most} bytes at most, ${all} in all`);
  }
  const field = '--edge\r\ncontent-disposition: form-data; name="note"\r\n\r\nharbour\r\n';
  dataOf(await post(`${field.repeat(20)}${head}--edge--\r\n`));
  // A file with lines that look like boundaries arrives whole.
  const lines = '\r\n--edg'.repeat(5_000);
  const { bytes } = dataOf(await post(`${head.replace('bytes', lines)}--edge--\r\n`));
  assert.equal(bytes, lines.length);
});

test('a form without a file is rejected a few megabytes beyond the maximum file size', async (t) => {
  const world = await World.open({ fileMegabytes: 1 });
  t.after(() => world.close());
  const { key } = await world.client(await world.server(await world.user()), ['canEditData']);
  const answer = await world.request('POST', '/attachments', {
    raw: 'preamble'.repeat(1_000_000),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=edge' },
  });
  assertRefused(answer, 'INVALID_REQUEST');
  assert.match(answer.body.error.message, /larger than 5000000 bytes/);
});
