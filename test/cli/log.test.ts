// @run sqlite: tests the lines of the log
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Environment, onTerminal, type Running, Stage, until } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

/** Starts a server, lets it reject one request with a client-supplied request ID, and stops it. */
async function refusing(environment: Environment): Promise<Running> {
  const server = await stage.start(stage.folder(), { environment });
  const { status } = await call(server, 'GET', '/api/v1/nothing', { headers: { 'x-request-id': 'trace-1' } });
  assert.equal(status, 401);
  await until(() => server.log().includes('trace-1'));
  assert.equal(await server.end(), 0);
  return server;
}

const linesOf = (server: Running) => server.log().trimEnd().split('\n');

function assertPretty(server: Running): void {
  const request = linesOf(server).find((line) => line.includes('trace-1'));
  assert.match(
    request ?? '',
    /^\[\d\d:\d\d:\d\d\] INFO: GET \/api\/v1\/nothing 401 in \d+ ms \{"requestId":"trace-1","ip":"127\.0\.0\.1"\}$/,
  );
  assert.ok(
    linesOf(server).some((line) => /^\[[\d:]+\] INFO: stopping \{"signal":"SIGTERM"\}$/.test(line)),
    'the last line is not lost',
  );
}

function assertJson(server: Running): void {
  const lines = linesOf(server).map((line) => JSON.parse(line));
  const request = lines.find(({ requestId }) => requestId === 'trace-1');
  assert.deepEqual([request.msg, request.path, request.status], ['request', '/api/v1/nothing', 401]);
  assert.equal(lines.at(-1).msg, 'stopping');
}

test('on a terminal, the log is human-readable', async () => assertPretty(await refusing(onTerminal)));

test('on a terminal, the first lines are the human-readable ones', async () => {
  const server = await stage.start(stage.folder(), { environment: onTerminal });
  assert.match(server.output(), /^Palaver is running at http/);
  assert.equal(server.log(), '');
  assert.equal(await server.end(), 0);
});

test('elsewhere, the log is JSON', async () => assertJson(await refusing({})));

test("PALAVER_LOG overrides the format, regardless of the log's destination", async () => {
  assertPretty(await refusing({ PALAVER_LOG: 'pretty' }));
  assertJson(await refusing({ PALAVER_LOG: 'json', ...onTerminal }));
  assertFailed(
    await stage.run(['start', '--data', stage.folder()], { PALAVER_LOG: 'nice' }),
    /^PALAVER_LOG must be one of auto, pretty, json\n/,
  );
});

test('a node that is not ready logs the id of the readiness request', async () => {
  const environment = { PALAVER_DRAIN: '60' };
  const server = await stage.start(stage.folder(), { environment });
  server.child.kill('SIGTERM');
  await until(async () => (await call(server, 'GET', '/readyz')).status === 503);
  const { headers } = await call(server, 'GET', '/readyz');
  const id = headers.get('x-request-id') as string;
  const notReady = () => linesOf(server).find((line) => line.includes(id) && line.includes('not ready'));
  await until(() => notReady() !== undefined);
  assert.equal(JSON.parse(notReady() as string).requestId, id);
  assert.equal(await server.end(), 0);
});
