// @run sqlite: tests the key file in the data folder
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';
import { Scene } from '../support/scene.ts';
import { find, openData } from '../support/sources.ts';
import { World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

test('a lost secret.key is only replaced while no secret is encrypted with it', async (t) => {
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

test('a running server picks up a rotated key without a restart, and replays earlier responses', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const mint = (name: string) =>
    scene.admin.post('/secrets', { kind: 'apiKey', name: 'Kept' }, { 'idempotency-key': name });
  const before = dataOf(await mint('before'));
  const former = readFileSync(join(world.folder, 'secret.key'), 'utf8');
  const rotated = jsonOf(await stage.run(['secret', 'rotate', '--data', world.folder, '--json']));
  assert.deepEqual(rotated, { kept: 'secret.key', values: 1 });
  const present = readFileSync(join(world.folder, 'secret.key'), 'utf8');
  assert.notEqual(present, former);
  assert.equal(present.trim().length, 43, 'one key remains');
  assert.equal(dataOf(await mint('before')).key, before.key);
  const after = dataOf(await mint('after'));
  assert.deepEqual(jsonOf(await stage.run(['secret', 'rotate', '--data', world.folder, '--json'])).values, 2);
  assert.equal(dataOf(await mint('after')).key, after.key);
  assert.equal(dataOf(await mint('before')).key, before.key);
});

test('the first of several keys from the environment encrypts, and the others only decrypt', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const scene = await Scene.open(world);
  const app = await scene.app();
  const { id } = await scene.secret({ kind: 'appSecret', appId: app.id, value: 'a value that is kept' });
  const former = readFileSync(join(world.folder, 'secret.key'), 'utf8').trim();
  const next = Buffer.alloc(32, 9).toString('base64url');
  const rotate = (keys: string) =>
    stage.run(['secret', 'rotate', '--data', world.folder, '--json'], { PALAVER_SECRET_KEY: keys });
  assertFailed(await rotate(next), /sealed of secret .* cannot be decrypted/);
  assert.deepEqual(jsonOf(await rotate(`${next},${former}`)), { kept: 'PALAVER_SECRET_KEY', values: 1 });
  assert.equal(jsonOf(await rotate(next)).values, 0);
  const data = await openData({ data: world.folder, secretKey: next });
  const row = await data.db.read.first(find('secret', { id }));
  const place = { table: 'secret', column: 'sealed', id };
  assert.equal(data.seal.open(row?.sealed as string, place), 'a value that is kept');
  await data.db.close();
  assertFailed(await rotate(`${next},short`), /PALAVER_SECRET_KEY must be 32 bytes/);
});
