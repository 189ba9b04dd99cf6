import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** The files of the data folder, with the write-ahead log, that hold `text` as it is. */
function filesWith(text: string): string[] {
  const files = readdirSync(world.folder).map((name) => join(world.folder, name));
  assert.ok(files.some((file) => file.endsWith('.db')));
  return files.filter((file) => readFileSync(file).includes(text));
}

test('an API key is repeated to a repeated request, and lies in no file as it is', async () => {
  const body = { kind: 'apiKey', name: 'Deploy bot that is looked for' };
  const headers = { 'idempotency-key': 'mint' };
  const first = await scene.admin.post('/secrets', body, headers);
  const { key } = dataOf(first);
  assert.match(key, /^sk_live_plv_[0-9A-Za-z]{33,}$/);
  const again = await scene.admin.post('/secrets', body, headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
  dataOf(await world.as(key).get('/servers'));

  assert.notDeepEqual(filesWith(body.name), [], 'what is stored as it is would be found');
  assert.deepEqual(filesWith(key), []);
  assert.deepEqual(filesWith(key.slice('sk_live_plv_'.length, -6)), []);
  assert.deepEqual(filesWith(Buffer.from(key).toString('base64')), []);
});

test("an app's secret lies in no file as it is", async () => {
  const app = await scene.app();
  const value = 'the value of a secret that is looked for';
  const body = { kind: 'appSecret', name: 'Token', appId: app.id, value };
  const headers = { 'idempotency-key': 'app secret' };
  const first = await scene.admin.post('/secrets', body, headers);
  const again = await scene.admin.post('/secrets', body, headers);
  assert.deepEqual(again.body, first.body);
  assert.equal(dataOf(again).id, first.data.id);
  assert.ok(!JSON.stringify(first.body).includes(value));
  assert.deepEqual(filesWith(value), []);
  assert.deepEqual(filesWith(Buffer.from(value).toString('base64')), []);
});

test('no key of any client lies in a file as it is', () => {
  assert.deepEqual(filesWith(scene.admin.key), []);
});
