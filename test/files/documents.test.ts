// @run sqlite: tests responses with files, which no database stores
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { crc32, deflateRawSync } from 'node:zlib';
import { HEAD_BYTES, typeOf } from '../../server/src/files/media/type.ts';
import { dataOf } from '../support/expect.ts';
import { changed, randomFrom } from '../support/fuzzedFiles.ts';
import { content, upload } from '../support/uploads.ts';
import { type Client, World } from '../support/world.ts';

// How the local parts of ZIP entries are stored.

type How = 'stored' | 'deflated' | 'streamed';

/** The local part of a ZIP entry. In a streamed entry, the sizes follow the data. */
function entry(name: string, text: string, how: How = 'deflated'): Buffer<ArrayBuffer> {
  const whole = Buffer.from(text);
  const data = how === 'stored' ? whole : deflateRawSync(whole);
  const sizes = Buffer.alloc(12);
  sizes.writeUInt32LE(crc32(whole), 0);
  sizes.writeUInt32LE(data.length, 4);
  sizes.writeUInt32LE(whole.length, 8);
  const header = Buffer.alloc(30);
  header.write('PK\x03\x04', 'latin1');
  header.writeUInt16LE(how === 'streamed' ? 8 : 0, 6);
  header.writeUInt16LE(how === 'stored' ? 0 : 8, 8);
  // The date and time that the entry was modified.
  header.writeUInt32LE(0x5d7c_4b21, 10);
  if (how !== 'streamed') sizes.copy(header, 14);
  header.writeUInt16LE(Buffer.byteLength(name), 26);
  const after = how === 'streamed' ? Buffer.concat([Buffer.from('PK\x07\x08', 'latin1'), sizes]) : '';
  return Buffer.concat([header, Buffer.from(name), data, Buffer.from(after)]);
}

const zip = (names: readonly string[], how?: How): Buffer<ArrayBuffer> =>
  Buffer.concat([...names.map((name) => entry(name, `<xml>${name}</xml>`, how)), Buffer.from('PK\x01\x02')]);

const odf = (type: string, how: How = 'stored') =>
  Buffer.concat([entry('mimetype', type, how), entry('content.xml', '<xml/>')]);

/** An entry whose header says that it is compressed, although it is not. */
function mislabelled(name: string, text: string): Buffer<ArrayBuffer> {
  const bytes = entry(name, text, 'stored');
  bytes.writeUInt16LE(8, 8);
  return bytes;
}

/** An entry with an extra field before its data, as Info-ZIP writes it. */
function extended(name: string, text: string): Buffer<ArrayBuffer> {
  const bytes = entry(name, text, 'stored');
  const extra = Buffer.from('UT\x05\x00\x01abcd', 'latin1');
  bytes.writeUInt16LE(extra.length, 28);
  const data = 30 + Buffer.byteLength(name);
  return Buffer.concat([bytes.subarray(0, data), extra, bytes.subarray(data)]);
}

/** An entry with the flag of a streamed one, although its sizes are in its header. Its data looks like a ZIP file. */
function nested(): Buffer<ArrayBuffer> {
  const bytes = entry('inner.zip', `PK\x03\x04${'\0'.repeat(30)}`, 'stored');
  bytes.writeUInt16LE(8, 6);
  return bytes;
}

const many = (count: number) =>
  zip([...Array.from({ length: count - 2 }, (_, at) => `${at}`), CONTENT, 'xl/a'], 'stored');

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
const ODT = 'application/vnd.oasis.opendocument.text';
const ZIP = 'application/zip';
const CONTENT = '[Content_Types].xml';

const documents: readonly (readonly [string, Buffer<ArrayBuffer>, string])[] = [
  ['a.docx', zip([CONTENT, '_rels/.rels', 'word/document.xml']), DOCX],
  ['b.docx', zip(['_rels/.rels', 'docProps/app.xml', 'word/document.xml', CONTENT]), DOCX],
  ['c.docx', zip(['word/document.xml', CONTENT]), DOCX],
  ['a.xlsx', zip([CONTENT, '_rels/.rels', 'xl/workbook.xml'], 'streamed'), XLSX],
  ['a.pptx', zip([CONTENT, '_rels/.rels', 'ppt/presentation.xml'], 'stored'), PPTX],
  ['a.odt', odf(ODT), ODT],
  ['b.odt', Buffer.concat([extended('mimetype', ODT), entry('content.xml', '')]), ODT],
  ['b.xlsx', Buffer.concat([nested(), extended(CONTENT, ''), entry('xl/a', '')]), XLSX],
  ['c.xlsx', many(64), XLSX],
  [
    'a.ods',
    odf('application/vnd.oasis.opendocument.spreadsheet'),
    'application/vnd.oasis.opendocument.spreadsheet',
  ],
  [
    'a.odp',
    odf('application/vnd.oasis.opendocument.presentation'),
    'application/vnd.oasis.opendocument.presentation',
  ],
];

const others: readonly (readonly [string, Buffer<ArrayBuffer>])[] = [
  ['a folder called word', zip(['word/letter.txt', 'word/other.txt'])],
  ['no part of a document', zip([CONTENT, '_rels/.rels'])],
  ['a name of an object', zip([CONTENT, 'constructor/a', '__proto__/a'])],
  ['a file called word', zip([CONTENT, 'word'])],
  ['another type', odf('application/epub+zip')],
  ['any type', odf('text/html')],
  ['a longer type', odf(`${ODT}-template`)],
  ['a compressed type', odf(ODT, 'deflated')],
  ['a type that claims to be compressed', Buffer.concat([mislabelled('mimetype', ODT), entry('a', '')])],
  ['a type that is not the first entry', Buffer.concat([entry('a', ''), odf(ODT)])],
  [
    'parts too far back',
    Buffer.concat([entry('a', 'a'.repeat(HEAD_BYTES), 'stored'), zip([CONTENT, 'xl/a'])]),
  ],
  ['too many entries', many(65)],
  ['a cut header', zip([CONTENT, 'word/document.xml']).subarray(0, 40)],
];

let world: World;
let ada: Client;
before(async () => {
  world = await World.open();
  ada = await world.client(await world.server(await world.user()), ['canEditData']);
});
after(() => world.close());

test('documents are served with their own media types, and browsers download them', async () => {
  for (const [name, bytes, type] of documents) {
    const file = dataOf(await upload(world, ada, bytes, name));
    assert.equal(file.type, type, name);
    const served = await content(world, ada, file.id);
    assert.equal(served.headers.get('content-type'), type, name);
    assert.match(
      served.headers.get('content-disposition') ?? '',
      /^attachment; filename="?[abc]\.\w+"?/,
      name,
    );
    assert.equal(served.headers.get('x-content-type-options'), 'nosniff');
    assert.match(served.headers.get('content-security-policy') ?? '', /sandbox/);
    assert.ok(served.bytes.equals(bytes), name);
  }
});

test('other ZIP files have the media type of ZIP files, regardless of their names', () => {
  for (const [what, bytes] of others) assert.equal(typeOf(bytes), ZIP, what);
});

test('a modified document is quickly detected as one of the known types', () => {
  const samples = [...documents.map(([, bytes]) => bytes), ...others.map(([, bytes]) => bytes)];
  const known = new Set([ZIP, 'application/octet-stream', ...documents.map(([, , type]) => type)]);
  const seed = Number(process.env.PALAVER_TEST_SEED ?? 1 + Math.floor(Math.random() * 1e9));
  const random = randomFrom(seed);
  for (let round = 0; round < 2_000; round++) {
    const [one, other] = [0, 1].map(() => samples[random(samples.length)] as Buffer);
    const bytes = changed(one as Buffer, other as Buffer, random);
    const started = process.cpuUsage();
    const type = typeOf(bytes);
    const { user } = process.cpuUsage(started);
    assert.ok(
      known.has(type) || !bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1')),
      `seed ${seed}: ${type}`,
    );
    assert.ok(user < 50_000, `seed ${seed}, round ${round}: ${user} µs`);
  }
});
