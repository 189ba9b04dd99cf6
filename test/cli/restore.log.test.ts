// @run sqlite: tests the write-ahead log of the data file
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

test('a restore is not damaged by the write-ahead log of the previous database', async () => {
  const folder = stage.folder();
  const run = async (...args: string[]) => jsonOf(await stage.run([...args, '--data', folder, '--json']));
  const server = await stage.start(folder);
  const backup = join(stage.folder(), 'backup');
  await run('backup', backup);
  for (let index = 0; index < 3; index++) await run('user', 'create', '--username', `later-${index}`);
  await server.end('SIGKILL');
  assert.ok(existsSync(join(folder, 'palaver.db-wal')));
  rmSync(join(folder, 'palaver.db'));
  await run('restore', backup);
  const users = await run('user', 'list');
  assert.deepEqual(
    users.map(({ username }: { username: string }) => username),
    ['admin'],
  );
  assert.equal((await run('doctor')).ok, true);
});
