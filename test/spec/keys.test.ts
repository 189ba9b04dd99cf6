import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { unknownKey, withChecksum } from '../support/keyFormat.ts';
import { until } from '../support/process.ts';
import { find } from '../support/sources.ts';
import { placesWith } from '../support/stored.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
let server: Json;
let admin: Client;
before(async () => {
  world = await World.open({ clock });
  const owner = await world.user();
  server = await world.server(owner);
  admin = await world.client(server, ['canAdmin'], owner);
});
after(() => world.close());

const mint = async (fields: object = {}): Promise<Json> => {
  const answer = await admin.post('/secrets', { kind: 'apiKey', name: 'Key', ...fields });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.data;
};

async function codeFor(authorization: string | undefined): Promise<string> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const answer = await world.request('GET', '/servers', { headers });
  if (answer.status === 200) return 'OK';
  assert.equal(answer.status, 401, JSON.stringify(answer.body));
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
  return answer.body.error.code;
}

test('a key has its prefix, at least 160 random bits and a checksum', async () => {
  const keys = [];
  for (let index = 0; index < 50; index++) keys.push((await mint()).key);
  for (const key of keys) {
    assert.match(key, /^sk_live_plv_[0-9A-Za-z]+$/);
    const random = key.slice('sk_live_plv_'.length, -6);
    assert.ok(random.length * Math.log2(62) >= 160, `${random.length} characters`);
    assert.equal(withChecksum(key.slice(0, -6)), key);
    assert.equal(await codeFor(`Bearer ${key}`), 'OK');
  }
  assert.equal(new Set(keys).size, keys.length);
  // Every character in the alphabet of 62 must occur in 1,600 draws. By chance, this fails in 3 of 10 billion runs.
  const drawn = new Set(keys.flatMap((key) => [...key.slice('sk_live_plv_'.length, -6)]));
  assert.equal(drawn.size, 62);
});

test('a missing Authorization header or another scheme is UNAUTHORIZED', async () => {
  const { key } = await mint();
  const basic = Buffer.from(`${key}:`).toString('base64');
  for (const authorization of [undefined, '', `Basic ${basic}`, key, `Token ${key}`, 'Bearer', 'Bearer ']) {
    assert.equal(await codeFor(authorization), 'UNAUTHORIZED', String(authorization));
  }
});

test('the scheme is not case-sensitive', async () => {
  const { key } = await mint();
  for (const scheme of ['Bearer', 'bearer', 'BEARER']) assert.equal(await codeFor(`${scheme} ${key}`), 'OK');
});

test('a malformed, mistyped or unknown token is INVALID_API_KEY', async () => {
  const { key } = await mint();
  const wrong = [
    'x',
    'sk_live_',
    'sk_live_plv_',
    key.slice(0, -1),
    `${key}0`,
    `${key} ${key}`,
    key.toLowerCase(),
    key.replace('sk_live_plv_', 'sk_test_plv_'),
    key.replace('sk_live_plv_', 'sk_live_'),
    withChecksum('sk_live_plv_short'),
    unknownKey(),
  ];
  for (const token of wrong) assert.equal(await codeFor(`Bearer ${token}`), 'INVALID_API_KEY', token);
});

test('any single mistyped character invalidates a key', async () => {
  const { key } = await mint();
  for (let index = 0; index < key.length; index++) {
    const other = key[index] === 'a' ? 'b' : 'a';
    const mistyped = key.slice(0, index) + other + key.slice(index + 1);
    assert.equal(await codeFor(`Bearer ${mistyped}`), 'INVALID_API_KEY', `character ${index}`);
  }
});

test('the error distinguishes a mistyped key from one that was never issued', async () => {
  const unknown = unknownKey();
  const mistyped = unknown.slice(0, -1) + (unknown.endsWith('a') ? 'b' : 'a');
  const messageFor = async (key: string) => (await world.as(key).get('/servers')).body.error.message;
  assert.notEqual(await messageFor(unknown), await messageFor(mistyped));
});

test('a key expires at its expiresAt and stays expired', async () => {
  const { key, expiresAt } = await mint({ expiresAt: clock.at + 5_000 });
  assert.equal(expiresAt, clock.at + 5_000);
  assert.equal(await codeFor(`Bearer ${key}`), 'OK');
  clock.advance(4_999);
  assert.equal(await codeFor(`Bearer ${key}`), 'OK');
  clock.advance(1);
  assert.equal(await codeFor(`Bearer ${key}`), 'INVALID_API_KEY');
  clock.advance(100_000);
  assert.equal(await codeFor(`Bearer ${key}`), 'INVALID_API_KEY');
});

test('an expired key cannot write', async () => {
  const { key } = await mint({ expiresAt: clock.at + 1, roleId: admin.secret.roleId });
  clock.advance(1);
  const answer = await world.as(key).post('/channels', { name: world.unique('channel') });
  assert.equal(answer.body.error.code, 'INVALID_API_KEY');
});

for (const offset of [0, -1, -1_000_000]) {
  test(`an expiresAt ${offset} ms from now is rejected`, async () => {
    const answer = await admin.post('/secrets', {
      kind: 'apiKey',
      name: 'Key',
      expiresAt: clock.at + offset,
    });
    assert.equal(answer.status, 400);
    assert.equal(answer.body.error.details[0].path, 'expiresAt');
  });
}

test('a key without expiresAt, or with null, never expires', async () => {
  const keys = [await mint(), await mint({ expiresAt: null })];
  clock.advance(100 * 365 * 86_400_000);
  for (const { key, expiresAt } of keys) {
    assert.equal(expiresAt, null);
    assert.equal(await codeFor(`Bearer ${key}`), 'OK');
  }
});

const isStored = async (text: string): Promise<boolean> => (await placesWith(world, text)).length > 0;

test('a key is only stored as its SHA-256 hash', async () => {
  const minted = await admin.post(
    '/secrets',
    { kind: 'apiKey', name: 'Repeatable' },
    { 'idempotency-key': 'mint' },
  );
  const again = await admin.post(
    '/secrets',
    { kind: 'apiKey', name: 'Repeatable' },
    { 'idempotency-key': 'mint' },
  );
  assert.equal(again.data.key, minted.data.key);
  for (const key of [minted.data.key, (await mint()).key, admin.key]) {
    await world.as(key).get('/servers');
    assert.ok(await isStored(createHash('sha256').update(key).digest('hex')));
    assert.ok(!(await isStored(key)));
    assert.ok(!(await isStored(key.slice('sk_live_plv_'.length, -6))));
  }
});

test('an app’s secret is stored encrypted, and no endpoint returns it', async () => {
  const app = (await admin.post('/apps', { name: 'App' })).data;
  const value = 'correct horse battery staple';
  const body = { kind: 'appSecret', name: 'Password', appId: app.id, value };
  const kept = await admin.post('/secrets', body, { 'idempotency-key': 'keep' });
  assert.equal(kept.status, 200);
  assert.equal('value' in kept.data || 'key' in kept.data, false);
  assert.ok(!JSON.stringify(kept.body).includes(value));
  assert.ok(await isStored(kept.data.id));
  assert.ok(!(await isStored(value)));
});

test('lastUsedAt is written at most once a minute', async () => {
  const start = clock.at;
  const used: [moments: number[], lastUsedAt: number | null][] = [
    [[], null],
    [[0], 0],
    [[0, 59_999], 0],
    [[0, 60_000], 60_000],
    [[0, 59_999, 60_001], 60_001],
  ];
  // Each case uses a new key at these times.
  for (const [moments, last] of used) {
    clock.at = start;
    const { id, key } = await mint();
    for (const moment of moments) {
      clock.at = start + moment;
      assert.equal(await codeFor(`Bearer ${key}`), 'OK');
    }
    const lastUsedAt = last === null ? null : start + last;
    // lastUsedAt is written in the background.
    const isWritten = async () =>
      ((await world.data.db.read.first(find('keyUse', { id })))?.lastUsedAt ?? null) === lastUsedAt;
    await until(isWritten);
    // The response to a revocation contains `lastUsedAt`.
    assert.equal((await admin.delete(`/secrets/${id}`)).data.lastUsedAt, lastUsedAt, moments.join());
  }
});
