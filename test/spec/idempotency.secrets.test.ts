import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { placesWith } from '../support/stored.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const stored = (text: string): Promise<string[]> => placesWith(world, text);

test('a repeated request gets the same API key, and the key is never stored in plain text', async () => {
  const body = { kind: 'apiKey', name: 'Deploy bot that is looked for' };
  const headers = { 'idempotency-key': 'mint' };
  const first = await scene.admin.post('/secrets', body, headers);
  const { key } = dataOf(first);
  assert.match(key, /^sk_live_plv_[0-9A-Za-z]{33,}$/);
  const again = await scene.admin.post('/secrets', body, headers);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.body, first.body);
  dataOf(await world.as(key).get('/servers'));

  assert.notDeepEqual(await stored(body.name), [], 'the search finds text stored in plain text');
  assert.deepEqual(await stored(key), []);
  assert.deepEqual(await stored(key.slice('sk_live_plv_'.length, -6)), []);
  assert.deepEqual(await stored(Buffer.from(key).toString('base64')), []);
});

test("an app's secret is never stored in plain text", async () => {
  const app = await scene.app();
  const value = 'the value of a secret that is looked for';
  const body = { kind: 'appSecret', name: 'Token', appId: app.id, value };
  const headers = { 'idempotency-key': 'app secret' };
  const first = await scene.admin.post('/secrets', body, headers);
  const again = await scene.admin.post('/secrets', body, headers);
  assert.deepEqual(again.body, first.body);
  assert.equal(dataOf(again).id, first.data.id);
  assert.ok(!JSON.stringify(first.body).includes(value));
  assert.deepEqual(await stored(value), []);
  assert.deepEqual(await stored(Buffer.from(value).toString('base64')), []);
});

test("clients' API keys are never stored in plain text", async () => {
  assert.deepEqual(await stored(scene.admin.key), []);
});
