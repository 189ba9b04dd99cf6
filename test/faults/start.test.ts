import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, gone, Stage, until } from '../support/process.ts';

const KILLS = 10;
/**
 * From the moment that the file is there the migration takes some milliseconds, and all until the first rows are
 * committed about so many: the kills lie closest at the beginning.
 */
const SPAN_MS = 120;

const stage = new Stage();
after(() => stage.close());

test('a first start that is killed at any moment leaves data that the next start uses', async () => {
  for (let kill = 0; kill < KILLS; kill++) {
    const folder = join(stage.folder(), 'data');
    const child = stage.spawn(['start', '--data', folder, '--port', '0']);
    await until(() => existsSync(join(folder, 'palaver.db')), 20_000, 1);
    await sleep(SPAN_MS * (kill / KILLS) ** 3 + Math.random());
    child.kill('SIGKILL');
    assert.equal(await gone(child), null);
    await assertUsable(folder);
  }
});

test('a first start that is killed again and again in one folder comes through in the end', async () => {
  const folder = stage.folder();
  for (let kill = 0; kill < KILLS; kill++) {
    const child = stage.spawn(['start', '--data', folder, '--port', '0']);
    await sleep(100 + Math.random() * 300);
    child.kill('SIGKILL');
    assert.equal(await gone(child), null);
  }
  await assertUsable(folder);
});

/** Starts a server on the folder and holds what is in it against what a first run makes, once. */
async function assertUsable(folder: string): Promise<void> {
  const server = await stage.start(folder);
  assert.equal((await call(server, 'GET', '/readyz')).status, 200);
  assert.equal(await server.end(), 0);
  const database = new DatabaseSync(join(folder, 'palaver.db'));
  const value = (sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
  assert.equal(value('pragma integrity_check'), 'ok');
  assert.equal(value('select group_concat(username) from "user"'), 'admin');
  assert.equal(value('select group_concat(name) from server'), 'Palaver');
  assert.equal(value('select group_concat(name) from channel'), 'general');
  assert.equal(value('select count(*) from secret'), 1);
  assert.equal(value('select count(*) - count(distinct version) from migration'), 0);
  database.close();
}
