// @run sqlite: damages the data file
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

const start = (folder: string) => stage.run(['start', '--data', folder, '--port', '0']);
const digestOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** Asserts that the program rejects the folder with this line and does not change its database. */
async function assertLeftAlone(folder: string, line: RegExp): Promise<void> {
  const file = join(folder, 'palaver.db');
  const before = digestOf(file);
  assertFailed(await start(folder), line);
  assertFailed(await stage.run(['user', 'list', '--data', folder, '--json']), line);
  assert.equal(digestOf(file), before);
}

/** A folder with the data from a first run. */
async function filledFolder(): Promise<string> {
  const folder = stage.folder();
  assert.equal(await (await stage.start(folder)).end(), 0);
  return folder;
}

for (const [what, content] of [
  ['random bytes', randomBytes(8_192)],
  ['a short text', Buffer.from('hello')],
  ['a text of several pages', Buffer.from('This is no database.\n'.repeat(1_000))],
] as const) {
  test(`a data file that contains ${what} is rejected and not changed`, async () => {
    const folder = stage.folder();
    writeFileSync(join(folder, 'palaver.db'), content);
    await assertLeftAlone(folder, /damaged or is not a database/);
  });
}

test('a truncated data file is rejected and not changed', async () => {
  const folder = await filledFolder();
  truncateSync(join(folder, 'palaver.db'), 4_096 * 3);
  await assertLeftAlone(folder, /damaged/);
});

test('a folder in place of the data file is rejected', async () => {
  const folder = stage.folder();
  mkdirSync(join(folder, 'palaver.db'));
  assertFailed(await start(folder), /data file cannot be opened/);
});

test('a data folder that cannot be created is reported', async () => {
  const file = join(stage.folder(), 'file');
  writeFileSync(file, 'a file');
  assertFailed(await start(join(file, 'data')), /cannot create the data folder/);
  assertFailed(await start(file), /cannot create the data folder|data file cannot be opened/);
  assert.equal(readFileSync(file, 'utf8'), 'a file');
});

test('data with a newer schema is rejected and not changed by any command', async () => {
  const folder = await filledFolder();
  const file = join(folder, 'palaver.db');
  const database = new DatabaseSync(file);
  database.exec(`insert into migration values (999, 'of the future', ${Date.now()})`);
  database.close();
  const line = /newer Palaver \(schema 999; this version supports up to \d+\)/;
  await assertLeftAlone(folder, line);
  const before = digestOf(file);
  for (const command of [
    ['backup', join(stage.folder(), 'backup')],
    ['key', 'list'],
    ['server', 'list'],
  ]) {
    assertFailed(await stage.run([...command, '--data', folder]), line);
  }
  assert.equal(digestOf(file), before);
});

test('a damaged secret key is rejected', async () => {
  const folder = await filledFolder();
  writeFileSync(join(folder, 'secret.key'), 'too short\n');
  assertFailed(await start(folder), /secret\.key is damaged/);
  assert.equal(readFileSync(join(folder, 'secret.key'), 'utf8'), 'too short\n');
});

test('a port that is taken or invalid is reported in one line', async () => {
  const server = await stage.start(stage.folder());
  const { port } = new URL(server.url);
  const folder = stage.folder();
  assertFailed(
    await stage.run(['start', '--data', folder, '--port', port]),
    new RegExp(`^port ${port} is in use: choose another with --port\n`),
  );
  assertFailed(await stage.run(['start', '--data', folder, '--port', '70000']), /--port must be/);
  assertFailed(
    await stage.run(['start', '--data', folder, '--port', '0', '--host', 'no.such.host.invalid']),
    /^no\.such\.host\.invalid is not an address of this machine: choose another with --host\n/,
  );
  const again = await stage.start(folder);
  assert.match(again.key, /^sk_live_/, 'the failed start did not use up the key');
});
