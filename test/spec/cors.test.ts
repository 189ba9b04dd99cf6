import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const origin = 'https://chat.example.com';

test('pages of any origin may call the API and read its headers', async () => {
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  };
  const preflight = await world.request('OPTIONS', '/messages', { headers: asked });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
  assert.equal(preflight.headers.get('access-control-allow-credentials'), null);
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase();
  for (const name of ['authorization', 'content-type', 'idempotency-key', 'last-event-id']) {
    assert.ok(allowed.includes(name), name);
  }
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    assert.ok(preflight.headers.get('access-control-allow-methods')?.includes(method), method);
  }
  for (const answer of [
    await scene.admin.get('/servers', { origin }),
    await scene.admin.get('/servers/nothing', { origin }),
    await scene.admin.get('/servers', { origin, authorization: '' }),
  ]) {
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /x-request-id.*retry-after/i);
  }
});

test('answers to clients that are no browsers have no CORS headers, and /metrics has none at all', async () => {
  const plain = await scene.admin.get('/servers');
  assert.equal(plain.headers.get('access-control-allow-origin'), null);
  const headers = { authorization: `Bearer ${scene.admin.key}` };
  assertRefused(await world.request('OPTIONS', '/messages', { headers }), 'NOT_FOUND');
  const metrics = await world.request('GET', `${world.url}/metrics`, { headers: { origin } });
  assert.equal(metrics.headers.get('access-control-allow-origin'), null);
});
