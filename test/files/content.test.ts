// @run sqlite: tests responses with files, which no database stores
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type FileType, typeOf } from '../../server/src/files/media/type.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { content, plainBytes, upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// The bytes of files over HTTP: ranges, headers and malicious names.

let world: World;
let ada: Client;
before(async () => {
  world = await World.open();
  ada = await world.client(await world.server(await world.user()), ['canEditData']);
});
after(() => world.close());

const file = async (bytes: Uint8Array<ArrayBuffer>, name?: string): Promise<Json> =>
  dataOf(await upload(world, ada, bytes, name));

/** A file that starts with these bytes, followed by a script. */
const behind = (head: string) =>
  Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from('<script>1</script>')]);

const mp4Box = (type: string, text: string) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + text.length, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, Buffer.from(text, 'latin1')]);
};

test('byte ranges follow RFC 9110', async () => {
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251));
  const { id } = await file(bytes);
  const part = async (range: string, headers: Record<string, string> = {}) => {
    const answer = await content(world, ada, id, { headers: { range, ...headers } });
    return [answer.status, answer.headers.get('content-range'), answer.bytes.length, answer.bytes[0]];
  };
  assert.deepEqual(await part('bytes=0-0'), [206, 'bytes 0-0/1000', 1, 0]);
  assert.deepEqual(await part('bytes=10-19'), [206, 'bytes 10-19/1000', 10, 10]);
  assert.deepEqual(await part('bytes=990-5000'), [206, 'bytes 990-999/1000', 10, bytes[990]]);
  assert.deepEqual(await part('bytes=995-'), [206, 'bytes 995-999/1000', 5, bytes[995]]);
  assert.deepEqual(await part('bytes=-3'), [206, 'bytes 997-999/1000', 3, bytes[997]]);
  assert.deepEqual(await part('bytes=-5000'), [206, 'bytes 0-999/1000', 1000, 0]);
  // Several ranges, invalid ones and other units may be ignored.
  for (const range of ['bytes=0-1,4-5', 'bytes=5-2', 'bytes=-', 'bytes=a-b', 'lines=1-2'])
    assert.deepEqual(await part(range), [200, null, 1000, 0], range);
  const whole = await content(world, ada, id);
  const etag = whole.headers.get('etag') as string;
  assert.deepEqual(await part('bytes=0-0', { 'if-range': etag }), [206, 'bytes 0-0/1000', 1, 0]);
  assert.deepEqual(await part('bytes=0-0', { 'if-range': '"other"' }), [200, null, 1000, 0]);
  for (const range of ['bytes=1000-', 'bytes=5000-6000', 'bytes=-0']) {
    const answer = await ada.get(`/attachments/${id}/content`, { range });
    assertRefused(answer, 'INVALID_REQUEST', range, 'Range');
    assert.equal(answer.headers.get('content-range'), 'bytes */1000');
  }
});

test('HEAD returns the size and no content', async () => {
  const { id } = await file(plainBytes(5000));
  const head = await content(world, ada, id, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('content-length'), head.bytes.length], [200, '5000', 0]);
});

test('files are served so that nothing in them runs and nothing caches them', async () => {
  const { id } = await file(behind('GIF89a'));
  const { headers } = await content(world, ada, id);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; frame-ancestors 'none'; sandbox");
  assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
  assert.equal(headers.get('cache-control'), 'private, no-store');
  assert.equal(headers.get('accept-ranges'), 'bytes');
});

test('the type is detected from the content: SVG, HTML and the like are downloads, regardless of their names', async () => {
  const asPicture: [string, Buffer<ArrayBuffer>][] = [
    ['picture.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>')],
    ['picture.png', Buffer.from('<!doctype html><script>1</script>')],
    ['picture.gif', Buffer.from('\ufeff<html>')],
    ['film.mp4', Buffer.from('....ftypqt  ....')],
    ['photo.avif', Buffer.from('\0\0\0\x1cftypavif\0\0\0\0')],
    ['page.html', plainBytes()],
    ['book.epub', Buffer.from('PK\x03\x04aaaa')],
    ['paper.pdf', Buffer.from('%PDF-1.7 <script>1</script>')],
    // These files start like images, but are something else.
    ['short.png', behind('\x89PNG\r\n\x1a\n')],
    ['short.jpg', behind('\xff\xd8\xff\xe0')],
    ['short.gif', behind('GIF89a')],
    ['short.webp', behind('RIFF\x10\0\0\0WEBP')],
  ];
  for (const [name, bytes] of asPicture) {
    const { id, type } = await file(bytes, name);
    const { headers, bytes: given } = await content(world, ada, id);
    assert.match(headers.get('content-disposition') ?? '', /^attachment; /, name);
    assert.equal(headers.get('content-type'), type, name);
    assert.doesNotMatch(type, /^(image|video|audio|text)/, name);
    assert.deepEqual(given, bytes, name);
  }
});

test('common audio is detected by its first bytes, and played in the page', async () => {
  const page = (packet: string) => `OggS\0\x02${'\0'.repeat(20)}\x01\x13${packet}`;
  const m4a = Buffer.concat([Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0', 'latin1'), mp4Box('udta', 'made by')]);
  const sounds: [string, string | null, Buffer<ArrayBuffer>][] = [
    ['note.wav', 'audio/wav', behind('RIFF\x24\0\0\0WAVEfmt ')],
    ['opus.ogg', 'audio/ogg', behind(page('OpusHead'))],
    ['vorbis.ogg', 'audio/ogg', behind(page('\x01vorbis'))],
    ['note.flac', 'audio/flac', behind('fLaC\0\0\0\x22')],
    ['note.aac', 'audio/aac', behind('\xff\xf1\x50\x80')],
    ['memo.m4a', 'audio/mp4', m4a],
    // These files only begin like audio.
    ['film.ogv', null, behind(page('\x80theora'))],
    ['list.avi', null, behind('RIFF\x24\0\0\0AVI LIST')],
    ['rate.aac', null, behind('\xff\xf1\x74\x80')],
    ['cut.m4a', null, behind('\0\0\0\x10ftypM4A ')],
  ];
  for (const [name, expected, bytes] of sounds) {
    const { id, type } = await file(bytes, name);
    assert.equal(type, expected ?? 'application/octet-stream', name);
    const { headers, bytes: given } = await content(world, ada, id);
    assert.equal(headers.get('content-type'), type, name);
    const disposition = headers.get('content-disposition') ?? '';
    assert.match(disposition, expected ? /^inline; / : /^attachment; /, name);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
    if (name === 'memo.m4a') assert.equal(given.includes('made by'), false, 'metadata is removed');
  }
});

test('the first bytes decide the type', () => {
  const ogg = (packet: string, parts = 1) =>
    `OggS\0\x02${'\0'.repeat(20)}${String.fromCharCode(parts)}${'\t'.repeat(parts)}${packet}`;
  const ebml = '\x1a\x45\xdf\xa3\x01\x42\x82\x84';
  const all: Partial<Record<FileType, string[]>> = {
    'image/webp': ['RIFF....WEBP'],
    'audio/wav': ['RIFF....WAVE'],
    'audio/mp4': ['....ftypM4A ', '....ftypM4B '],
    'video/mp4': ['....ftypisom', '....ftypM4V '],
    'video/webm': [`${ebml}webm`],
    'audio/ogg': [ogg('OpusHead'), ogg('\x01vorbis'), ogg('\x7fFLAC', 3)],
    'audio/flac': ['fLaC'],
    'audio/aac': ['\xff\xf0\0', '\xff\xf1\xb3', '\xff\xf9\x70'],
    'audio/mpeg': ['ID3', '\xff\xe2\x10', '\xff\xf3\x18', '\xff\xfb\xe8'],
    'application/pdf': ['%PDF-'],
    'application/octet-stream': [
      ...['RIFF....AVI ', '........WEBP', '........WAVE', '....ftypqt  ', '........isom', `${ebml}mkv`],
      ...[`....${ebml}webm`, ogg('\x80theora'), ogg('OpusHead').replace('OggS', 'oggs'), '.ID3', ''],
      // Invalid headers of AAC, then of MPEG audio.
      ...['\xfe\xf1\x50', '\xff\xf5\x50', '\xff\xe1\x50', '\xff\xf1\x74', '\xff'],
      ...['\xff\xea\x50', '\xff\xdb\x50', '\xff\xfd\x50', '\xfe\xfb\x50'],
      ...['\xff\xfb\x08', '\xff\xfb\xf0', '\xff\xfb\x5c'],
    ],
  };
  for (const [type, heads] of Object.entries(all))
    for (const head of heads) assert.equal(typeOf(Buffer.from(head, 'latin1')), type, JSON.stringify(head));
});

test('names are plain text: paths, control characters and quotes in them do no harm', async () => {
  const names: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\Windows\\system.ini', 'system.ini'],
    ['..', 'file'],
    ['photo\u202egnp.exe', 'photognp.exe'],
    ['a\tb\u0000c.txt', 'abc.txt'],
    ['übung "für" 100%.txt', 'übung "für" 100%.txt'],
    [`${'long'.repeat(100)}.jpeg`, `${'long'.repeat(100).slice(0, 195)}.jpeg`],
    ['𝒜.txt', '𝒜.txt'],
  ];
  for (const [given, kept] of names) {
    const { id, name } = await file(plainBytes(10), given);
    assert.equal(name, kept.replaceAll('"', name.includes('%22') ? '%22' : '"'));
    const { headers } = await content(world, ada, id);
    const [, ascii, encoded] =
      /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w.%!~-]+)$/.exec(
        headers.get('content-disposition') ?? '',
      ) ?? [];
    assert.doesNotMatch(ascii ?? '"', /["\\]/);
    assert.equal(decodeURIComponent(encoded ?? ''), name);
  }
});

test('a deleted file, a missing preview and an unknown id are NOT_FOUND', async () => {
  const { id } = await file(plainBytes());
  assertRefused(await ada.get(`/attachments/${id}/content?preview=small`), 'NOT_FOUND');
  assertRefused(await ada.get(`/attachments/${id}/content?preview=huge`), 'INVALID_REQUEST');
  assertRefused(await ada.get('/attachments/nothing/content'), 'NOT_FOUND');
  dataOf(await ada.delete(`/attachments/${id}`));
  assertRefused(await ada.get(`/attachments/${id}/content`), 'NOT_FOUND');
});
