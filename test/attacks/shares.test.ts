// @run sqlite: tests the node's limits, which apply before or after data is read
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { type ClientRequest, request } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, test } from 'node:test';
import { hashPassword } from '../../server/src/accounts/password.ts';
import { siteOf } from '../../server/src/lib/network.ts';
import { TenantShares } from '../../server/src/lib/tenantShares.ts';
import { Browser } from '../support/account.ts';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { change, update } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// One tenant uses as much of the node as it can, with any number of users, agents and servers. The last quarter of
// each limit stays available to others.

const MOST = 8;
let world: World;
before(async () => {
  world = await World.open({
    bounds: { uploads: MOST, streams: MOST, requests: MOST, exports: 4, exportsPerUser: 4 },
  });
});
after(() => world.close());

/** The keys of this many agents, each in its own server if `apart`. */
async function agentsOf(owner: Json, amount: number, apart = false): Promise<Client[]> {
  const server = await world.server(owner);
  return Promise.all(
    Array.from({ length: amount }, async () =>
      world.client(apart ? await world.server(owner) : server, ['canEditData', 'canViewData']),
    ),
  );
}

/** Occupies one slot of a limit. `give` releases it. */
type Taking = (client: Client) => Promise<{ status: number; give(): void }>;

const openStream: Taking = async ({ key }) => {
  const stream = await EventStream.open(world, key);
  return { status: stream.status, give: () => stream.close() };
};

/** A request that gets no response unless it is refused. `amount` is how many requests the node counts. */
async function begin(sending: ClientRequest, amount: () => number): ReturnType<Taking> {
  const before = amount();
  let status = 0;
  sending.on('response', (answer) => {
    status = answer.resume().statusCode ?? 0;
  });
  sending.on('error', () => {});
  await until(() => status !== 0 || amount() > before);
  return { status: status || 200, give: () => sending.destroy() };
}

/** An upload whose form stays open. */
const beginUpload: Taking = async ({ key }) => {
  const sending = request(`${world.url}/api/v1/attachments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'multipart/form-data; boundary=edge' },
  });
  sending.write('--edge\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nbytes');
  return begin(sending, () => world.app.uploads.amount);
};

/** A long poll. */
const beginPoll: Taking = async ({ key, get }) => {
  const { status, body } = await get('/events?limit=100');
  if (status !== 200) return { status, give: () => {} };
  await until(() => world.app.inFlight.amount === polls);
  const sending = request(`${world.url}/api/v1/events?after=${body.nextCursor}&wait=30`, {
    headers: { authorization: `Bearer ${key}` },
  }).end();
  const begun = await begin(sending, () => world.app.inFlight.amount);
  if (begun.status === 200) polls++;
  return begun;
};
let polls = 0;

const takings: Record<string, { take: Taking; amount(): number }> = {
  streams: { take: openStream, amount: () => Number(/^palaver_streams (\d+)$/m.exec(metrics)?.[1]) },
  uploads: { take: beginUpload, amount: () => world.app.uploads.amount },
  requests: { take: beginPoll, amount: () => world.app.inFlight.amount },
};

let metrics = '';
const readMetrics = async () => {
  metrics = await (await fetch(`${world.url}/metrics`)).text();
};

for (const [name, { take, amount }] of Object.entries(takings)) {
  for (const apart of [false, true]) {
    const where = apart ? 'agents of several servers of one person' : 'agents of one server';
    test(`${name}: ${where} get three quarters of the limit together, and others get the rest`, async () => {
      const open: { give(): void }[] = [];
      const hostile = await agentsOf(await world.user(), MOST, apart);
      for (const [index, agent] of hostile.entries()) {
        const { status, give } = await take(agent);
        assert.equal(status, index < (MOST * 3) / 4 ? 200 : 429, `${index}`);
        open.push({ give });
      }
      const [other] = await agentsOf(await world.user(), 1);
      const [third] = await agentsOf(await world.user(), 1);
      for (const client of [other, third]) {
        const { status, give } = await take(client as Client);
        assert.equal(status, 200, 'another tenant gets a slot');
        open.push({ give });
      }
      // The limit is reached now.
      const full = await take(third as Client);
      assert.equal(full.status, 429);
      full.give();
      for (const { give } of open) give();
      polls = 0;
      await until(async () => {
        await readMetrics();
        return amount() === 0;
      });
    });
  }
}

test("all of a person's sessions and the agents in their servers count as one tenant", async () => {
  const owner = await world.user();
  const agents = await agentsOf(owner, 4);
  const open: { give(): void }[] = [];
  for (const agent of agents) open.push(await openStream(agent));
  const browser = await Browser.of(world, owner);
  const statuses = [];
  for (let count = 0; count < 3; count++) {
    const stream = await browser.stream();
    statuses.push(stream.status);
    open.push({ give: () => stream.close() });
  }
  assert.deepEqual(statuses, [200, 200, 429]);
  const member = await Browser.of(world, await world.user());
  const stream = await member.stream();
  assert.equal(stream.status, 200, 'another person');
  stream.close();
  for (const { give } of open) give();
  await until(async () => {
    await readMetrics();
    return takings.streams?.amount() === 0;
  });
});

test("each of a platform admin's servers is a separate tenant, because admins create servers for others", async () => {
  const admin = await world.user({ platformAdmin: true });
  const open: { give(): void }[] = [];
  for (const agent of await agentsOf(admin, 7)) open.push(await openStream(agent));
  const [other] = await agentsOf(admin, 1);
  const { status, give } = await openStream(other as Client);
  assert.equal(status, 200);
  give();
  for (const { give } of open) give();
  await until(async () => {
    await readMetrics();
    return takings.streams?.amount() === 0;
  });
});

test("an upload rejected because of the tenant's share gets an error with the setting's name, and a Retry-After", async () => {
  const hostile = await agentsOf(await world.user(), 7);
  const open = [];
  for (const agent of hostile.slice(0, 6)) open.push(await beginUpload(agent));
  const refused = await upload(world, hostile[6] as Client);
  assertRefused(refused, 'RATE_LIMITED');
  assert.match(refused.body.error.message, /^uploads: you have used up your share/);
  assert.equal(refused.headers.get('retry-after'), '5');
  for (const { give } of open) give();
  await until(() => world.app.uploads.amount === 0);
  dataOf(await upload(world, hostile[6] as Client));
});

test("one site's networks get three quarters of the password hash queue", async (t) => {
  // These hash computations never end, because real ones would take half a minute of CPU time.
  const held: ((error: null, key: Buffer) => void)[] = [];
  t.mock.method(crypto, 'argon2', (_algorithm: string, _parameters: object, done: (typeof held)[number]) =>
    held.push(done),
  );
  syncBuiltinESMExports();
  const hashes: Promise<unknown>[] = [];
  let refused = 0;
  const begin = (network: string): void => {
    hashes.push(
      hashPassword(network, 'a horse that nobody rides').catch(() => {
        refused++;
      }),
    );
  };
  // 60 networks with 20 hashes each would fill the queue of 1,000.
  for (let network = 0; network < 60; network++)
    for (let count = 0; count < 20; count++) begin(`2001:db8:1:${network.toString(16)}::/64`);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(refused, 60 * 20 - 750);
  begin('2001:db8:2:1::/64');
  begin('192.0.2.1');
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(refused, 60 * 20 - 750, 'other sites get slots');
  let isOver = false;
  const all = Promise.all(hashes).then(() => {
    isOver = true;
  });
  while (!isOver) {
    for (const done of held.splice(0)) done(null, Buffer.alloc(32));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await all;
  t.mock.restoreAll();
  syncBuiltinESMExports();
  assert.equal(siteOf('2001:db8:1:5::/64'), '2001:db8:1::/48');
  assert.equal(siteOf('192.0.2.1'), '192.0.2.1');
});

test('shares work for limits of any size', () => {
  for (let most = 1; most <= 40; most++) {
    const shares = new TenantShares(most);
    const takeAll = (tenant: string): number => {
      let taken = 0;
      for (; shares.hasRoom(tenant); taken++) shares.add(tenant, 1);
      return taken;
    };
    const first = takeAll('first');
    assert.equal(first, Math.max(1, Math.floor((most * 3) / 4)), `alone, of ${most}`);
    if (most === 1) continue;
    assert.ok(takeAll('second') >= 1, `another tenant, of ${most}`);
    for (let other = 0; shares.hasRoom(`other ${other}`); other++) takeAll(`other ${other}`);
    assert.equal(shares.amount, most, 'together, they can use the whole limit');
    shares.add('first', -first);
    assert.equal(shares.amount, most - first);
    assert.notEqual(shares.largest, 'first');
  }
});

test("a server counts towards its new owner's tenant after a transfer", async () => {
  const [owner, next] = [await world.user(), await world.user()];
  const server = await world.server(owner);
  const agent = await world.client(server, ['canEditData']);
  const open: { give(): void }[] = [];
  for (const other of await agentsOf(owner, 6)) open.push(await openStream(other));
  const refused = await openStream(agent);
  assert.equal(refused.status, 429);
  refused.give();
  await change(world.data, ({ db }) => db.run(update('server', server.id, { creatorId: next.id })));
  const { status, give } = await openStream(agent);
  assert.equal(status, 200);
  give();
  for (const { give } of open) give();
});
