// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, Stage } from '../support/process.ts';
import { World } from '../support/world.ts';

const stage = new Stage();
after(() => stage.close());

const metricsAt = async (url: string): Promise<{ status: number; text: string }> => {
  const response = await fetch(`${url}/metrics`);
  return { status: response.status, text: await response.text() };
};

test('metrics are generated at most once per second, however often they are requested', async () => {
  const world = await World.open();
  try {
    let checks = 0;
    const { db } = world.data;
    const health = db.health.bind(db);
    db.health = () => {
      checks++;
      return health();
    };
    const from = performance.now();
    const answers = await Promise.all(Array.from({ length: 100 }, () => metricsAt(world.url)));
    const seconds = (performance.now() - from) / 1000;
    for (const { status, text } of answers) {
      assert.equal(status, 200);
      assert.match(text, /^palaver_ready 1$/m);
    }
    assert.ok(checks >= 1 && checks <= 1 + seconds, `${checks} times in ${seconds} s`);
  } finally {
    await world.close();
  }
});

test('a separate port serves metrics and nothing else, and the main port no longer serves them', async () => {
  const world = await World.open({ metrics: { port: 0 } });
  try {
    assert.notEqual(world.node.metricsUrl, world.url);
    assert.equal((await metricsAt(world.url)).status, 404);
    const { status, text } = await metricsAt(world.node.metricsUrl);
    assert.equal(status, 200);
    assert.match(text, /^palaver_ready 1$/m);
    for (const path of ['/healthz', '/readyz', '/docs', '/openapi.json', '/api/v1/servers', '/']) {
      const refused = await world.request('GET', world.node.metricsUrl + path);
      assert.equal(refused.status, 404, path);
      assert.equal(refused.body.error.code, 'NOT_FOUND', path);
    }
  } finally {
    await world.close();
  }
});

test('the main port does not serve metrics unless PALAVER_METRICS is "open"', async () => {
  for (const [metrics, status] of [
    ['', 404],
    ['off', 404],
    ['open', 200],
  ] as const) {
    const environment = { PALAVER_METRICS: metrics };
    const server = await stage.start(stage.folder(), { environment });
    assert.equal((await call(server, 'GET', '/metrics')).status, status, `"${metrics}"`);
    assert.equal(await server.end(), 0);
  }
  const { code, stderr } = await stage.run(['config', '--data', stage.folder()], { PALAVER_METRICS: 'on' });
  assert.notEqual(code, 0);
  assert.match(stderr, /PALAVER_METRICS must be/);
});

test('the metrics port is configurable', async () => {
  // A port that was free a moment ago.
  const world = await World.open();
  const { port } = new URL(world.url);
  await world.close();
  const server = await stage.start(stage.folder(), { args: ['--metrics-port', port] });
  assert.equal((await call(server, 'GET', '/metrics')).status, 404);
  assert.equal((await metricsAt(`http://127.0.0.1:${port}`)).status, 200);
  assert.equal(await server.end(), 0);
});
