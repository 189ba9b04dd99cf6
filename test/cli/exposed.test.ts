// @run sqlite: tests settings and the disk of the data folder
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { exposures } from '../../server/src/config/exposed.ts';
import { call, Stage } from '../support/process.ts';
import type { Json } from '../support/world.ts';

// Tests the warnings about settings that expose more than intended, and about a disk that is nearly full.

const stage = new Stage();
after(() => stage.close());

/** Exceeds the free space of any disk, in MB. */
const TOO_MUCH = '10000000';

test('each exposed setting has a warning, and a server on the loopback address has none', () => {
  const set = {
    host: '0.0.0.0',
    address: 'https://chat.example.com',
    metrics: 'off',
    metricsPort: 0,
    database: '',
    redis: '',
  } as const;
  assert.deepEqual(exposures(set), []);
  const [metrics, ...none] = exposures({ ...set, metrics: 'open' });
  assert.match(metrics ?? '', /^\/metrics is open/);
  assert.deepEqual(none, []);
  assert.deepEqual(exposures({ ...set, metrics: 'open', metricsPort: 9090 }), []);
  assert.match(exposures({ ...set, address: '' })[0] ?? '', /^PALAVER_ADDRESS is not set/);
  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    assert.deepEqual(exposures({ ...set, host, address: '', metrics: 'open' }), [], host);
});

test('connections without TLS to other machines have a warning', () => {
  const set = {
    host: '127.0.0.1',
    address: '',
    metrics: 'off',
    metricsPort: 0,
    database: '',
    redis: '',
  } as const;
  for (const database of [
    'postgres://palaver@db.example.com/palaver',
    'postgres://palaver@10.0.0.5:5432/palaver?sslmode=prefer',
    'postgresql://palaver@[fd00::5]/palaver?sslmode=disable',
  ])
    assert.match(
      exposures({ ...set, database }).join(),
      /^the connection to PostgreSQL is not encrypted/,
      database,
    );
  for (const redis of ['redis://cache.example.com:6379', 'valkey://10.0.0.6'])
    assert.match(exposures({ ...set, redis }).join(), /^the connection to Valkey is not encrypted/, redis);
  for (const database of [
    'postgres://palaver@localhost/palaver',
    'postgres://palaver@127.0.0.1/palaver',
    'postgres://palaver@[::1]/palaver',
    'postgres://palaver@postgres:5432/palaver',
    'postgres:///palaver?host=/run/postgresql',
    'postgres://palaver@db.example.com/palaver?sslmode=verify-full',
  ])
    assert.deepEqual(exposures({ ...set, database }), [], database);
  for (const redis of ['redis://valkey:6379', 'rediss://cache.example.com', 'valkeys://10.0.0.6'])
    assert.deepEqual(exposures({ ...set, redis }), [], redis);
});

test('startup and `palaver doctor` report exposed settings and a nearly full disk', async () => {
  const folder = stage.folder();
  const environment = {
    PALAVER_HOST: '0.0.0.0',
    PALAVER_METRICS: 'open',
    PALAVER_MIN_FREE_MEGABYTES: TOO_MUCH,
    PALAVER_LOG: 'json',
  };
  const server = await stage.start(folder, { environment });
  const local = { url: server.url.replace('0.0.0.0', '127.0.0.1') };
  const { key } = server;
  const body = { channelId: server.channelId, content: 'Hello' };
  const { status, headers } = await call(local, 'POST', '/api/v1/messages', { key, body });
  assert.deepEqual([status, headers.get('retry-after')], [503, '60']);
  assert.equal((await call(local, 'GET', '/api/v1/users/me', { key })).status, 200);
  assert.match((await call(local, 'GET', '/readyz')).body.checks.disk, /^nearly full/);
  assert.equal(await server.end(), 0);
  const warnings = server
    .log()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Json)
    .filter(({ level }) => level === 40)
    .map(({ msg }) => msg as string);
  for (const said of [/^\/metrics is open/, /^PALAVER_ADDRESS is not set/, /^the disk is nearly full/])
    assert.ok(
      warnings.some((warning) => said.test(warning)),
      `${said} in ${warnings.join('\n')}`,
    );
  const { code, stdout } = await stage.run(['doctor', '--data', folder, '--json'], environment);
  assert.notEqual(code, 0);
  const { ok, findings } = JSON.parse(stdout);
  assert.equal(ok, false);
  const found = (check: string): string => findings.find((one: Json) => one.check === check)?.message;
  assert.match(found('exposure'), /^\/metrics is open.*; PALAVER_ADDRESS is not set/);
  assert.match(found('space'), /changes are rejected below 10000000 MB \(PALAVER_MIN_FREE_MEGABYTES\)/);
});
