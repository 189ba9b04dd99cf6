import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Stage } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';
import { Scene } from '../support/scene.ts';
import { openData } from '../support/sources.ts';
import { World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

test('a lost secret.key is replaced only while no secret is encrypted with it', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const file = join(world.folder, 'secret.key');
  const open = async (secretKey = '') => {
    const data = await openData({ data: world.folder, secretKey });
    await data.db.close();
  };

  rmSync(file);
  await open();
  assert.ok(existsSync(file));

  const app = await scene.app();
  await scene.secret({ kind: 'appSecret', appId: app.id, value: 'a value that is kept' });
  rmSync(file);
  await assert.rejects(open(), /secret\.key is missing.*restore it from a backup/);
  assert.ok(!existsSync(file), 'no new key is created');
  assertFailed(await stage.run(['start', '--data', world.folder, '--port', '0']), /secret\.key is missing/);
  assert.ok(!existsSync(file));
  await open(Buffer.alloc(32, 1).toString('base64url'));
});
