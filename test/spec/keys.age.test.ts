import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const DAY_MS = 86_400_000;
const MAX_DAYS = 30;

const clock = new TestClock();
let world: World;
let server: Json;
let owner: Json;
let admin: Client;
before(async () => {
  world = await World.open({ clock, maxKeyDays: MAX_DAYS });
  owner = await world.user();
  server = await world.server(owner);
  // Stored without an expiry, like a key created before the setting existed.
  admin = await world.client(server, ['canAdmin'], owner);
});
after(() => world.close());

const mint = async (fields: object = {}): Promise<Json> =>
  dataOf(await admin.post('/secrets', { kind: 'apiKey', name: 'Key', ...fields }));

test('a new key expires after the maximum age, or earlier if requested', async () => {
  const last = clock.at + MAX_DAYS * DAY_MS;
  assert.equal((await mint()).expiresAt, last);
  assert.equal((await mint({ expiresAt: null })).expiresAt, last);
  assert.equal((await mint({ expiresAt: last + 1 })).expiresAt, last);
  assert.equal((await mint({ expiresAt: last - 1 })).expiresAt, last - 1);
});

test('rotating a key keeps its requested expiry', async () => {
  const expiresAt = clock.at + 5 * DAY_MS;
  const { id } = await mint({ expiresAt });
  assert.equal(dataOf(await admin.post(`/secrets/${id}/rotate`, {})).expiresAt, expiresAt);
});

test('rotating a key renews its default expiry; a key beyond the maximum age is rejected as expired, regardless of its expiry', async () => {
  const { id, key } = await mint();
  clock.advance((MAX_DAYS - 1) * DAY_MS);
  const until = clock.at + DAY_MS;
  const rotated = dataOf(await admin.post(`/secrets/${id}/rotate`, { overlap: 7 * 86_400 }));
  assert.deepEqual([rotated.expiresAt, rotated.earlier.until], [clock.at + MAX_DAYS * DAY_MS, until]);
  const fresh = await world.client(server, ['canAdmin'], owner);
  clock.advance(DAY_MS - 1);
  dataOf(await admin.get('/servers'));
  clock.advance(1);
  for (const old of [admin, world.as(key)]) {
    const refused = await old.get('/servers');
    assertRefused(refused, 'INVALID_API_KEY');
    assert.equal(refused.body.error.message, 'this API key has expired');
  }
  dataOf(await world.as(rotated.key).get('/servers'));
  dataOf(await fresh.get('/servers'));
});
