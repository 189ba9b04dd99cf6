import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Caller, present } from '../../server/src/access/authenticator.ts';
import { servicesOf } from '../../server/src/app.ts';
import { Recent } from '../../server/src/lib/recent.ts';
import type { Services } from '../../server/src/operations/services.ts';
import { LoadCount } from '../support/loads.ts';
import { until } from '../support/process.ts';
import { limitsFrom } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

const KEYS = 300;

let world: World;
let server: Json;
let services: Services;
let count: LoadCount;
before(async () => {
  world = await World.open();
  server = await world.server(await world.user());
  services = servicesOf({ ...world.data, feed: world.feed, limits: limitsFrom({}) });
  count = new LoadCount(world.data);
});
after(() => world.close());

const authenticate = ({ key }: Client): Caller | Promise<Caller> =>
  services.authenticator.authenticate(present('apiKey', key));

test('requests are authenticated immediately while many streams wait to be loaded in sequential statements', async () => {
  const role = await world.defaultRole(server);
  const user = await world.user();
  await world.member(server, user);
  const clients: Client[] = [];
  while (clients.length < KEYS) clients.push(await world.clientWithRole(server, role, user));
  count.watch(...clients.map(({ key }) => key));
  const callers = await Promise.all(clients.map(authenticate));
  assert.equal(count.total, KEYS);
  assert.ok(count.statements.length < KEYS / 10, `${count.statements.length} statements`);

  world.data.db.authorityChanged();
  count.reset();
  count.hold();
  const renewing = Promise.all(callers.map((caller) => services.authenticator.renewed(caller)));
  await until(() => count.statements.length === 1);
  await sleep(50);
  assert.equal(count.statements.length, 1, 'the next statement waits for the first');
  const last = clients.at(-1) as Client;
  assert.equal(count.of(last.key), 0);
  const asking = authenticate(last);
  await until(() => count.of(last.key) === 1);
  assert.deepEqual(count.statements.slice(1), [1]);
  count.release();
  await asking;
  const renewed = await renewing;
  assert.deepEqual(
    renewed.map(({ digest }) => digest),
    callers.map(({ digest }) => digest),
  );
  for (const { key } of clients) assert.equal(count.of(key), 1);
});

test('recently used entries stay in the cache, and others are evicted one by one', () => {
  const recent = new Recent<string, number>(3);
  for (const [place, name] of ['a', 'b', 'c'].entries()) recent.set(name, place);
  assert.equal(recent.get('a'), 0);
  recent.set('d', 3);
  assert.deepEqual(
    ['a', 'b', 'c', 'd'].map((name) => recent.get(name)),
    [0, undefined, 2, 3],
  );
  // All entries were used, so the first one is evicted.
  recent.set('a', 4);
  recent.set('e', 5);
  assert.deepEqual(
    ['a', 'c', 'd', 'e'].map((name) => recent.get(name)),
    [4, undefined, 3, 5],
  );
});
