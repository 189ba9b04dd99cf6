import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { operations } from '../../server/src/resources/index.ts';
import { Browser, PASSWORD } from '../support/account.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { openPlatformScene, type PlatformScene } from '../support/platformScene.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { update } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

let { clock, world, root, browser, audited, prove } = {} as PlatformScene;
before(async () => {
  ({ clock, world, root, browser, audited, prove } = await openPlatformScene());
});
after(() => world.close());

const reads = ['users', 'servers', 'apps', 'settings', 'health', 'audit'].map((name) => `/platform/${name}`);

test('only signed-in platform admins can view or change the platform', async () => {
  const user = await world.user();
  const scene = await Scene.open(world);
  const app = await scene.submitted();
  const writes: [method: string, path: string, body?: object][] = [
    ['PATCH', `/platform/users/${user.id}`, { platformAdmin: true }],
    ['POST', `/platform/users/${user.id}/suspend`],
    ['POST', `/platform/users/${user.id}/lift`],
    ['POST', `/platform/users/${user.id}/sign-out`],
    ['POST', `/platform/users/${user.id}/link`, { purpose: 'claim' }],
    ['POST', `/platform/servers/${scene.server.id}/delete`, { name: scene.server.name }],
    ['POST', `/platform/apps/${app.id}/verify`],
    ['POST', `/platform/apps/${app.id}/unverify`],
    ['PATCH', '/platform/settings/signUp', { value: 'open' }],
  ];
  const all: typeof writes = [
    ...[...reads, `/platform/users/${user.id}`].map((path) => ['GET', path] as [string, string]),
    ...writes,
  ];
  const creator = await Browser.of(world, scene.owner, scene.server);
  for (const [method, path, body = {}] of all) {
    const given = method === 'GET' ? undefined : body;
    const where = `${method} ${path}`;
    assertRefused(await creator.send(method, path, given), 'FORBIDDEN', where);
    assertRefused(await new Browser(world).send(method, path, given), 'UNAUTHORIZED', where);
    const key = await world.client(scene.server, ['canAdmin'], root);
    const headers = { authorization: `Bearer ${key.key}` };
    const byKey = await world.request(method, `${world.url}/api/people${path}`, { body: given, headers });
    assertRefused(byKey, 'UNAUTHORIZED', `${where} with a key of a platform admin`);
  }
  assert.equal(dataOf(await browser.get(`/platform/users/${user.id}`)).suspendedAt, null);
});

test('every change to the platform requires a confirmed identity', async () => {
  const user = await world.user();
  const scene = await Scene.open(world);
  const app = await scene.submitted();
  const reason = 'A court order';
  const hold = dataOf(await browser.post('/platform/holds', { serverId: scene.server.id, reason }));
  const made = { source: 'slack', serverId: scene.server.id, bytes: 1 };
  const { id } = dataOf(await browser.post('/platform/imports', made));
  await world.data.db.write((tx) => tx.run(update('import', id, { state: 'ready' })));
  const acts: Record<string, [path: string, body?: object]> = {
    platformUserUpdate: [`/platform/users/${user.id}`, { platformAdmin: true }],
    platformUserSuspend: [`/platform/users/${user.id}/suspend`],
    platformUserLift: [`/platform/users/${user.id}/lift`],
    platformUserSignOut: [`/platform/users/${user.id}/sign-out`],
    platformUserLink: [`/platform/users/${user.id}/link`, { purpose: 'claim' }],
    platformUserLinks: ['/platform/users/links', { ids: [user.id] }],
    platformServerDelete: [`/platform/servers/${scene.server.id}/delete`, { name: scene.server.name }],
    platformAppVerify: [`/platform/apps/${app.id}/verify`],
    platformAppUnverify: [`/platform/apps/${app.id}/unverify`],
    platformSettingUpdate: ['/platform/settings/signUp', { value: 'open' }],
    platformHoldInsert: ['/platform/holds', { serverId: scene.server.id, reason }],
    platformHoldEnd: [`/platform/holds/${hold.id}/end`],
    platformImportStart: [`/platform/imports/${id}/start`],
  };
  // These operations change nothing that people can see.
  const others = ['platformImportInsert', 'platformImportPart', 'platformImportDelete'];
  const changes = operations.filter(({ path, method }) => path.startsWith('/platform/') && method !== 'GET');
  assert.deepEqual(
    changes.map(({ operation }) => operation).toSorted(),
    [...Object.keys(acts), ...others].toSorted(),
  );
  clock.advance(11 * 60_000);
  for (const { operation, path: template, method } of changes) {
    const [path, body = {}] = acts[operation] ?? [];
    if (path === undefined) continue;
    const answer = await browser.send(method, path, body);
    assertRefused(answer, 'FORBIDDEN', template);
    assert.match(answer.body.error.details.rule, /^proof: /, template);
  }
  await prove();
  dataOf(await browser.post(`/platform/holds/${hold.id}/end`, {}));
  dataOf(await browser.delete(`/platform/imports/${id}`));
});

test("platform admins cannot see servers' content", async () => {
  const scene = await Scene.open(world);
  const message = await scene.message({ content: 'In private' });
  const secret = await scene.secret();
  const within = await Browser.of(world, root, scene.server);
  for (const path of [
    `/messages/${message.id}`,
    `/channels/${message.channelId}/messages`,
    `/servers/${scene.server.id}/members`,
    `/servers/${scene.server.id}/secrets`,
    `/servers/${scene.server.id}/channels`,
  ])
    for (const by of [browser, within]) assertRefused(await by.api.get(path), 'FORBIDDEN', path);
  assertRefused(await within.api.delete(`/secrets/${secret.id}`), 'FORBIDDEN');
  const [listed] = dataOf(await browser.get(`/platform/servers?name=${scene.server.name}`));
  assert.deepEqual(Object.keys(listed).sort(), [
    'createdAt',
    'creatorId',
    'fileBytes',
    'id',
    'memberCount',
    'name',
    'private',
    'updatedAt',
  ]);
});

test('servers can be found by name and creator, and deleted by name', async () => {
  const owner = await world.user();
  const word = world.unique('Quay');
  const servers: Json[] = [];
  for (const name of [`${word} b`, `${word} a`]) servers.push(await world.server(owner, name));
  const names = async (query: string) =>
    (await listAll(browser, `/platform/servers?${query}`, 1)).map(({ name }) => name);
  assert.deepEqual(await names(`name=${word.toUpperCase()}`), [`${word} a`, `${word} b`]);
  assert.deepEqual(await names(`creatorId=${owner.id}`), [`${word} a`, `${word} b`]);
  assertRefused(await browser.get('/platform/servers?creatorId=nobody'), 'NOT_FOUND');
  const remove = (name: string) => browser.post(`/platform/servers/${servers[0].id}/delete`, { name });
  assertRefused(await remove('Another'), 'INVALID_REQUEST', '', 'name');
  dataOf(await remove(`${word} b`));
  assertRefused(await remove(`${word} b`), 'NOT_FOUND');
  assert.deepEqual(await names(`name=${word}`), [`${word} a`]);
});

test('verifying a registry app notifies its server', async () => {
  const scene = await Scene.open(world);
  const [app, own] = [await scene.submitted(), await scene.app()];
  const waiting = async () => idsOf(await listAll(browser, '/platform/apps?verified=false'));
  assert.ok((await waiting()).includes(app.id));
  assert.ok(!(await waiting()).includes(own.id));
  assert.equal(dataOf(await browser.post(`/platform/apps/${app.id}/verify`, {})).verified, true);
  assert.ok(!(await waiting()).includes(app.id));
  assert.ok(idsOf(await listAll(browser, '/platform/apps?verified=true')).includes(app.id));
  const last = (await logOf(world, scene.server.id)).at(-1);
  assert.deepEqual([last?.type, last?.data.verified, last?.actorId], ['app.updated', true, root.id]);
  assert.equal(dataOf(await browser.post(`/platform/apps/${app.id}/unverify`, {})).verified, false);
  assertRefused(await browser.post(`/platform/apps/${own.id}/verify`, {}), 'NOT_FOUND');
});

test('signed-in people can find verified registry apps by a part of their name or description', async () => {
  const scene = await Scene.open(world);
  const word = world.unique('registry');
  const made: Json[] = [];
  for (const fields of [
    { name: `The ${word} 100%` },
    { name: 'Other', description: `about ${word.toUpperCase()}` },
    {},
  ])
    made.push(
      await scene.make('/apps/submit', { id: (await scene.app({ name: `${word} later`, ...fields })).id }),
    );
  await scene.app({ name: `${word} own` });
  for (const { id } of made.slice(0, 2)) dataOf(await browser.post(`/platform/apps/${id}/verify`, {}));
  const person = await Browser.of(world, await world.user());
  const found = async (q: string) =>
    idsOf(await listAll(person, `/registry/apps?q=${encodeURIComponent(q)}`));
  const [first, second] = idsOf(made);
  assert.deepEqual(
    await found(word),
    [second, first],
    'newest first, without the unverified app and the private one',
  );
  assert.deepEqual(await found(`${word} 100%`), [first]);
  assert.deepEqual(await found(`${word}_100`), [], 'no character is a wildcard');
  const named = await scene.app({ name: `ÜBUNG für ${word}`, description: 'ＦＵＬＬ Straße' });
  dataOf(
    await browser.post(
      `/platform/apps/${(await scene.make('/apps/submit', { id: named.id })).id}/verify`,
      {},
    ),
  );
  for (const q of ['ÜBUNG', 'übung', 'Ubung', 'full strasse'])
    assert.ok((await found(q)).includes(named.id), `${q} on every engine`);
  const { body } = await person.get('/registry/apps?limit=1');
  assert.deepEqual([body.data.length, typeof body.nextCursor], [1, 'string']);
  assert.deepEqual(
    idsOf(await listAll(person, '/registry/apps')).filter((id) => idsOf(made).includes(id)),
    [second, first],
  );
  assertRefused(await new Browser(world).get('/registry/apps'), 'UNAUTHORIZED');
});

test('a setting can be changed for all nodes and reset', async () => {
  const beside = await World.open({ place: world.place, clock, signUp: 'closed' });
  try {
    const change = (value: unknown, by = browser) => by.patch('/platform/settings/signUp', { value });
    const [before] = dataOf(await browser.get('/platform/settings'));
    assert.deepEqual(
      [before.name, before.value, before.source, before.own],
      ['signUp', 'invite', 'default', 'invite'],
    );
    const signUp = (at: World) =>
      new Browser(at).post('/sign-up', { username: world.unique('new'), password: PASSWORD });
    for (const at of [world, beside]) assertRefused(await signUp(at), 'FORBIDDEN');
    const changed = dataOf(await change('open'));
    assert.deepEqual([changed.value, changed.source, changed.ownSource], ['open', 'platform', 'default']);
    dataOf(await signUp(world));
    // On PostgreSQL, the other node polls every 400 ms; `nodes/sessions` tests how long that takes.
    await until(async () => (await signUp(beside)).status === 200);
    assert.deepEqual((await audited()).about, { setting: 'signUp', value: 'open' });
    for (const wrong of ['everybody', 5, {}])
      assertRefused(await change(wrong), 'INVALID_REQUEST', String(wrong));
    assertRefused(await browser.patch('/platform/settings/secretKey', { value: 'x' }), 'NOT_FOUND');
    assertRefused(await browser.patch('/platform/settings/__proto__', { value: 'x' }), 'NOT_FOUND');
    assert.equal(dataOf(await change(null)).source, 'default');
    assertRefused(await signUp(world), 'FORBIDDEN');
    await until(async () => (await signUp(beside)).status === 403);
  } finally {
    await beside.close();
  }
});

test("the overview shows the platform's state", async () => {
  const health = dataOf(await browser.get('/platform/health'));
  assert.deepEqual(
    [health.isReady, health.problem, health.nodes >= 1, health.files],
    [true, '', true, 'folder'],
  );
  assert.ok(health.freeBytes > 0 && health.uptimeSeconds >= 0 && /^\d+\./.test(health.version));
  assert.deepEqual([health.isValkeyUp, health.waitingMails], [null, null]);

  const before = dataOf(await browser.get('/platform/health'));
  for (let count = 0; count < 3; count++) await world.request('GET', `${world.url}/api/v1/users/me`);
  await world.user();
  const after = dataOf(await browser.get('/platform/health'));
  // A request is counted after its response is created.
  assert.equal(after.requests - before.requests, 4);
  assert.ok(
    after.requestMs >= before.requestMs && after.cpuMs > before.cpuMs && after.writes > before.writes,
  );
  assert.deepEqual([after.startedAt, after.failedRequests], [before.startedAt, 0]);
  assert.ok(after.memoryBytes > 10_000_000 && after.streams === 0);
  const metrics = await (await fetch(`${world.url}/metrics`)).text();
  const counted = [...metrics.matchAll(/^palaver_http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
  const total = counted.reduce((sum, [, count]) => sum + Number(count), 0);
  assert.equal(total, dataOf(await browser.get('/platform/health')).requests, 'the same as in /metrics');
});

test('the audit log is listed page by page, newest first', async () => {
  const all = await listAll(browser, '/platform/audit', 3);
  assert.ok(all.length > 3);
  assert.deepEqual(idsOf(all), idsOf(all).toSorted().reverse());
  assert.deepEqual(new Set(all.map(({ actorId }) => typeof actorId)), new Set(['string']));
});
