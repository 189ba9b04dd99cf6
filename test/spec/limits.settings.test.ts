// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, beforeEach, test } from 'node:test';
import { loadConfig } from '../../server/src/config.ts';
import { type Client, type Json, TestClock, World, type WorldOptions } from '../support/world.ts';

const WINDOW_MS = 60_000;

/** The status and the `Retry-After` header of the response to a request from one of this machine's addresses. */
function from(
  localAddress: string,
  url: string,
  authorization?: string,
): Promise<{ status: number; retryAfter: string | undefined; code: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = authorization === undefined ? {} : { authorization };
    request(`${url}/api/v1/servers`, { localAddress, headers, agent: false }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.on('end', () => {
        const status = answer.statusCode as number;
        const code = JSON.parse(text).error?.code;
        resolve({ status, retryAfter: answer.headers['retry-after'], code });
      });
    })
      .on('error', reject)
      .end();
  });
}

const clock = new TestClock();
let world: World;
let server: Json;
let client: Client;
before(async () => {
  world = await World.open({ limits: {}, clock });
  server = await world.server(await world.user());
  client = await world.client(server);
});
beforeEach(() => clock.advance(10 * WINDOW_MS));
after(() => world.close());

test('failed authentications of any kind are limited to 60 in 60 s per address', async () => {
  const wrong = [undefined, 'Basic abc', 'Bearer abc', `Bearer ${client.key.slice(0, -1)}`];
  for (let index = 0; index < 60; index++) {
    const { status } = await from('127.0.0.2', world.url, wrong[index % wrong.length]);
    assert.equal(status, 401, `request ${index + 1}`);
  }
  for (const authorization of wrong) {
    const refused = await from('127.0.0.2', world.url, authorization);
    assert.deepEqual(refused, { status: 429, retryAfter: '60', code: 'RATE_LIMITED' });
  }
  assert.equal((await from('127.0.0.3', world.url)).status, 401, 'from another address');
  const right = await from('127.0.0.2', world.url, `Bearer ${client.key}`);
  assert.equal(right.status, 200, 'with a valid key');

  clock.advance(WINDOW_MS - 1);
  assert.equal((await from('127.0.0.2', world.url)).retryAfter, '1');
  clock.advance(1);
  assert.equal((await from('127.0.0.2', world.url)).status, 401);
});

test('successful authentications do not use up the limit on failed ones', async () => {
  for (let index = 0; index < 50; index++) {
    await from('127.0.0.4', world.url, `Bearer ${client.key}`);
  }
  for (let index = 0; index < 60; index++) {
    assert.equal((await from('127.0.0.4', world.url)).status, 401);
  }
  assert.equal((await from('127.0.0.4', world.url)).status, 429);
});

/** The number of requests of each kind that a server with these limits accepts, out of 70 concurrent ones. */
async function accepted(options: WorldOptions): Promise<Record<string, number>> {
  const limited = await World.open({ clock: new TestClock(), ...options });
  try {
    const key = await limited.client(await limited.server(await limited.user()));
    const ask: Record<string, () => Promise<{ status: number }>> = {
      message: () => key.delete('/messages/none'),
      channel: () => key.delete('/channels/none'),
      role: () => key.delete('/roles/none'),
      query: () => key.get('/servers'),
    };
    const counts: Record<string, number> = {};
    for (const [kind, send] of Object.entries(ask)) {
      const answers = await Promise.all(Array.from({ length: 70 }, send));
      counts[kind] = answers.filter(({ status }) => status !== 429).length;
    }
    return counts;
  } finally {
    await limited.close();
  }
}

const settings: { given: string; takes: Record<string, number> }[] = [
  { given: '{}', takes: { message: 30, channel: 10, role: 60, query: 60 } },
  { given: '{"message": 1}', takes: { message: 1, channel: 10, role: 60, query: 60 } },
  { given: '{"message": 0}', takes: { message: 70, channel: 10, role: 60, query: 60 } },
  { given: '{"*": 2}', takes: { message: 2, channel: 2, role: 2, query: 2 } },
  { given: '{"*": 0}', takes: { message: 70, channel: 70, role: 70, query: 70 } },
  { given: '{"*": 0, "role": 3}', takes: { message: 70, channel: 70, role: 3, query: 70 } },
  { given: '{"query": 65, "*": 4, "message": 0}', takes: { message: 70, channel: 4, role: 4, query: 65 } },
];
for (const { given, takes } of settings) {
  test(`PALAVER_LIMITS=${given} sets the limits`, async () => {
    const { config } = loadConfig({ data: world.folder }, { PALAVER_LIMITS: given });
    assert.deepEqual(await accepted({ limits: config.limits }), takes);
  });
}

test('a limit of 0 means no limit and no RateLimit headers', async () => {
  const unlimited = await World.open({ limits: { '*': 0, role: 3 } });
  try {
    const key = await unlimited.client(await unlimited.server(await unlimited.user()));
    const free = await key.get('/servers');
    assert.equal(free.headers.get('ratelimit'), null);
    assert.equal(free.headers.get('ratelimit-policy'), null);
    assert.equal((await key.delete('/roles/none')).headers.get('ratelimit-policy'), '"role";q=3;w=60');
  } finally {
    await unlimited.close();
  }
});

test('failed authentications have a separate setting', async () => {
  for (const [limit, passing] of [
    [3, 3],
    [0, 70],
  ] as const) {
    const limited = await World.open({ limits: { authentication: limit }, clock: new TestClock() });
    try {
      const answers = await Promise.all(Array.from({ length: 70 }, () => limited.request('GET', '/servers')));
      assert.equal(answers.filter(({ status }) => status === 401).length, passing);
    } finally {
      await limited.close();
    }
  }
});

for (const wrong of [
  'nonsense',
  '[]',
  '5',
  '{"massage": 5}',
  '{"message": -1}',
  '{"message": 1.5}',
  '{"message": "5"}',
  '{"message": null}',
]) {
  test(`PALAVER_LIMITS=${wrong} is rejected, and the error names the setting`, () => {
    assert.throws(() => loadConfig({ data: world.folder }, { PALAVER_LIMITS: wrong }), /PALAVER_LIMITS/);
  });
}
