// @run sqlite: headers are the same on every engine
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

test('pages from any origin can call the API and read its headers', async () => {
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
  for (const name of ['authorization', 'content-type', 'idempotency-key', 'last-event-id', 'if-none-match']) {
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
    assert.match(
      answer.headers.get('access-control-expose-headers') ?? '',
      /x-request-id.*retry-after.*etag/i,
    );
  }
});

test('responses to requests without an Origin have no CORS headers, and /metrics never has any', async () => {
  const plain = await scene.admin.get('/servers');
  assert.equal(plain.headers.get('access-control-allow-origin'), null);
  const headers = { authorization: `Bearer ${scene.admin.key}` };
  assertRefused(await world.request('OPTIONS', '/messages', { headers }), 'NOT_FOUND');
  const metrics = await world.request('GET', `${world.url}/metrics`, { headers: { origin } });
  assert.equal(metrics.headers.get('access-control-allow-origin'), null);
});

test('pages from any origin can read the OpenAPI document without credentials', async () => {
  const url = `${world.url}/openapi.json`;
  for (const headers of [{ origin }, {}, { origin, 'if-none-match': '*' }] as Record<string, string>[])
    for (const method of ['GET', 'HEAD']) {
      const given = await world.request(method, url, { headers });
      assert.equal(given.status, headers['if-none-match'] ? 304 : 200);
      assert.equal(given.headers.get('access-control-allow-origin'), '*');
      assert.equal(given.headers.get('access-control-allow-credentials'), null);
      assert.match(given.headers.get('access-control-expose-headers') ?? '', /etag/i);
    }
  const asked = { origin, 'access-control-request-method': 'GET' };
  const preflight = await world.request('OPTIONS', `${url}?x`, {
    headers: { ...asked, 'access-control-request-headers': 'if-none-match' },
  });
  assert.equal(preflight.status, 204);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /if-none-match/i);
  assertRefused(await world.request('OPTIONS', url), 'NOT_FOUND');
  for (const path of ['/docs/', '/healthz', '/openapi.jsonx', '/metrics']) {
    const other = await world.request('GET', world.url + path, { headers: { origin } });
    assert.equal(other.headers.get('access-control-allow-origin'), null, path);
  }
});

test('pages from any origin can use MCP and get tokens, without cookies', async () => {
  const asked = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name',
  };
  for (const path of [
    '/mcp',
    `/mcp/${scene.server.id}`,
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/register',
  ]) {
    const preflight = await world.request('OPTIONS', world.url + path, { headers: asked });
    assert.equal(preflight.status, 204, path);
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(', ');
    for (const name of asked['access-control-request-headers'].split(',')) assert.ok(allowed.includes(name));
    // A client that has no token yet reads where to get one.
    const answer = await world.request('POST', world.url + path, { headers: { origin } });
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    assert.equal(answer.headers.get('access-control-allow-credentials'), null);
    assert.match(answer.headers.get('access-control-expose-headers') ?? '', /www-authenticate/i);
  }
  for (const path of [
    'oauth-authorization-server',
    'oauth-protected-resource',
    'oauth-protected-resource/mcp',
  ]) {
    const url = `${world.url}/.well-known/${path}`;
    const asked = { origin, 'access-control-request-method': 'GET' };
    const headers = { ...asked, 'access-control-request-headers': 'mcp-protocol-version' };
    assert.equal((await world.request('OPTIONS', url, { headers })).status, 204, path);
    const answer = await world.request('GET', url, { headers: { origin } });
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  }
  for (const path of ['/mcpx', '/oauth/tokens', '/.well-known/change-password', '/authorize'])
    assert.equal(
      (await world.request('GET', world.url + path, { headers: { origin } })).headers.get(
        'access-control-allow-origin',
      ),
      null,
      path,
    );
});
