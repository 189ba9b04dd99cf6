import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { loadConfig } from '../../server/src/config.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Client, TestClock, World } from '../support/world.ts';

const WINDOW_MS = 60_000;
const LIMIT = 3;
const CEILING = 4;
const AGENTS = 10;

const clock = new TestClock();
let world: World;
let scene: Scene;
let agents: Client[];
before(async () => {
  world = await World.open({ clock, limits: { '*': 0, role: LIMIT, query: LIMIT }, agentCeiling: CEILING });
  scene = await Scene.open(world);
  agents = await mint(scene);
});
beforeEach(() => clock.advance(10 * WINDOW_MS));
after(() => world.close());

/** Creates keys in a server, each with its own agent. */
const mint = ({ admin }: Scene): Promise<Client[]> =>
  Promise.all(
    Array.from({ length: AGENTS }, async (_, index) =>
      world.as(dataOf(await admin.post('/secrets', { kind: 'apiKey', name: `Agent ${index}` })).key),
    ),
  );

/** Sends `each` concurrent requests from every client. They count against the limit `role`. */
const burst = async (clients: readonly Client[], each: number): Promise<Answer[]> => {
  const asked = clients.flatMap((client) => Array.from({ length: each }, () => client.delete('/roles/none')));
  return Promise.all(asked);
};

const passed = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 404);

test("a server's agents together stay below its ceiling", async () => {
  const answers = await burst(agents, LIMIT + 2);
  assert.equal(passed(answers).length, LIMIT * CEILING);
  for (const { status, headers, body } of answers.filter(({ status }) => status !== 404)) {
    assert.equal(status, 429);
    assert.equal(body.error.code, 'RATE_LIMITED');
    assert.equal(
      headers.get('ratelimit-policy'),
      '"role";q=3;w=60',
      'the headers show the limit of the user',
    );
    assert.equal(headers.get('retry-after'), '60');
  }
  const [fresh] = await mint(scene);
  const refused = await (fresh as Client).delete('/roles/none');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('ratelimit'), '"role";r=3;t=60');
  assert.equal(
    refused.body.error.message,
    'more than 12 requests of the kind "role" by all agents of the server together in 60 s: retry in 60 s',
  );
  // Other kinds of requests, people, and other servers' agents have their own limits.
  assert.equal((await (fresh as Client).get('/servers')).status, 200);
  const person = await world.client(scene.server);
  assert.equal(passed(await burst([person], LIMIT + 1)).length, LIMIT);
  const other = await Scene.open(world);
  assert.equal(passed(await burst(await mint(other), LIMIT)).length, LIMIT * CEILING);
});

test("a single agent has a user's limit, and a request beyond it does not use up the ceiling", async () => {
  const [first, ...others] = agents as [Client, ...Client[]];
  const alone = await burst([first], LIMIT + 20);
  assert.equal(passed(alone).length, LIMIT);
  assert.deepEqual(
    new Set(alone.filter(({ status }) => status === 429).map(({ body }) => body.error.message)),
    new Set(['more than 3 requests of the kind "role" in 60 s: retry in 60 s']),
  );
  assert.equal(passed(await burst(others, LIMIT)).length, LIMIT * CEILING - LIMIT);
});

test('a rejected request does not use up the limit: a client that waits for Retry-After succeeds', async () => {
  const [first, second, ...others] = agents as [Client, Client, ...Client[]];
  await burst([first], LIMIT);
  clock.advance(20_000);
  await burst(others, LIMIT);
  const refused = await second.delete('/roles/none');
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '40']);
  clock.advance(39_999);
  assert.equal((await second.delete('/roles/none')).status, 429);
  clock.advance(1);
  const answers = await burst([second], LIMIT + 1);
  assert.equal(passed(answers).length, LIMIT);
});

test("by default, the ceiling is 100 times one user's limit, and 0 disables it", async () => {
  const given = (value?: string) =>
    loadConfig({ data: world.folder }, value === undefined ? {} : { PALAVER_AGENT_CEILING: value }).config
      .agentCeiling;
  assert.deepEqual([given(), given('20'), given('0')], [100, 20, 0]);
  for (const wrong of ['-1', '1.5', 'many']) assert.throws(() => given(wrong), /PALAVER_AGENT_CEILING/);
  const free = await World.open({ clock, limits: { '*': 0, role: LIMIT }, agentCeiling: 0 });
  try {
    const minted = await Scene.open(free);
    const clients = await Promise.all(
      Array.from({ length: AGENTS }, async () =>
        free.as(dataOf(await minted.admin.post('/secrets', { kind: 'apiKey', name: 'Agent' })).key),
      ),
    );
    assert.equal(passed(await burst(clients, LIMIT)).length, AGENTS * LIMIT);
  } finally {
    await free.close();
  }
});
