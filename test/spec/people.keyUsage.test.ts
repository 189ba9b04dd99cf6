import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

// Tests the hourly request counts that a node keeps for each API key.

const HOUR_MS = 60 * 60_000;

let world: World;
let scene: Scene;
let owner: Browser;
const clock = new TestClock();
before(async () => {
  world = await World.open({ clock, limits: { channel: 2 } });
  scene = await Scene.open(world);
  owner = await Browser.of(world, scene.owner, scene.server);
});
after(() => world.close());

const usage = async (): Promise<Json> => dataOf(await owner.get(`/servers/${scene.server.id}/key-usage`));
const hoursOf = async (keyId: string): Promise<Json[]> =>
  (await usage()).keys.find(({ secretId }: Json) => secretId === keyId)?.hours ?? [];
const hourNow = () => Math.floor(clock.now() / HOUR_MS) * HOUR_MS;

test("a key's successful, forbidden and rate-limited requests are counted per hour and kept for two days", async () => {
  const client = await world.client(scene.server, ['canEditData']);
  const { id } = dataOf(await client.get('/users/me')).key;
  const first = hourNow();
  for (let number = 0; number < 3; number++) await client.get('/users/me');
  for (let number = 0; number < 3; number++)
    await client.post('/channels', { serverId: scene.server.id, name: world.unique('refused') });
  assert.deepEqual(await hoursOf(id), [{ at: first, answered: 4, refused: 2, limited: 1 }]);

  clock.advance(2 * HOUR_MS);
  await client.get('/users/me');
  const second = hourNow();
  assert.deepEqual(await hoursOf(id), [
    { at: first, answered: 4, refused: 2, limited: 1 },
    { at: second, answered: 1, refused: 0, limited: 0 },
  ]);
  clock.advance(46 * HOUR_MS);
  assert.deepEqual(await hoursOf(id), [{ at: second, answered: 1, refused: 0, limited: 0 }]);
  // The counters for an hour are reused after two days.
  clock.advance(2 * HOUR_MS);
  await client.get('/users/me');
  assert.deepEqual(await hoursOf(id), [{ at: hourNow(), answered: 1, refused: 0, limited: 0 }]);
  const { since, hours } = await usage();
  assert.ok(since <= first + HOUR_MS);
  assert.equal(hours, 48);
});

test('requests with a session are not counted, and requests in other servers are not shown', async () => {
  const other = await Scene.open(world);
  await other.admin.get('/users/me');
  const { keys } = await usage();
  const secrets: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/secrets?limit=100`));
  for (const { secretId } of keys) assert.ok(secrets.some(({ id }) => id === secretId));
});

test('only callers who can see the keys can see their usage', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const browser = await Browser.of(world, user, scene.server);
  assertRefused(await browser.get(`/servers/${scene.server.id}/key-usage`), 'FORBIDDEN');
});
