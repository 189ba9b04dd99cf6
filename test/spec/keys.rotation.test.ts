import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { UNNOTICED_MS } from '../support/databases.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { change, openData, rotateKeyFor } from '../support/sources.ts';
import { placesWith } from '../support/stored.ts';
import { type Answer, type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 86_400_000;

const clock = new TestClock();
let world: World;
let server: Json;
let owner: Json;
let admin: Client;
before(async () => {
  world = await World.open({ clock });
  owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
});
after(() => world.close());

const mint = async (fields: object = {}): Promise<Json> =>
  dataOf(await admin.post('/secrets', { kind: 'apiKey', name: 'Key', ...fields }));
const rotate = (id: string, fields: object = {}, client = admin): Promise<Answer> =>
  client.post(`/secrets/${id}/rotate`, fields);
const statusOf = async (key: string): Promise<number> => (await world.as(key).get('/servers')).status;
const assertInvalid = async (key: string): Promise<void> =>
  assertRefused(await world.as(key).get('/servers'), 'INVALID_API_KEY');

test('a rotation returns a new value once, and the previous one stays valid for a day', async () => {
  const old = await mint();
  const made = dataOf(await rotate(old.id));
  assert.notEqual(made.key, old.key);
  assert.match(made.key, /^sk_live_plv_[0-9A-Za-z]{38}$/);
  assert.deepEqual(made.earlier, { preview: old.preview, until: clock.at + DAY_MS });
  assert.equal(made.preview, `sk_live_plv_…${made.key.slice(-4)}`);
  const { key: _old, preview: _preview, updatedAt: _updatedAt, ...same } = old;
  for (const [name, value] of Object.entries(same)) assert.deepEqual(made[name], value, name);
  assert.deepEqual(await placesWith(world, made.key), []);
  assert.equal(await statusOf(old.key), 200);
  assert.equal(await statusOf(made.key), 200);
  clock.advance(DAY_MS - 1);
  assert.equal(await statusOf(old.key), 200);
  clock.advance(1);
  await assertInvalid(old.key);
  assert.equal(await statusOf(made.key), 200);
});

test('an overlap of 0 invalidates the previous value immediately, even if it was in use', async () => {
  const old = await mint();
  assert.equal(await statusOf(old.key), 200);
  const made = dataOf(await rotate(old.id, { overlap: 0 }));
  assert.equal('earlier' in made, false);
  await assertInvalid(old.key);
  assert.equal(await statusOf(made.key), 200);
});

test('a second rotation immediately invalidates the value before the previous one', async () => {
  const first = await mint();
  const second = dataOf(await rotate(first.id));
  const third = dataOf(await rotate(first.id));
  assert.equal(third.earlier.preview, second.preview);
  await assertInvalid(first.key);
  assert.deepEqual([await statusOf(second.key), await statusOf(third.key)], [200, 200]);
});

test('revoking a key invalidates both values, and the response names both', async () => {
  const old = await mint();
  const made = dataOf(await rotate(old.id));
  const revoked = dataOf(await admin.delete(`/secrets/${old.id}`));
  assert.deepEqual([revoked.preview, revoked.earlier.preview], [made.preview, old.preview]);
  await assertInvalid(old.key);
  await assertInvalid(made.key);
});

test('a key can rotate itself, and repeating the request with the previous value returns the new one again', async () => {
  const role = dataOf(await admin.post('/roles', { name: 'Secrets', canEditApp: true }));
  const own = await mint({ roleId: role.id });
  const headers = { 'idempotency-key': 'rotate' };
  const first = await world.as(own.key).post(`/secrets/${own.id}/rotate`, {}, headers);
  const again = await world.as(own.key).post(`/secrets/${own.id}/rotate`, {}, headers);
  assert.equal(dataOf(again).key, dataOf(first).key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
});

test('a rotation keeps the expiry unless given a new one, and the expiry limits the previous value', async () => {
  const expiresAt = clock.at + 3_600_000;
  const old = await mint({ expiresAt });
  const kept = dataOf(await rotate(old.id));
  assert.deepEqual([kept.expiresAt, kept.earlier.until], [expiresAt, expiresAt]);
  const moved = dataOf(await rotate(old.id, { expiresAt: null }));
  assert.deepEqual([moved.expiresAt, moved.earlier.until], [null, expiresAt]);
  clock.advance(3_600_000);
  await assertInvalid(kept.key);
  assert.equal(await statusOf(moved.key), 200);

  const over = await mint({ expiresAt: clock.at + 1 });
  clock.advance(1);
  assertRefused(await rotate(over.id), 'INVALID_REQUEST');
  assertRefused(await rotate(over.id, { expiresAt: clock.at }), 'INVALID_REQUEST');
  const renewed = dataOf(await rotate(over.id, { expiresAt: clock.at + 1000 }));
  assert.equal('earlier' in renewed, false);
  await assertInvalid(over.key);
  assert.equal(await statusOf(renewed.key), 200);
});

test('app secrets and missing secrets cannot be rotated', async () => {
  const app = dataOf(await admin.post('/apps', { name: 'Weather' }));
  const fields = { kind: 'appSecret', name: 'Token', appId: app.id, value: 'a long enough value' };
  const { id } = dataOf(await admin.post('/secrets', fields));
  assertRefused(await rotate(id), 'INVALID_REQUEST');
  assertRefused(await rotate('nothing'), 'NOT_FOUND');
});

test("callers cannot rotate keys with flags that they lack, other people's keys, or keys for other servers", async () => {
  const weak = await world.client(server, ['canEditApp']);
  const strong = await mint({ roleId: admin.secret.roleId });
  const refused = await rotate(strong.id, {}, weak);
  assertRefused(refused, 'FORBIDDEN');
  assert.deepEqual(refused.body.error.details.need, ['canAdmin']);
  const other = await world.client(server, ['canAdmin']);
  assertRefused(await rotate(admin.secret.id, {}, other), 'FORBIDDEN');
  const stranger = await world.user();
  const elsewhere = await world.client(await world.server(stranger), ['canAdmin'], stranger);
  assertRefused(await rotate(strong.id, {}, elsewhere), 'FORBIDDEN');
  assert.equal(await statusOf(strong.key), 200);
});

test('a rotation by another process invalidates the previous value in this process', async () => {
  const old = await mint();
  assert.equal(await statusOf(old.key), 200);
  const beside = await openData(world.place);
  try {
    await change(beside, (work) => rotateKeyFor(work, old.id, { overlap: '0' }, 0));
  } finally {
    await beside.db.close();
  }
  await sleep(UNNOTICED_MS);
  await assertInvalid(old.key);
});

test('a stream opened with the previous value ends with it', async () => {
  const old = await mint();
  const open = (key: string) =>
    fetch(`${world.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
    });
  const made = dataOf(await rotate(old.id, { overlap: 60 }));
  const [before, after] = [await open(old.key), await open(made.key)];
  assert.deepEqual([before.status, after.status], [200, 200]);
  const reader = after.body?.getReader();
  clock.advance(60_000);
  await before.text();
  const first = await reader?.read();
  assert.equal(first?.done, false, 'the stream with the new value continues');
  await reader?.cancel();
});
