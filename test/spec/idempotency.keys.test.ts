import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const keyed = (key: string): Record<string, string> => ({ 'idempotency-key': key });

test("a response with a new API key is only replayed to the key that received it, not to its user's other keys", async () => {
  const other = await world.client(scene.server, ['canAdmin'], scene.owner);
  const body = { kind: 'apiKey', name: 'Deploy bot' };
  const first = await scene.admin.post('/secrets', body, keyed('mint'));
  const { key } = dataOf(first);
  const refused = await other.post('/secrets', body, keyed('mint'));
  assertRefused(refused, 'INVALID_REQUEST');
  assert.ok(!JSON.stringify(refused.body).includes(key));
  assert.equal(refused.headers.get('idempotency-replayed'), null);
  assert.deepEqual((await scene.admin.post('/secrets', body, keyed('mint'))).body, first.body);
});

test("other responses are replayed to all of the user's keys in the same server", async () => {
  const other = await world.client(scene.server, ['canAdmin'], scene.owner);
  const first = await scene.admin.post('/invites', {}, keyed('invite'));
  const again = await other.post('/invites', {}, keyed('invite'));
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(dataOf(again).id, dataOf(first).id);
});

test("a user's Idempotency-Keys in different servers are independent", async () => {
  const elsewhere = await world.client(await world.server(scene.owner), ['canAdmin'], scene.owner);
  for (const client of [scene.admin, elsewhere]) {
    const made = await client.post('/channels', { name: 'plans' }, keyed('channel'));
    assert.equal(dataOf(made).serverId, client.secret.serverId);
    assert.equal(made.headers.get('idempotency-replayed'), null);
    const again = await client.post('/channels', { name: 'plans' }, keyed('channel'));
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    assert.deepEqual(again.body, made.body);
  }
});
