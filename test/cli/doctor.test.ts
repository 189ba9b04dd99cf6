// @run sqlite: damages the data file
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { assertFinds as assertFindsIn } from '../support/findings.ts';
import { call, Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

const doctor = (folder: string, ...more: string[]) => stage.run(['doctor', '--data', folder, ...more]);

/** A folder with the data from a first run and an app's secret. */
async function filledFolder(): Promise<string> {
  const folder = stage.folder();
  const server = await stage.start(folder);
  const post = async (path: string, body: object) =>
    (await call(server, 'POST', path, { key: server.key, body })).body.data;
  const { id: appId } = await post('/api/v1/apps', { name: 'Weather' });
  await post('/api/v1/secrets', { kind: 'appSecret', name: 'Token', appId, value: 'a value' });
  for (let number = 0; number < 50; number++)
    await post('/api/v1/messages', {
      channelId: server.channelId,
      content: `${number} ${'text '.repeat(200)}`,
    });
  assert.equal(await server.end(), 0);
  return folder;
}

/** Asserts that the doctor finds a problem in a folder. */
const assertFinds = (folder: string, check: string, message: RegExp) =>
  assertFindsIn((...more) => doctor(folder, ...more), check, message);

test('healthy data passes, even while a server runs on it', async () => {
  const folder = await filledFolder();
  const { ok, findings } = jsonOf(await doctor(folder, '--json'));
  assert.equal(ok, true);
  const checks = findings.map(({ check }: Json) => check);
  for (const check of ['program', 'settings', 'data', 'integrity', 'references', 'secrets', 'space'])
    assert.ok(checks.includes(check), check);
  const shown = await doctor(folder);
  assert.equal(shown.code, 0);
  assert.equal(shown.stderr, '');
  assert.doesNotMatch(shown.stdout, /PROBLEM/);
  const server = await stage.start(folder);
  assert.equal(jsonOf(await doctor(folder, '--json')).ok, true);
  assert.equal(await server.end(), 0);
});

test('a folder without data is reported', async () => {
  const folder = stage.folder();
  await assertFinds(folder, 'data', /no data in/);
  assert.deepEqual(readdirSync(folder), []);
});

test('a file that is not a database is reported', async () => {
  const folder = stage.folder();
  writeFileSync(join(folder, 'palaver.db'), 'no database'.repeat(1_000));
  await assertFinds(folder, 'data', /damaged or is not a database/);
});

test('a file with damaged pages is reported and not changed', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'palaver.db');
  const descriptor = openSync(file, 'r+');
  // The first page stays intact, so the file can be opened.
  for (let at = 40 * 4_096; at < statSync(file).size; at += 4_096)
    writeSync(descriptor, Buffer.alloc(2_000, 0x5a), 0, 2_000, at);
  closeSync(descriptor);
  const digest = () => createHash('sha256').update(readFileSync(file)).digest('hex');
  const before = digest();
  await assertFinds(folder, 'integrity', /\S/);
  assert.equal(digest(), before);
});

test('a row that refers to a missing row is reported', async () => {
  const folder = await filledFolder();
  const database = new DatabaseSync(join(folder, 'palaver.db'));
  database.exec('pragma foreign_keys = off; delete from server');
  database.close();
  await assertFinds(folder, 'references', /do not exist/);
});

test("a key that does not decrypt the apps' secrets, and a missing key, are reported", async () => {
  const folder = await filledFolder();
  const file = join(folder, 'secret.key');
  writeFileSync(file, `${Buffer.alloc(32, 1).toString('base64url')}\n`);
  await assertFinds(folder, 'secrets', /\S/);
  rmSync(file);
  await assertFinds(folder, 'secrets', /secret\.key/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('secret.key')),
    [],
    'no new key is created',
  );
});

test('data with a newer schema is reported', async () => {
  const folder = await filledFolder();
  const database = new DatabaseSync(join(folder, 'palaver.db'));
  database.exec(`insert into migration values (999, 'of the future', 0)`);
  database.close();
  await assertFinds(folder, 'data', /newer Palaver/);
});

test('an unfinished move is reported', async () => {
  const folder = await filledFolder();
  const database = new DatabaseSync(join(folder, 'palaver.db'));
  database.exec(`create table "moveProgress" (part text primary key, note text not null);
    insert into "moveProgress" values ('origin', '{"id": "1", "name": "/old/place"}')`);
  database.close();
  await assertFinds(folder, 'data', /a move from \/old\/place is unfinished/);
  const backup = await stage.run(['backup', join(folder, 'backup'), '--data', folder]);
  assertFailed(backup, /a move from \/old\/place is unfinished/);
});
