// @run sqlite: tests the counters that nodes share in Valkey
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { StorageError, Unavailable } from '../../server/src/db/contract.ts';
import { Valkey } from '../../server/src/lib/valkey.ts';
import { SharedLimiter } from '../../server/src/limits/sharedLimiter.ts';
import { WINDOW_MS } from '../../server/src/limits/table.ts';
import { type RunningNode, startNode } from '../../server/src/node/node.ts';
import { until } from '../support/process.ts';
import { testsUnless } from '../support/skipping.ts';
import { startValkey, type ValkeyServer, valkeyBinary } from '../support/valkeyServer.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

let world: World;
let client: Client;
let server: Json;
/** A path that counts against the limit `query`. */
let path: string;
before(async () => {
  world = await World.open();
  const owner = await world.user();
  server = await world.server(owner);
  client = await world.client(server, ['canAdmin'], owner);
  path = `/api/v1/servers/${server.id}`;
});
after(() => world.close());

const skip = valkeyBinary() ? false : 'no valkey-server or redis-server here';
const shared = testsUnless(skip);

let valkeyServer: ValkeyServer;
const valkeys: Valkey[] = [];
const nodes: RunningNode[] = [];
shared.before(async () => {
  valkeyServer = await startValkey();
  for (let node = 0; node < 2; node++) {
    const valkey = new Valkey({ url: valkeyServer.url });
    const options = { prefix: 'palaver:limit:', window: WINDOW_MS, nodes: () => 2, now: Date.now };
    const limiter = new SharedLimiter(valkey, options);
    const join = async () => ({ limiter, valkey, leave: () => valkey.close() });
    valkeys.push(valkey);
    nodes.push(await startNode({ data: world.data, join, listen: {}, metrics: 'open' }));
  }
  await until(() => valkeys.every(({ up }) => up));
});
shared.after(async () => {
  for (const node of nodes) await node.close();
  await valkeyServer.stop();
});

const at = (node: number, url: string, headers = {}): Promise<Answer> =>
  world.request('GET', nodes[node % 2]?.url + url, { headers });

async function metricsOf(node: number): Promise<Map<string, number>> {
  const { status, body } = await at(node, '/metrics');
  assert.equal(status, 200);
  const lines = (body as string).split('\n').filter((line) => /^palaver_valkey/.test(line));
  return new Map(lines.map((line) => [line.split(' ')[0] as string, Number(line.split(' ')[1])]));
}

shared.test('a limit applies across both nodes, as the headers show', async () => {
  const { key } = await world.client(server);
  for (let taken = 0; taken < 60; taken++) {
    const { status, headers } = await at(taken, path, { authorization: `Bearer ${key}` });
    assert.equal(status, 200);
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"query";r=${59 - taken};t=(60|59|58|57|56)$`));
  }
  for (const node of [0, 1]) {
    const { status, headers, body } = await at(node, '/api/v1/channels', {
      authorization: `Bearer ${key}`,
    });
    assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED']);
    assert.ok(Number(headers.get('retry-after')) > 50);
  }
});

shared.test('the limit on failed authentications applies across both nodes', async () => {
  const statuses: number[] = [];
  for (let tried = 0; tried < 62; tried++) statuses.push((await at(tried, path)).status);
  assert.deepEqual(statuses, [...Array.from({ length: 60 }, () => 401), 429, 429]);
});

shared.test('/readyz and /metrics report on Valkey, and that the node serves without it', async () => {
  const well = await at(0, '/readyz');
  assert.deepEqual([well.status, well.body], [200, { ok: true, checks: { database: 'ok', valkey: 'ok' } }]);
  const before = await metricsOf(0);
  assert.deepEqual(
    [...before.keys()].sort(),
    ['call_seconds_total', 'calls_total', 'failures_total', 'up'].map((name) => `palaver_valkey_${name}`),
  );
  assert.equal(before.get('palaver_valkey_up'), 1);
  assert.ok((before.get('palaver_valkey_calls_total') as number) >= 50);
  assert.ok((before.get('palaver_valkey_call_seconds_total') as number) > 0);
  assert.equal(before.get('palaver_valkey_failures_total'), 0);

  valkeyServer.freeze();
  const authorization = `Bearer ${(await world.client(server)).key}`;
  const first = await at(0, path, { authorization });
  assert.equal(first.status, 200);
  assert.match(first.headers.get('ratelimit') ?? '', /^"query";r=29;t=60$/);
  await until(() => valkeys.every(({ up }) => !up));
  const alone = await at(0, '/readyz');
  const checks = { database: 'ok', valkey: 'not ok: each node enforces limits on its own' };
  assert.deepEqual([alone.status, alone.body], [200, { ok: true, checks }]);
  // Metrics are updated once a second.
  await until(async () => (await metricsOf(0)).get('palaver_valkey_up') === 0);
  const after = await metricsOf(0);
  assert.equal(after.get('palaver_valkey_up'), 0);
  assert.ok((after.get('palaver_valkey_failures_total') as number) >= 1);
  valkeyServer.thaw();
  await until(() => valkeys.every(({ up }) => up));
  assert.equal((await at(0, '/readyz')).body.checks.valkey, 'ok');
});

test('/readyz and /metrics do not mention Valkey where there is none', async () => {
  const { body } = await world.request('GET', `${world.url}/readyz`);
  assert.deepEqual(body, { ok: true, checks: { database: 'ok' } });
  assert.doesNotMatch((await world.request('GET', `${world.url}/metrics`)).body, /valkey/);
});

const failures: { error: Error; status: number; retryAfter: string | null; message: string }[] = [
  {
    error: new Unavailable('no connection to 10.0.0.7'),
    status: 503,
    retryAfter: '1',
    message: 'the database is temporarily unavailable. Try again in a second',
  },
  {
    error: new StorageError('the disk of 10.0.0.7 is full'),
    status: 500,
    retryAfter: null,
    message: 'the database cannot be read or written right now. Try again later',
  },
];
for (const { error, status, retryAfter, message } of failures) {
  test(`${error.constructor.name} returns ${status}`, async () => {
    const { db } = world.data;
    const { write } = db;
    db.write = () => Promise.reject(error);
    const refused = await client.post('/channels', { name: 'lost' });
    db.write = write;
    assert.equal(refused.status, status);
    assert.equal(refused.headers.get('retry-after'), retryAfter);
    const requestId = refused.headers.get('x-request-id');
    assert.deepEqual(refused.body, { ok: false, error: { code: 'INTERNAL_ERROR', message, requestId } });
    assert.equal((await client.post('/channels', { name: world.unique('kept') })).status, 200);
  });
}

test('/metrics reports the connections to a database server', async () => {
  const { figures } = world.data.db;
  const own = { pool: figures.pool, statements: figures.statements, retries: figures.retries };
  figures.pool = { open: 5, busy: 3, waiting: 2 };
  const node = await startNode({
    metrics: 'open',
    data: world.data,
  });
  figures.statements += 7;
  figures.statementSeconds += 0.5;
  figures.retries += 2;
  const text = (await node.app.inject({ url: '/metrics' })).body;
  assert.match(text, /^palaver_database_connections\{state="open"\} 5$/m);
  assert.match(text, /^palaver_database_connections\{state="busy"\} 3$/m);
  assert.match(text, /^palaver_database_waiting 2$/m);
  assert.match(text, new RegExp(`^palaver_database_statements_total ${own.statements + 7}$`, 'm'));
  assert.match(
    text,
    new RegExp(`^palaver_database_statement_seconds_total ${figures.statementSeconds}$`, 'm'),
  );
  assert.match(text, new RegExp(`^palaver_database_retries_total ${own.retries + 2}$`, 'm'));
  await node.close();
  Object.assign(figures, own);
});
