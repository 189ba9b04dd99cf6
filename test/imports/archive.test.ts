// @run sqlite: reads archives, without an engine
import assert from 'node:assert/strict';
import { linkSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type OpenArchive, openArchive } from '../../server/src/imports/archive.ts';
import { ArchiveRefused } from '../../server/src/imports/row.ts';
import { tarOf, tarred, unpack, zipOf, zipped } from '../support/archives.ts';

const folder = mkdtempSync(join(tmpdir(), 'archives-'));
after(() => rmSync(folder, { recursive: true }));

const limits = { entries: 100, bytes: 50_000_000, ratio: 200, smallBytes: 100_000 };
let number = 0;
/** Opens an archive with these bytes. Temporary files go to the folder that the tests check. */
async function opened(bytes: Buffer): Promise<OpenArchive> {
  const path = join(folder, `archive${number++}`);
  writeFileSync(path, bytes);
  return openArchive(path, { limits, scratch: folder });
}

const contentOf = async (archive: OpenArchive, path: string): Promise<string> =>
  Buffer.concat(await Array.fromAsync(await archive.open(path))).toString();

const files = {
  'users.json': '[]',
  'a folder/with spaces.txt': 'text',
  [`deep/${'long name '.repeat(15)}.txt`]: 'x'.repeat(5_000),
};

test('folders and zip, tar and tar.gz archives yield the same files', async () => {
  const archives = [
    await openArchive(unpack(files, join(folder, 'plain'))),
    await opened(zipped(files)),
    await opened(tarred(files)),
    await opened(tarOf(Object.entries(files).map(([name, content]) => ({ name, content })))),
  ];
  for (const archive of archives) {
    assert.deepEqual(archive.paths, Object.keys(files).sort());
    await archive.verify();
    for (const [path, content] of Object.entries(files)) {
      assert.equal(archive.sizeOf(path), content.length);
      assert.equal(await contentOf(archive, path), content);
    }
    await assert.rejects(archive.open('users.json/..'), ArchiveRefused);
    await archive.close();
  }
  const single = await opened(Buffer.from('{"type":"version"}\n'));
  assert.equal(await contentOf(single, single.paths[0] as string), '{"type":"version"}\n');
});

test('backslashes separate names, and files that macOS adds are ignored', async () => {
  const archive = await opened(
    zipped({ 'a\\b.txt': '1', './c.txt': '2', '__MACOSX/._b': '3', 'a/.DS_Store': '4' }),
  );
  assert.deepEqual(archive.paths, ['a/b.txt', 'c.txt']);
  await archive.close();
});

const text = Buffer.from('0123456789'.repeat(100));
const zeros = Buffer.alloc(5_000_000);
const many = Array.from({ length: 101 }, (_, index) => ({ name: `${index}` }));
const hostile: [string, Buffer, RegExp][] = [
  ['a path that climbs', zipped({ '../evil': 'x' }), /points outside of it/],
  ['a path that climbs later', zipped({ 'a/../../evil': 'x' }), /points outside of it/],
  ['a path that climbs with backslashes', zipped({ '..\\evil': 'x' }), /points outside of it/],
  ['an absolute path', zipped({ '/etc/passwd': 'x' }), /absolute path/],
  ['a path with a drive', zipped({ 'C:\\evil': 'x' }), /absolute path/],
  ['a path with a null character', zipped({ 'a\0b': 'x' }), /null character/],
  ['a deep path', zipped({ [`${'a/'.repeat(50)}b`]: 'x' }), /too long/],
  ['a link', zipOf([{ name: 'a', content: '/etc/passwd', mode: 0o120777 }]), /link or special file/],
  ['a device', zipOf([{ name: 'a', mode: 0o020666 }]), /link or special file/],
  ['two files of one name', zipOf([{ name: 'a' }, { name: 'b' }, { name: 'a' }]), /two files named "a"/],
  ['two names of one file', zipOf([{ name: 'a/b' }, { name: 'a//b' }]), /two files named/],
  ['a file that is a folder', zipOf([{ name: 'a' }, { name: 'a/b' }]), /a file and a folder/],
  [
    'files that overlap',
    zipOf([
      { name: 'a', content: text },
      { name: 'b', content: text, isShared: true },
    ]),
    /overlap/,
  ],
  ['a bomb', zipped({ bomb: zeros }), /more than 200 times its size/],
  ['too many entries', zipOf(many), /more than 100 entries/],
  ['files that are too large', zipOf([{ name: 'a', bytes: 60_000_000 }]), /too large/],
  ['an end that is missing', zipped(files).subarray(0, 200), /damaged/],
  ['a tar with a path that climbs', tarOf([{ name: '../evil' }]), /points outside of it/],
  ['a tar with a link', tarOf([{ name: 'a', content: '', type: '2' }]), /link or special file/],
  ['a tar with a hard link', tarOf([{ name: 'a', content: '', type: '1' }]), /link or special file/],
  ['a tar with two files of one name', tarOf([{ name: 'a' }, { name: 'a' }]), /two files named/],
  ['a tar with too many entries', gzipSync(tarOf(many)), /more than 100 entries/],
  ['a tar that is cut off', tarOf([{ name: 'a', content: text }]).subarray(0, 900), /is truncated/],
  ['a tar.gz that is cut off', tarred(files).subarray(0, -20), /damaged/],
  ['a tar.gz bomb', gzipSync(zeros), /more than 200 times its size/],
  ['a gzip of something else', gzipSync('hello '.repeat(100)), /header/],
];

test('hostile archives are refused, and nothing is left behind', async () => {
  const before = readdirSync(folder).filter((name) => name.startsWith('palaver-import'));
  for (const [what, bytes, message] of hostile)
    await assert.rejects(opened(bytes), (error: Error) => {
      assert.ok(error instanceof ArchiveRefused, `${what}: ${error.stack}`);
      assert.match(error.message, message, what);
      assert.doesNotMatch(error.message, new RegExp(folder), what);
      return true;
    });
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('palaver-import')),
    before,
  );
});

test('links and special files in folders are refused', async () => {
  const place = unpack({ 'a.txt': 'a', 'inner/b.txt': 'b' }, join(folder, 'linked'));
  linkSync(join(place, 'a.txt'), join(place, 'inner/same.txt'));
  await (await openArchive(place)).close();
  symlinkSync('/etc/passwd', join(place, 'inner/link'));
  await assert.rejects(openArchive(place), /link or special file: "inner\/link"/);
});

test('a file that becomes a link is not read', async () => {
  const place = unpack({ 'a.txt': 'a' }, join(folder, 'changed'));
  const archive = await openArchive(place);
  rmSync(join(place, 'a.txt'));
  symlinkSync('/etc/passwd', join(place, 'a.txt'));
  await assert.rejects(contentOf(archive, 'a.txt'), { code: 'ELOOP' });
});

test('wrong checksums and sizes are found when a file is read', async () => {
  for (const wrong of [{ checksum: 1 }, { bytes: 999 }, { bytes: 1_001 }]) {
    const archive = await opened(zipOf([{ name: 'good' }, { name: 'bad', content: text, ...wrong }]));
    await assert.rejects(archive.verify(), ArchiveRefused);
    assert.equal(await contentOf(archive, 'good'), '');
    await assert.rejects(contentOf(archive, 'bad'), ArchiveRefused);
    await archive.close();
  }
});

test('damaged bytes anywhere cause no crash or hang, and no path outside the archive', async () => {
  const whole = [
    zipped(files),
    tarred(files),
    tarOf(Object.entries(files).map(([name, content]) => ({ name, content }))),
  ];
  for (const bytes of whole) {
    const step = Math.ceil(bytes.length / 150);
    for (let at = 0; at < bytes.length; at += step) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
      for (const damaged of [flipped, bytes.subarray(0, at)]) await readOrRefused(damaged);
    }
  }
});

async function readOrRefused(bytes: Buffer): Promise<void> {
  try {
    const archive = await opened(bytes);
    try {
      assert.ok(archive.paths.every((path) => !path.startsWith('/') && !path.split('/').includes('..')));
      await archive.verify();
    } finally {
      await archive.close();
    }
  } catch (error) {
    assert.ok(error instanceof ArchiveRefused, String((error as Error).stack));
  }
}
