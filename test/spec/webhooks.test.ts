import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webhook } from '../rows/webhookWrites.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { assertRecord } from '../support/records.ts';
import { addDelivery } from '../support/rows.ts';
import { Scene } from '../support/scene.ts';
import { find } from '../support/sources.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const NOBODY = '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90';
const url = 'https://example.com/palaver';

const clock = new TestClock();
let world: World;
let scene: Scene;
let admin: Client;
before(async () => {
  world = await World.open({ clock });
  scene = await Scene.open(world);
  admin = scene.admin;
});
after(() => world.close());

const list = async (client = admin): Promise<Json[]> =>
  dataOf(await client.get(`/servers/${scene.server.id}/webhooks?limit=100`));

const rowOf = (id: string): Promise<Json> => world.data.db.read.first(find('webhook', { id }));

test('creating an outgoing webhook returns its record, and its secret once', async () => {
  const made = await scene.webhook();
  const { secret, ...shown } = made;
  assert.match(secret, /^whsec_/);
  assert.equal(Buffer.from(secret.slice(6), 'base64').length, 32);
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...fields } = shown;
  assert.deepEqual(fields, {
    serverId: scene.server.id,
    direction: 'out',
    name: 'Webhook',
    url,
    types: null,
    channelId: null,
    enabled: true,
    template: null,
    disabledReason: null,
    roleId: admin.secret.roleId,
    userId: null,
    creatorId: scene.owner.id,
  });
  assert.deepEqual(await list(), [shown]);
  const renamed = dataOf(await admin.patch(`/webhooks/${made.id}`, { name: 'Reports' }));
  assertRecord(renamed, webhook, 'webhook');
  const row = await rowOf(made.id);
  assert.ok(
    !JSON.stringify(row).includes(secret.slice(6)),
    'the database does not store the secret in plain text',
  );
  assert.equal(world.data.seal.open(row.sealed, { table: 'webhook', column: 'sealed', id: made.id }), secret);
  assertRecord(dataOf(await admin.delete(`/webhooks/${made.id}`)), webhook, 'webhook');
  assert.deepEqual(await list(), []);
  assertRefused(await admin.patch(`/webhooks/${made.id}`, {}), 'NOT_FOUND');
});

test('creating an incoming webhook returns its record, and its token once', async () => {
  const { id: channelId } = await scene.channel();
  const { token, path, ...shown } = await scene.webhook({
    direction: 'in',
    url: undefined,
    channelId,
    name: 'Build reports',
  });
  assert.match(token, /^hook_plv_[0-9A-Za-z]{38}$/);
  assert.equal(path, `/hooks/${token}`);
  assertRecord(shown, webhook, 'webhook');
  const { direction, url, channelId: at, name } = shown;
  assert.deepEqual(
    { direction, url, at, name },
    { direction: 'in', url: null, at: channelId, name: 'Build reports' },
  );
  const agent = dataOf(await admin.get(`/users/${shown.userId}`));
  assert.deepEqual([agent.type, agent.name], ['agent', 'Build reports']);
  assert.deepEqual(await list(), [shown]);
  assert.ok(!JSON.stringify(await rowOf(shown.id)).includes(token));
  dataOf(await admin.delete(`/webhooks/${shown.id}`));
});

test('no event contains a secret or a token', async () => {
  const { id: channelId } = await scene.channel();
  const out = await scene.webhook();
  const into = await scene.webhook({ direction: 'in', url: undefined, channelId });
  const rotated = [out, into].map(async ({ id }) =>
    dataOf(await admin.patch(`/webhooks/${id}`, { rotateSecret: true })),
  );
  const shown = [out, into, ...(await Promise.all(rotated))].map(({ secret, token }) => secret ?? token);
  assert.equal(new Set(shown).size, 4);
  const log = JSON.stringify(await world.data.db.read.all(find('event', { logId: scene.server.id })));
  assert.ok(log.includes('webhook.created') && log.includes('webhook.updated'));
  for (const value of shown) assert.ok(!log.includes(value));
});

test('each direction has required fields, and fields that it rejects', async () => {
  const { id: channelId } = await scene.channel();
  const refused: [body: object, path: string][] = [
    [{}, 'url'],
    [{ direction: 'out' }, 'url'],
    [{ direction: 'in' }, 'channelId'],
    [{ direction: 'in', channelId: null }, 'channelId'],
    [{ direction: 'in', channelId, url }, 'url'],
    [{ direction: 'in', channelId, types: ['message.*'] }, 'types'],
    [{ direction: 'both', url }, 'direction'],
  ];
  for (const [body, path] of refused) {
    assertRefused(await admin.post('/webhooks', body), 'INVALID_REQUEST', JSON.stringify(body), path);
  }
  const into = dataOf(await admin.post('/webhooks', { direction: 'in', channelId, types: null }));
  for (const [body, path] of [
    [{ url }, 'url'],
    [{ types: ['message.*'] }, 'types'],
    [{ channelId: null }, 'channelId'],
    [{ rotateSecret: 'yes' }, 'rotateSecret'],
  ] as const) {
    assertRefused(
      await admin.patch(`/webhooks/${into.id}`, body),
      'INVALID_REQUEST',
      JSON.stringify(body),
      path,
    );
  }
  const replay = { after: await scene.cursor() };
  assertRefused(await admin.post(`/webhooks/${into.id}/replay`, replay), 'INVALID_REQUEST', '', 'id');
  assert.deepEqual(dataOf(await admin.get(`/webhooks/${into.id}/deliveries`)), []);
});

test('the channel must belong to the server, and the key must see it', async () => {
  const other = await Scene.open(world);
  const { id: elsewhere } = await other.channel();
  assertRefused(await admin.post('/webhooks', { url, channelId: NOBODY }), 'NOT_FOUND');
  assertRefused(await admin.post('/webhooks', { url, channelId: elsewhere }), 'FORBIDDEN');
  const wrong = { url, channelId: elsewhere, serverId: scene.server.id };
  assertRefused(await admin.post('/webhooks', wrong), 'INVALID_REQUEST', '', 'serverId');
  const { id } = await scene.webhook();
  const moved = await admin.patch(`/webhooks/${id}`, { channelId: elsewhere });
  assertRefused(moved, 'INVALID_REQUEST', '', 'channelId');
  assertRefused(await admin.post('/webhooks', { url, serverId: other.server.id }), 'FORBIDDEN');
});

test('webhooks for a private channel are only visible to callers who see the channel', async () => {
  const { id: channelId } = await scene.channel({ private: true });
  const { id } = await scene.webhook({ channelId });
  const keeper = await world.client(scene.server, ['canEditApp']);
  assert.ok(!idsOf(await list(keeper)).includes(id));
  assert.ok(idsOf(await list()).includes(id));
  assertRefused(await keeper.get(`/webhooks/${id}/deliveries`), 'FORBIDDEN');
  assertRefused(await keeper.patch(`/webhooks/${id}`, { name: 'Mine' }), 'FORBIDDEN');
  assertRefused(await keeper.post('/webhooks', { url, channelId }), 'FORBIDDEN');
  const own = dataOf(await keeper.post('/webhooks', { url }));
  assertRefused(await keeper.patch(`/webhooks/${own.id}`, { channelId }), 'FORBIDDEN');
});

test('listing webhooks and deliveries requires canEditApp', async () => {
  const { id } = await scene.webhook();
  const others = [await world.client(scene.server, ['canEditServer']), await world.client(scene.server)];
  for (const client of others) {
    for (const path of [`/servers/${scene.server.id}/webhooks`, `/webhooks/${id}/deliveries`]) {
      const answer = await client.get(path);
      assertRefused(answer, 'FORBIDDEN', path);
      assert.deepEqual(answer.body.error.details.need, ['canEditApp']);
    }
  }
});

test('callers cannot change a webhook whose role has flags that their own key lacks', async () => {
  const { id } = await scene.webhook();
  const keeper = await world.client(scene.server, ['canEditApp']);
  for (const body of [{ url: 'https://example.com/mine' }, { rotateSecret: true }, { name: 'Mine' }]) {
    const answer = await keeper.patch(`/webhooks/${id}`, body);
    assertRefused(answer, 'FORBIDDEN', JSON.stringify(body));
    assert.match(answer.body.error.message, /you can only grant permissions you have/);
  }
  const role = await scene.role({ canEditApp: true });
  const maker = await world.clientWithRole(scene.server, role);
  const made = dataOf(await maker.post('/webhooks', { url }));
  dataOf(await keeper.patch(`/webhooks/${made.id}`, { name: 'Ours' }));
  await scene.channel({ private: true, roleIds: [role.id] });
  assertRefused(await keeper.patch(`/webhooks/${made.id}`, { name: 'Mine' }), 'FORBIDDEN');
  assertRefused(await keeper.delete(`/webhooks/${made.id}`), 'FORBIDDEN');
  dataOf(await maker.delete(`/webhooks/${made.id}`));
});

test('an unknown or expired cursor is rejected with the oldest valid cursor', async () => {
  const other = await Scene.open(world);
  const { id } = await other.webhook();
  const first = await other.cursor();
  await other.channel();
  const last = await other.cursor();
  const refused = await other.admin.post(`/webhooks/${id}/replay`, { after: await scene.cursor() });
  assertRefused(refused, 'INVALID_REQUEST', 'a cursor of another server', 'after');
  clock.advance(40 * 86_400_000);
  await other.channel();
  await world.tidy();
  const expired = await other.admin.post(`/webhooks/${id}/replay`, { after: first });
  assertRefused(expired, 'INVALID_REQUEST', 'an expired cursor', 'after');
  const named = /starts after (\S+)$/.exec(expired.body.error.message)?.[1];
  assert.equal(named, last, 'the cursor before the oldest kept event');
  dataOf(await other.admin.post(`/webhooks/${id}/replay`, { after: named }));
});

test('a webhook is deleted with its role, its agent or its channel', async () => {
  const role = await scene.role({ canEditApp: true, canEditData: true });
  const maker = await world.clientWithRole(scene.server, role);
  const kept = await scene.webhook();
  const { id: channelId } = await scene.channel();
  const ofChannel = [
    await scene.webhook({ channelId }),
    await scene.webhook({ direction: 'in', url: undefined, channelId }),
  ];
  dataOf(await admin.delete(`/channels/${channelId}`));
  const { id: place } = await scene.channel();
  const ofAgent = await scene.webhook({ direction: 'in', url: undefined, channelId: place });
  const members = dataOf(await admin.get(`/servers/${scene.server.id}/members?limit=100`));
  const agent = members.find(({ userId }: Json) => userId === ofAgent.userId);
  dataOf(await admin.delete(`/server-members/${agent.id}`));
  const ofRole = dataOf(await maker.post('/webhooks', { url }));
  dataOf(await admin.delete(`/roles/${role.id}`));

  const left = idsOf(await list());
  assert.ok(left.includes(kept.id));
  const removed = idsOf([...ofChannel, ofAgent, ofRole]);
  for (const id of removed) assert.ok(!left.includes(id));
  const events = await world.data.db.read.all(
    find('event', { logId: scene.server.id, type: 'webhook.deleted' }),
  );
  const told = events.map(({ data }) => JSON.parse(data).id);
  for (const id of removed) assert.equal(told.filter((one) => one === id).length, 1);
});

test('a stored response that contains a secret is encrypted, and can be replayed', async () => {
  const key = { 'idempotency-key': 'secret once' };
  const first = dataOf(await admin.post('/webhooks', { url }, key));
  assert.deepEqual(dataOf(await admin.post('/webhooks', { url }, key)), first);
  const kept = JSON.stringify(await world.data.db.read.all(find('idempotency', {})));
  assert.ok(!kept.includes(first.secret));
});

test('attempts are removed after 7 days', async () => {
  const { id } = await scene.webhook();
  await addDelivery(world, id);
  const attempts = async () => dataOf(await admin.get(`/webhooks/${id}/deliveries`)).length;
  const round = () => world.tidy();
  clock.advance(7 * 86_400_000 - 1_000);
  await round();
  assert.equal(await attempts(), 1);
  clock.advance(1_000);
  await round();
  assert.equal(await attempts(), 0);
});
