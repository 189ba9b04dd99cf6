import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Browser } from '../support/account.ts';
import { assertRefused } from '../support/expect.ts';
import { granted } from '../support/grants.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** The official client, connected with this token. */
async function connect(token: string, path = `/mcp/${scene.server.id}`): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(world.url + path), { requestInit }));
  return client;
}

async function called(client: Client, name: string, args: Json = {}): Promise<Json> {
  const { content, isError } = (await client.callTool({ name, arguments: args })) as Json;
  assert.equal(isError, undefined, JSON.stringify(content));
  return JSON.parse(content[0].text);
}

const grantOf = async (flags: readonly string[]): Promise<string> =>
  (await granted(world, await Browser.of(world, scene.owner), scene.server.id, { flags })).token;

test('the official client reads and writes with a grant', async () => {
  const client = await connect(await grantOf(['canEditData']));
  const { tools } = await client.listTools();
  assert.ok(tools.length >= 11);
  const channel = await scene.channel({ name: 'Harbour' });
  const channels = await called(client, 'list_channels');
  assert.ok((channels.data ?? channels).some(({ id }: Json) => id === channel.id));
  const args = { channelId: channel.id, content: 'Ahoy', requestKey: 'once' };
  const sent = await called(client, 'send', args);
  assert.equal(sent.creatorId, scene.owner.id);
  assert.equal((await called(client, 'send', args)).id, sent.id, 'sent once');
  assert.equal((await called(client, 'whoami')).id, scene.owner.id);
  const answer = { messageId: sent.id, content: 'Ahoy back', requestKey: 'twice' };
  const replied = await called(client, 'reply', answer);
  assert.equal((await called(client, 'read_message', { messageId: replied.id })).replyToId, sent.id);
  await called(client, 'react', { messageId: sent.id, emoji: '👍' });
  await called(client, 'edit', { messageId: sent.id, content: 'Ahoy there' });
  const thread = await called(client, 'start_thread', { messageId: sent.id, name: 'Greetings' });
  assert.equal((await called(client, 'read_thread', { threadId: thread.id })).id, thread.id);
  assert.equal((await called(client, 'read_message', { messageId: sent.id })).content, 'Ahoy there');
  const read = await called(client, 'read_channel', { channelId: channel.id, limit: 10 });
  assert.ok((read.data ?? read).some(({ id }: Json) => id === sent.id));
  const found = await called(client, 'search', { q: 'ahoy' });
  assert.ok((found.data ?? found).some(({ id }: Json) => id === sent.id));
  const members = await called(client, 'list_members', { limit: 1 });
  assert.ok(members);
  const refused = (await client.callTool({ name: 'pin', arguments: { messageId: sent.id } })) as Json;
  assert.equal(refused.isError, true);
  assert.match(refused.content[0].text, /^FORBIDDEN: this app lacks/);
  await client.close();
});

test('a request without a valid token is told where to get one', async () => {
  const path = `/mcp/${scene.server.id}`;
  const other = await world.server(await world.user());
  const token = await grantOf([]);
  const ask = (path: string, headers: Record<string, string> = {}) =>
    world.request('POST', world.url + path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' }, headers });
  const plain = await ask(path);
  assertRefused(plain, 'UNAUTHORIZED');
  const metadata = `${world.url}/.well-known/oauth-protected-resource`;
  assert.equal(
    plain.headers.get('www-authenticate'),
    `Bearer resource_metadata="${metadata}${path}", scope="read"`,
  );
  assert.match((await ask('/mcp')).headers.get('www-authenticate') ?? '', /protected-resource\/mcp"/);
  const foreign = await ask(`/mcp/${other.id}`, { authorization: `Bearer ${token}` });
  assertRefused(foreign, 'UNAUTHORIZED');
  assert.match(foreign.headers.get('www-authenticate') ?? '', /error="invalid_token"/);
  assert.deepEqual((await ask(path, { authorization: `Bearer ${token}` })).body, {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
  for (const { key } of [scene.admin]) {
    assert.equal((await ask('/mcp', { authorization: `Bearer ${key}` })).status, 200);
    assert.equal((await ask(path, { authorization: `Bearer ${key}` })).status, 200);
  }
  const response = await fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(response.status, 401);
});

test('wrong calls are refused as JSON-RPC says', async () => {
  const authorization = `Bearer ${await grantOf([])}`;
  const ask = async (body: Json) =>
    (await world.request('POST', `${world.url}/mcp/${scene.server.id}`, { body, headers: { authorization } }))
      .body;
  const call = (params: Json) => ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  assert.equal((await ask({ jsonrpc: '2.0', id: 1, method: 'none' })).error.code, -32_601);
  assert.equal((await ask([])).error.code, -32_600);
  for (const params of [
    { name: 'none' },
    { name: 'send' },
    { name: 'send', arguments: [] },
    { name: 'send', arguments: { channelId: 1, content: 'x', requestKey: 'x' } },
    { name: 'read_message', arguments: { messageId: 'x', more: 1 } },
  ])
    assert.equal((await call(params)).error.code, -32_602, JSON.stringify(params));
  const { result } = await call({ name: 'read_message', arguments: { messageId: '../servers' } });
  assert.equal(result.isError, true);
});

test('a reply into a channel that the person cannot see, and one to an unknown message, are refused', async () => {
  const user = await world.user();
  await world.member(scene.server, user);
  const browser = await Browser.of(world, user);
  const { token } = await granted(world, browser, scene.server.id);
  const client = await connect(token);
  const hidden = await scene.channel({ private: true });
  const secret = await scene.message({ channelId: hidden.id });
  const reply = async (messageId: string) =>
    (
      (await client.callTool({
        name: 'reply',
        arguments: { messageId, content: 'x', requestKey: 'x' },
      })) as Json
    ).content[0].text;
  assert.match(await reply(secret.id), /^FORBIDDEN/);
  assert.match(await reply('0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90'), /^NOT_FOUND/);
  assert.match(await reply('none'), /^NOT_FOUND/);
  await client.close();
});
