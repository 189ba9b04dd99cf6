// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { limits, operations, pathOf, type Row } from '../rows/index.ts';
import { type Answer, type Client, type Json, TestClock, World } from '../support/world.ts';

const WINDOW_MS = 60_000;
const clock = new TestClock();
let world: World;
let server: Json;
let user: Json;
let client: Client;
before(async () => {
  world = await World.open({ limits: {}, clock });
  server = await world.server(await world.user());
});
beforeEach(async () => {
  clock.advance(10 * WINDOW_MS);
  user = await world.user();
  client = await world.client(server, [], user);
});
after(() => world.close());

/** Sends a request for a record that does not exist. */
function send(as: Client, row: Row): Promise<Answer> {
  const path = pathOf(row, 'none');
  if (row.method === 'GET') return as.get(path);
  if (row.method === 'DELETE') return as.delete(path);
  return row.method === 'POST' ? as.post(path, {}) : as.patch(path, {});
}

const rowsOf = (kind: string): Row[] => operations.filter((row) => row.kind === kind);
const cheap = (kind: string): Row => rowsOf(kind).at(-1) as Row;
const isLimited = async (kind: string, as = client) => (await send(as, cheap(kind))).status === 429;

/** Uses up slots until a request is rejected, and returns how many it used. */
async function exhaust(kind: string, as = client): Promise<number> {
  for (let taken = 0; ; taken++) if (await isLimited(kind, as)) return taken;
}

for (const [kind, limit] of Object.entries(limits)) {
  test(`${kind}: exactly ${limit} in 60 s across all its endpoints`, async () => {
    const endpoints = rowsOf(kind);
    for (let taken = 0; taken < limit; taken++) {
      const answer = await send(client, endpoints[taken % endpoints.length] as Row);
      assert.notEqual(answer.status, 429, `request ${taken + 1}`);
      assert.equal(answer.headers.get('ratelimit-policy'), `"${kind}";q=${limit};w=60`);
      assert.equal(answer.headers.get('ratelimit'), `"${kind}";r=${limit - taken - 1};t=60`);
    }
    for (const endpoint of endpoints) {
      const refused = await send(client, endpoint);
      assert.equal(refused.status, 429, endpoint.name);
      assert.equal(refused.body.error.code, 'RATE_LIMITED');
      assert.equal(refused.headers.get('retry-after'), '60');
      assert.equal(refused.headers.get('ratelimit-policy'), `"${kind}";q=${limit};w=60`);
      assert.equal(refused.headers.get('ratelimit'), `"${kind}";r=0;t=60`);
    }
    clock.advance(WINDOW_MS - 1);
    assert.equal(await isLimited(kind), true);
    clock.advance(1);
    assert.equal(await exhaust(kind), limit);
  });

  test(`${kind}: every endpoint counts`, async () => {
    for (const endpoint of rowsOf(kind)) {
      const answer = await send(client, endpoint);
      assert.match(answer.headers.get('ratelimit') ?? '', new RegExp(`^"${kind}";r=`), endpoint.name);
    }
  });

  test(`${kind}: independent of the other kinds`, async () => {
    await exhaust(kind);
    for (const other of Object.keys(limits)) {
      assert.equal(await isLimited(other), other === kind, other);
    }
  });
}

test('the window slides: a slot is free again exactly one window after its request', async () => {
  const start = clock.at;
  const moments = [0, 7_000, 20_001, 20_002, 59_998];
  for (const moment of moments) {
    clock.at = start + moment;
    assert.equal(await isLimited('server'), false, `at ${moment}`);
  }
  for (const moment of moments) {
    clock.at = start + moment + WINDOW_MS - 1;
    assert.equal(await isLimited('server'), true, `1 ms before ${moment} is free`);
    clock.at = start + moment + WINDOW_MS;
    assert.equal(await isLimited('server'), false, `when ${moment} is free`);
  }
});

test('rate-limited requests use no slot', async () => {
  await exhaust('server');
  clock.advance(WINDOW_MS / 2);
  for (let index = 0; index < 20; index++) assert.equal(await isLimited('server'), true);
  clock.advance(WINDOW_MS / 2);
  assert.equal(await exhaust('server'), 5);
});

test('requests that fail after the rate limit check use a slot', async () => {
  const failing: [number, () => Promise<Answer>][] = [
    [400, () => client.patch(`/servers/${server.id}`, { name: 5 })],
    [400, () => client.patch(`/servers/${server.id}`, { id: 'another' })],
    [404, () => client.patch('/servers/none', {})],
    [403, () => client.patch(`/servers/${server.id}`, {})],
    [400, () => client.patch(`/servers/${server.id}`, 'text')],
  ];
  for (const [index, [status, ask]] of failing.entries()) {
    const answer = await ask();
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('ratelimit'), `"server";r=${4 - index};t=60`);
    assert.equal(answer.headers.get('ratelimit-policy'), '"server";q=5;w=60');
  }
  assert.equal(await isLimited('server'), true);
});

test('responses with 200 and 409 have the headers too', async () => {
  const admin = await world.client(server, ['canAdmin']);
  const first = await admin.post('/channels', { name: world.unique('channel') });
  const second = await admin.post('/channels', { name: first.data.name });
  assert.deepEqual([first.status, second.status], [200, 409]);
  assert.equal(first.headers.get('ratelimit'), '"channel";r=9;t=60');
  assert.equal(second.headers.get('ratelimit'), '"channel";r=8;t=60');
});

test('responses to authenticated requests for an unknown path have the headers', async () => {
  const { status, headers } = await client.get('/nothing');
  assert.equal(status, 404);
  assert.ok(headers.get('ratelimit'));
  assert.ok(headers.get('ratelimit-policy'));
});

test('a rate-limited request is rejected before its body is validated', async () => {
  await exhaust('message');
  assert.equal((await client.post('/messages', { content: 5 })).status, 429);
});

const waits = [
  { after: 0, retry: 60 },
  { after: 1, retry: 60 },
  { after: 999, retry: 60 },
  { after: 1_000, retry: 59 },
  { after: 30_500, retry: 30 },
  { after: 58_999, retry: 2 },
  { after: 59_000, retry: 1 },
  { after: 59_001, retry: 1 },
  { after: 59_999, retry: 1 },
];
for (const { after: passed, retry } of waits) {
  test(`${passed} ms after the first request, Retry-After is ${retry} s, and waiting that long is enough`, async () => {
    await exhaust('server');
    clock.advance(passed);
    const { status, headers } = await send(client, cheap('server'));
    assert.equal(status, 429);
    assert.equal(headers.get('retry-after'), String(retry));
    assert.equal(headers.get('ratelimit'), `"server";r=0;t=${retry}`);
    clock.advance(retry * 1000);
    assert.equal(await isLimited('server'), false);
  });
}

test('waiting 1 ms less than an exact Retry-After is not enough', async () => {
  await exhaust('server');
  clock.advance(20_000);
  const { headers } = await send(client, cheap('server'));
  clock.advance(Number(headers.get('retry-after')) * 1000 - 1);
  assert.equal(await isLimited('server'), true);
  clock.advance(1);
  assert.equal(await isLimited('server'), false);
});

test('RateLimit shows the free slots and the time until the next one', async () => {
  const remaining = async () => (await send(client, cheap('server'))).headers.get('ratelimit');
  assert.equal(await remaining(), '"server";r=4;t=60');
  clock.advance(25_500);
  assert.equal(await remaining(), '"server";r=3;t=35');
  clock.advance(34_499);
  assert.equal(await remaining(), '"server";r=2;t=1');
  clock.advance(1);
  assert.equal(await remaining(), '"server";r=2;t=26');
});

test('each user has separate slots', async () => {
  await exhaust('server');
  const other = await world.client(server);
  assert.equal(await exhaust('server', other), 5);
});

test("all of a person's keys share slots, within a server and across servers", async () => {
  const second = await world.client(server, ['canViewData'], user);
  const elsewhere = await world.client(await world.server(await world.user()), [], user);
  const three = [client, second, elsewhere];
  for (let index = 0; index < 5; index++) {
    assert.equal(await isLimited('server', three[index % 3]), false);
  }
  for (const each of three) assert.equal(await isLimited('server', each), true);
});

test("an agent's keys share slots within a server, but not across servers", async () => {
  const agent = await world.user({ agent: true });
  const first = await world.client(server, [], agent);
  const second = await world.client(server, ['canViewData'], agent);
  const elsewhere = await world.client(await world.server(await world.user()), [], agent);
  assert.equal(await exhaust('server', first), 5);
  assert.equal(await isLimited('server', second), true);
  assert.equal(await exhaust('server', elsewhere), 5);
});

test('exactly as many concurrent requests as the limit allows are accepted', async () => {
  const answers = await Promise.all(Array.from({ length: 40 }, () => send(client, cheap('channel'))));
  assert.equal(answers.filter(({ status }) => status !== 429).length, 10);
});

test('a replayed response uses a slot', async () => {
  const admin = await world.client(server, ['canAdmin']);
  const body = { name: world.unique('channel') };
  const key = { 'idempotency-key': 'once' };
  const first = await admin.post('/channels', body, key);
  const again = await admin.post('/channels', body, key);
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.deepEqual(again.data, first.data);
  assert.equal(again.headers.get('ratelimit'), '"channel";r=8;t=60');
});
