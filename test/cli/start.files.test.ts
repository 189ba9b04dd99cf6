import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gone, Stage } from '../support/process.ts';

const stage = new Stage();
after(() => stage.close());

test('the first run creates the data folder for its owner only', async () => {
  const folder = join(stage.folder(), 'some', 'new', 'folder');
  const server = await stage.start(folder);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const file of ['palaver.db', 'secret.key'])
    assert.equal(statSync(join(folder, file)).mode & 0o077, 0, `${file} is readable by its owner only`);
  assert.equal(await server.end(), 0);
  const failing = await stage.spawn(['user', 'list', '--data', join(folder, 'palaver.db')]);
  assert.equal(await gone(failing), 1);
});
