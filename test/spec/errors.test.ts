import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations, pathOf, writes } from '../rows/index.ts';
import { assertRefused, type Code, dataOf, statusOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Client, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
/** One message per window, so the second one is rate-limited. Nothing else is limited. */
const limits = { '*': 0, message: 1 };
const NOBODY = '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90';

let world: World;
let scene: Scene;
let nobody: Client;
before(async () => {
  world = await World.open({ clock, limits });
  scene = await Scene.open(world);
  nobody = await world.client(scene.server);
});
after(() => world.close());

test('each of the eight codes has its status and envelope', async () => {
  const taken = await scene.channel();
  const limited = await world.client(scene.server, ['canAdmin']);
  const place = await scene.channel();
  dataOf(await limited.post('/messages', { channelId: place.id, content: 'Hello' }));
  const broken = await World.open();
  const brokenScene = await Scene.open(broken);
  const failing = await brokenScene.admin.get('/servers').then(async () => {
    await broken.data.db.close();
    return brokenScene.admin.post('/channels', { name: 'general' });
  });
  await broken.close();

  const answers: Record<Code, Answer> = {
    UNAUTHORIZED: await world.request('GET', '/servers'),
    INVALID_API_KEY: await world.as('sk_live_none').get('/servers'),
    FORBIDDEN: await nobody.post('/channels', { name: world.unique() }),
    NOT_FOUND: await nobody.get(`/channels/${NOBODY}`),
    INVALID_REQUEST: await scene.admin.post('/channels', { name: '' }),
    ALREADY_EXISTS: await scene.admin.post('/channels', { name: taken.name.toUpperCase() }),
    RATE_LIMITED: await limited.post('/messages', { channelId: place.id, content: 'Hello' }),
    INTERNAL_ERROR: failing,
  };
  for (const code of Object.keys(statusOf) as Code[]) assertRefused(answers[code], code, code);
  const { headers } = answers.RATE_LIMITED;
  assert.equal(headers.get('retry-after'), '60');
});

test('a 401 response says how to authenticate', async () => {
  const expiring = await scene.secret({ expiresAt: clock.at + 1000 });
  const revoked = await scene.secret();
  dataOf(await world.as(expiring.key).get('/servers'));
  dataOf(await scene.admin.delete(`/secrets/${revoked.id}`));
  clock.advance(1000);
  const mistyped = scene.admin.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  const rows: [string | undefined, Code][] = [
    [undefined, 'UNAUTHORIZED'],
    ['Basic YTpi', 'UNAUTHORIZED'],
    [scene.admin.key, 'UNAUTHORIZED'],
    [`Token ${scene.admin.key}`, 'UNAUTHORIZED'],
    ['Bearer none', 'INVALID_API_KEY'],
    ['Bearer sk_live_', 'INVALID_API_KEY'],
    [`Bearer ${mistyped}`, 'INVALID_API_KEY'],
    [`Bearer ${scene.admin.key}x`, 'INVALID_API_KEY'],
    [`Bearer ${expiring.key}`, 'INVALID_API_KEY'],
    [`Bearer ${revoked.key}`, 'INVALID_API_KEY'],
  ];
  for (const [authorization, code] of rows) {
    const answer = await world.request('GET', '/servers', {
      headers: { ...(authorization && { authorization }) },
    });
    assertRefused(answer, code, String(authorization?.slice(0, 12)));
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    assert.ok(!JSON.stringify(answer.body).includes(scene.admin.key));
  }
});

test('every endpoint requires a key, and so does every unknown path under the prefix', async () => {
  for (const operation of operations) {
    const path = pathOf(operation, NOBODY);
    assertRefused(await world.request(operation.method, path), 'UNAUTHORIZED', operation.name);
    const key = world.as('sk_live_none').key;
    const answer = await world.request(operation.method, path, {
      headers: { authorization: `Bearer ${key}` },
    });
    assertRefused(answer, 'INVALID_API_KEY', operation.name);
  }
  assertRefused(await world.request('GET', '/nothing'), 'UNAUTHORIZED');
  assertRefused(await world.request('PUT', '/servers'), 'UNAUTHORIZED');
});

test('an unknown path or an unsupported method is NOT_FOUND', async () => {
  const { id } = scene.server;
  const rows: [string, string][] = [
    ['GET', '/nothing'],
    ['GET', ''],
    ['GET', '/'],
    ['GET', '/servers/'],
    ['GET', `/servers/${id}/nothing`],
    ['GET', `/servers/${id}/channels/more`],
    ['DELETE', `/servers/${id}`],
    ['PUT', `/servers/${id}`],
    ['PUT', '/flows'],
    ['OPTIONS', '/servers'],
    ['GET', `${world.url}/api/v2/servers`],
    ['GET', `${world.url}/api`],
    ['GET', `${world.url}/servers`],
    ['GET', '/channels/%ff'],
    ['GET', '/channels/%zz'],
    ['GET', '/channels/%00'],
    ['GET', `/channels/${'x'.repeat(3000)}`],
    ['GET', '/channels/..%2f..%2fetc%2fpasswd'],
  ];
  for (const [method, path] of rows) {
    const headers = { authorization: `Bearer ${scene.admin.key}` };
    assertRefused(
      await world.request(method, path, { headers }),
      'NOT_FOUND',
      `${method} ${path.slice(0, 80)}`,
    );
  }
});

/** Uploads whose path also has operations in test/rows. The tests in files/ cover uploads. */
const uploads = ['POST /users/me/image'];

test('each path supports only the methods of its operations', async () => {
  const paths = new Set(operations.map((operation) => pathOf(operation, 'x')));
  const isThere = (method: string, path: string): boolean =>
    uploads.includes(`${method} ${path}`) ||
    operations.some(
      (operation) =>
        operation.method === method && new RegExp(`^${operation.path.replace(/:\w+/, '[^/]+')}$`).test(path),
    );
  let asked = 0;
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT']) {
      if (isThere(method, path)) continue;
      asked++;
      const headers = { authorization: `Bearer ${scene.admin.key}` };
      assertRefused(await world.request(method, path, { headers }), 'NOT_FOUND', `${method} ${path}`);
    }
  }
  assert.ok(asked > paths.size);
});

test('every response has a unique X-Request-Id', async () => {
  const seen = new Set<string>();
  const paths = ['/servers', '/nothing', '/channels/none', `${world.url}/openapi.json`, `${world.url}/none`];
  for (const path of [...paths, ...paths]) {
    const answer = await scene.admin.get(path);
    const id = answer.headers.get('x-request-id');
    assert.ok(id && !seen.has(id), path);
    seen.add(id);
  }
});

/**
 * Each request fails two consecutive checks, and later ones where possible. The first check that fails determines the
 * error.
 */
test('the checks run in the order 401, 429, 400, 404, 403, 409', async () => {
  const { id: channelId, name } = await scene.channel();
  const hidden = await scene.channel({ private: true, roleIds: [] });
  const limited = await world.client(scene.server, ['canEditData']);
  dataOf(await limited.post('/messages', { channelId, content: 'Hello' }));
  const { id: revokedId, key: revoked } = await scene.secret({ userId: scene.owner.id });
  await scene.admin.delete(`/secrets/${revokedId}`);
  dataOf(await scene.admin.post('/messages', { channelId, content: 'Hello' }));

  const rows: [string, Client, Code, string, unknown][] = [
    ['401 before 429', world.as(revoked), 'INVALID_API_KEY', '/messages', { channelId, content: 'Hello' }],
    ['only 429', scene.admin, 'RATE_LIMITED', '/messages', { channelId, content: 'Hello' }],
    ['429 before 400', limited, 'RATE_LIMITED', '/messages', { content: 5 }],
    ['429 before 404', limited, 'RATE_LIMITED', '/messages', { channelId: NOBODY, content: 'a' }],
    ['429 before 403', limited, 'RATE_LIMITED', '/messages', { channelId: hidden.id, content: 'a' }],
    ['400 before 404', nobody, 'INVALID_REQUEST', '/messages', { channelId: NOBODY, content: '' }],
    ['404 before 403', nobody, 'NOT_FOUND', '/messages', { channelId: NOBODY, content: 'Hello' }],
    ['400 before 403', nobody, 'INVALID_REQUEST', '/channels', { name: '' }],
    ['403 before 409', nobody, 'FORBIDDEN', '/channels', { name }],
    ['only 409', scene.admin, 'ALREADY_EXISTS', '/channels', { name }],
    ['404 before 409', scene.admin, 'NOT_FOUND', '/channels', { name, roleIds: [NOBODY] }],
    ['400 before 409', scene.admin, 'INVALID_REQUEST', '/channels', { name, position: 'last' }],
  ];
  for (const [what, client, code, path, body] of rows) {
    // Starts a new rate limit window. If the request must be rate-limited, a message uses up the limit first.
    if (code !== 'RATE_LIMITED' && client === nobody) clock.advance(60_000);
    else if (code === 'RATE_LIMITED' && client === limited) {
      clock.advance(60_000);
      dataOf(await limited.post('/messages', { channelId, content: 'Hello' }));
    }
    assertRefused(await client.post(path, body), code, what);
  }
});

test('every write checks in the order 401, 400, 404', async () => {
  // A write with neither an id nor fields has nothing to validate. Messages are rate-limited here.
  const fallible = writes.filter(
    ({ kind, path, fields }) => kind !== 'message' && (fields !== undefined || path.includes(':')),
  );
  for (const operation of fallible) {
    const path = pathOf(operation, NOBODY);
    const wrong = {
      id: 5,
      messageId: 5,
      channelId: 5,
      appId: 5,
      kind: 5,
      type: 5,
      name: 5,
      userId: 5,
      serverId: 5,
    };
    const unknown = await world.request(operation.method, path, { body: wrong });
    assertRefused(unknown, 'UNAUTHORIZED', operation.name);
    for (const client of [nobody, scene.admin]) {
      const headers = { authorization: `Bearer ${client.key}` };
      const answer = await world.request(operation.method, path, { body: wrong, headers });
      assertRefused(answer, 'INVALID_REQUEST', operation.name);
      if (operation.method === 'DELETE')
        assertRefused(await client.delete(path), 'NOT_FOUND', operation.name);
      if (operation.method === 'PATCH')
        assertRefused(await client.patch(path, {}), 'NOT_FOUND', operation.name);
    }
  }
});

for (const row of writes.filter(({ once, rule }) => once && !rule.anyone)) {
  test(`${row.name}: a caller without permission gets 403 where others get 409`, async () => {
    clock.advance(60_000);
    const { id, body } = await row.ready(scene);
    const path = pathOf(row, id);
    dataOf(await scene.admin.post(path, body));
    assertRefused(await scene.admin.post(path, body), 'ALREADY_EXISTS');
    assertRefused(await nobody.post(path, body), 'FORBIDDEN');
  });
}

test("a permission error names the rule, the key's flags and the required flags", async () => {
  const client = await world.client(scene.server, ['canEditData', 'canViewData']);
  const { body } = await client.post('/channels', { name: world.unique() });
  const { rule, have, need } = body.error.details;
  assert.equal(rule, 'channel: server creator, server admin, or canEditChannel/canEditServer');
  assert.deepEqual(have, ['canEditData', 'canViewData']);
  assert.deepEqual(need, ['canEditChannel', 'canEditServer']);
});

test('all validation errors in a request are reported together, each with its path', async () => {
  const { body } = await scene.admin.patch(`/servers/${scene.server.id}`, { name: '', tint: 'red', icon: 5 });
  const paths = body.error.details.map(({ path }: { path: string }) => path);
  assert.deepEqual(new Set(paths), new Set(['name', 'tint', 'icon']));
  const { body: typed } = await scene.admin.post('/roles', { name: 5 });
  assert.equal(typed.error.message, 'name: must be a string');
  assert.deepEqual(typed.error.details, [
    {
      path: 'name',
      message: 'must be a string',
      reason: 'wrong_type',
      help: '/docs/guides/errors#wrong_type',
    },
  ]);
});
