// @run sqlite: tests the files of a release
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, verify } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import {
  git,
  imageContext,
  imagePaths,
  requireCommitted,
  SIGNATURE,
  SUMS,
  signSums,
  writeSums,
  zipAgain,
} from '../../scripts/releaseFiles.ts';
import { Stage } from '../support/process.ts';

// Tests the steps of `npm run release`. `cli/executable` tests that two builds of the executable are identical.

const root = join(import.meta.dirname, '..', '..');
const stage = new Stage();
const repository = stage.folder();
before(() => {
  for (const path of imagePaths()) {
    const isFile = /\.\w+$|LICENSE$/.test(path);
    const file = join(repository, isFile ? path : join(path, 'file.txt'));
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, `the text of ${path}\n`);
  }
  writeFileSync(join(repository, 'other.txt'), 'not for the image\n');
  writeFileSync(join(repository, '.gitignore'), 'ignored\n');
  commit('--allow-empty');
});
after(() => stage.close());

function commit(...args: string[]): string {
  git(repository, 'init', '--quiet');
  git(repository, 'add', '--all');
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false'];
  git(repository, ...who, 'commit', '--quiet', '--message', 'A commit', ...args);
  return String(git(repository, 'rev-parse', 'HEAD')).trim();
}

test('a release is refused unless everything is committed', () => {
  writeFileSync(join(repository, 'ignored'), 'built files');
  requireCommitted(repository);
  writeFileSync(join(repository, 'new.txt'), 'new');
  assert.throws(() => requireCommitted(repository), /there are changes:\n\?\? new\.txt$/);
  git(repository, 'clean', '--quiet', '--force');
  requireCommitted(repository);
});

test("the image's build context has every file that the image needs, and depends only on the commit", () => {
  const head = String(git(repository, 'rev-parse', 'HEAD')).trim();
  const first = imageContext(repository, head, 'palaver-image');
  const names = listOf(first);
  for (const path of imagePaths())
    assert.ok(
      names.some((name) => name.startsWith(`palaver-image/${path}`)),
      path,
    );
  assert.ok(!names.some((name) => /other\.txt|ignored/.test(name)), String(names));

  utimesSync(join(repository, 'LICENSE'), 1, 1);
  writeFileSync(join(repository, 'docs', 'file.txt'), 'not committed');
  git(repository, 'config', 'tar.umask', '0077');
  assert.ok(imageContext(repository, head, 'palaver-image').equals(first));
  assert.ok(!imageContext(repository, commit(), 'palaver-image').equals(first));
});

/** The names in a compressed tarball. */
function listOf(tarball: Buffer): string[] {
  const { stdout, status, stderr } = spawnSync('tar', ['tzf', '-'], { input: tarball, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim().split('\n');
}

test('the paths of the context exist in the checkout, and the Dockerfile is among them', () => {
  for (const path of imagePaths()) assert.ok(existsSync(join(root, path)), path);
  assert.ok(imagePaths().includes('deploy'));
});

test("npm's tarball is recompressed to the same bytes for every level and system", () => {
  const folder = stage.folder();
  const bytes = readFileSync(join(root, 'package-lock.json'));
  const made = [1, 9].map((level) => {
    const path = join(folder, `${level}.tgz`);
    const given = gzipSync(bytes, { level: level as 1 | 9 });
    given[9] = level;
    writeFileSync(path, given);
    zipAgain(path);
    return readFileSync(path);
  });
  assert.ok(made[0]?.equals(made[1] as Buffer));
  assert.ok(gunzipSync(made[0] as Buffer).equals(bytes));
});

test('the checksums cover all files, and the signature is valid for them', async () => {
  const folder = stage.folder();
  for (const name of ['b.tgz', 'a.tgz']) writeFileSync(join(folder, name), name);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const made = [];
  // The second time, there are already sums and a signature.
  for (let time = 0; time < 2; time++) {
    await writeSums(folder);
    signSums(folder, pem);
    made.push([readFileSync(join(folder, SUMS), 'utf8'), readFileSync(join(folder, SIGNATURE), 'base64')]);
  }
  assert.deepEqual(made[0], made[1]);
  const sums = readFileSync(join(folder, SUMS));
  const line = (name: string) => `${createHash('sha256').update(name).digest('hex')}  ${name}\n`;
  assert.equal(String(sums), line('a.tgz') + line('b.tgz'));
  assert.ok(verify(null, sums, publicKey, readFileSync(join(folder, SIGNATURE))));
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const rsa = String(other.export({ type: 'pkcs8', format: 'pem' }));
  assert.throws(() => signSums(folder, rsa), /must be an Ed25519 key/);
});
