// @run sqlite: processes on one data folder
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { openDatabase } from '../../server/src/db/open.ts';
import { servingProcess } from '../../server/src/db/sqlite/presence.ts';
import { waitForOlderNodes } from '../../server/src/db/upgrade.ts';
import { schemaVersion } from '../../server/src/db/version.ts';
import { nextVersion } from '../support/nextVersion.ts';
import { call, collect, gone, type Running, Stage, until } from '../support/process.ts';

// Processes of this version next to one of the next version, which has one more migration.

const stage = new Stage();
after(() => stage.close());

const ready = async (node: Running) => (await call(node, 'GET', '/readyz')).status;

test('a migration waits for the process that serves the folder; one beside it notices the new schema', async () => {
  const folder = stage.folder();
  const first = await stage.start(folder);
  const beside = await stage.start(folder, { args: ['--beside'], environment: { PALAVER_DRAIN: '10' } });
  const child = await stage.spawn(['start', '--data', folder, '--port', '0'], nextVersion('breaking'));
  const log = collect(child, 'stderr');
  const starting = stage.listening(child);
  const name = `process ${first.child.pid}, schema ${schemaVersion}`;
  await until(() => log().includes(name), 60_000);
  assert.deepEqual([await ready(first), await ready(beside)], [200, 200]);
  assert.equal(await first.end(), 0);
  const newer = await starting;
  const send = (node: Running) =>
    call(node, 'POST', '/api/v1/messages', {
      key: first.key,
      body: { channelId: first.channelId, content: 'hi' },
    });
  assert.equal((await send(newer)).status, 200);
  assert.deepEqual([await ready(beside), (await send(beside)).status], [503, 503]);
  assert.equal(await gone(beside.child), 1);
  assert.match(beside.log(), /stopping: a newer version of Palaver has migrated the database/);
  const older = await stage.run(['user', 'list', '--data', folder]);
  assert.deepEqual([older.code, /written by a newer Palaver/.test(older.stderr)], [1, true]);
  assert.equal(await newer.end(), 0);
});

test('a command from the next version migrates next to a server that survives it', async () => {
  const folder = stage.folder();
  const server = await stage.start(folder);
  const { code, stderr } = await stage.run(['user', 'list', '--data', folder], nextVersion('compatible'));
  assert.equal(code, 0);
  assert.match(stderr, /^kept a copy before the migration: .*\n$/);
  assert.equal(await ready(server), 200);
  assert.equal(await server.end(), 0);
});

test('a migration that the serving process would not survive gives up after a while, and names the process', async () => {
  const folder = stage.folder();
  const db = await openDatabase({ file: join(folder, 'palaver.db') });
  await db.join(false);
  assert.equal(servingProcess(folder)?.schema, schemaVersion);
  const serving = async () => [servingProcess(folder)].filter((process) => process !== undefined);
  await assert.rejects(
    waitForOlderNodes(schemaVersion + 1, serving, { waitMs: 100 }),
    new RegExp(`stop them, then start again \\(process ${process.pid}, schema ${schemaVersion}\\)`),
  );
  await waitForOlderNodes(schemaVersion, serving, { waitMs: 0 });
  await db.close();
  assert.equal(servingProcess(folder), undefined);
});

test('a process whose version does not publish its schema counts as older', async () => {
  const folder = stage.folder();
  const lock = new DatabaseSync(join(folder, 'palaver.lock'));
  lock.exec('begin exclusive');
  assert.deepEqual(servingProcess(folder), { name: 'another process', schema: 0 });
  lock.close();
});
