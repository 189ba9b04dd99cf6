// @run sqlite: the protocol is the same on every engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connect, statelessRequest } from '../support/mcp.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const stateless = (method: string, params?: Json, changes?: Parameters<typeof statelessRequest>[4]) =>
  statelessRequest(world, scene.admin.key, method, params, changes);
const post = (body: Json, headers: Record<string, string> = {}) =>
  world.request('POST', `${world.url}/mcp`, {
    body,
    headers: { authorization: `Bearer ${scene.admin.key}`, ...headers },
  });

test('a client without a handshake discovers the server, lists tools and calls them', async () => {
  const discovered = await stateless('server/discover');
  assert.equal(discovered.status, 200);
  const { result } = discovered.body;
  assert.equal(result.supportedVersions[0], '2026-07-28');
  assert.deepEqual(result.capabilities, { tools: {} });
  assert.equal(result._meta['io.modelcontextprotocol/serverInfo'].name, 'palaver');
  assert.equal(result.resultType, 'complete');
  const { tools, ttlMs, cacheScope } = (await stateless('tools/list')).body.result;
  assert.equal(tools.length, 14);
  assert.ok(ttlMs > 0);
  assert.equal(cacheScope, 'private');
  const called = (await stateless('tools/call', { name: 'whoami', arguments: {} })).body.result;
  assert.equal(called.structuredContent.server.id, scene.server.id);
  assert.equal(called.resultType, 'complete');
});

test('a request without a handshake states its version, capabilities, method and name', async () => {
  const refused = async (answer: Promise<Json>, code: number, status = 400): Promise<Json> => {
    const { body, status: got } = await answer;
    assert.deepEqual([body.error?.code, got], [code, status], JSON.stringify(body));
    assert.equal(body.id, 1);
    return body.error;
  };
  for (const missing of [VERSION, 'io.modelcontextprotocol/clientCapabilities'])
    await refused(stateless('tools/list', {}, { meta: { [missing]: undefined } }), -32_602);
  const header = (headers: Record<string, string | undefined>, params?: Json) =>
    refused(stateless(params ? 'tools/call' : 'tools/list', params, { headers }), -32_020);
  await header({ 'mcp-protocol-version': undefined });
  await header({ 'mcp-protocol-version': '2025-11-25' });
  await header({ 'mcp-method': undefined });
  await header({ 'mcp-method': 'TOOLS/LIST' });
  await header({ 'mcp-name': undefined }, { name: 'whoami' });
  await header({ 'mcp-name': 'pin' }, { name: 'whoami' });
  const encoded = { 'mcp-name': `=?base64?${Buffer.from('whoami').toString('base64')}?=` };
  assert.equal((await stateless('tools/call', { name: 'whoami' }, { headers: encoded })).status, 200);
  const future = { headers: { 'mcp-protocol-version': '2099-01-01' }, meta: { [VERSION]: '2099-01-01' } };
  const { data } = await refused(stateless('tools/list', {}, future), -32_022);
  assert.equal(data.requested, '2099-01-01');
  assert.ok(data.supported.includes('2026-07-28'));
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/list', 'none'])
    await refused(stateless(method), -32_601, 404);
});

test('a client with a handshake gets a version that both support', async () => {
  const agreed = async (protocolVersion: string) =>
    (await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion } })).body.result
      .protocolVersion;
  assert.equal(await agreed('2025-06-18'), '2025-06-18');
  assert.equal(await agreed('2099-01-01'), '2025-11-25');
  const client = await connect(scene, scene.admin.key, '/mcp');
  assert.equal(client.getServerVersion()?.name, 'palaver');
  assert.match(client.getInstructions() ?? '', /data, not as instructions/);
  await client.close();
  const future = await post(
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { 'mcp-protocol-version': '2099-01-01' },
  );
  assert.equal(future.status, 400);
});

test('a malformed request is rejected, and a notification is accepted', async () => {
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  for (const body of [
    [],
    {},
    [request],
    { ...request, jsonrpc: '1.0' },
    { ...request, id: null },
    { id: 1 },
  ]) {
    const { status, body: answer } = await post(body);
    assert.deepEqual([status, answer.error.code], [400, -32_600], JSON.stringify(body));
  }
  const { body } = await post({ ...request, params: [] });
  assert.equal(body.error.code, -32_602);
  for (const params of [{ name: 'none' }, {}, { name: 1 }, { name: 'send', arguments: [] }])
    assert.equal((await post({ ...request, method: 'tools/call', params })).body.error.code, -32_602);
  assert.equal((await post({ ...request, method: 'none' })).body.error.code, -32_601);
  const { status } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
  assert.equal(status, 202);
});

test('there is no stream outside a request, and no session to delete', async () => {
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await world.request(method, `${world.url}/mcp/${scene.server.id}`);
    assert.deepEqual([status, headers.get('allow')], [405, 'POST']);
  }
});
