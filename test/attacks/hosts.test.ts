// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Scene } from '../support/scene.ts';
import { RawClient } from '../support/socket.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let open: World;
let key: string;
before(async () => {
  world = await World.open({ hosts: ['chat.example.com', '127.0.0.1', '[::1]'] });
  open = await World.open();
  const server = await world.server(await world.user());
  key = (await world.client(server, ['canAdmin'])).key;
});
after(() => Promise.all([world.close(), open.close()]));

/** The status and the error of a request with these headers. */
async function ask(target: string, headers: string, to = world): Promise<{ status: number; code: string }> {
  const client = new RawClient(to);
  client.send(`GET ${target} HTTP/1.1\r\n${headers}Authorization: Bearer ${key}\r\n\r\n`);
  const { status, body } = await client.answer();
  client.close();
  return { status, code: body.error?.code ?? '' };
}

test('a request with a Host that the operator has configured is served', async () => {
  for (const host of [
    'chat.example.com',
    'CHAT.Example.COM',
    'chat.example.com:8443',
    'chat.example.com.',
    '127.0.0.1:1',
    '[::1]:80',
  ])
    assert.equal((await ask('/api/v1/servers', `Host: ${host}\r\n`)).status, 200, host);
  assert.equal(
    (await ask('http://chat.example.com/api/v1/servers', 'Host: chat.example.com\r\n')).status,
    200,
  );
});

test('a request with any other Host is rejected on every path', async () => {
  const others = [
    'evil.example',
    'chat.example.com.evil.example',
    'evil.chat.example.com',
    'evil.example:8080',
    'chat.example.com@evil.example',
    'evil.example/chat.example.com',
    'chat.example.com evil.example',
    '',
    '[::2]',
  ];
  for (const host of others)
    for (const path of [
      '/api/v1/servers',
      '/api/v1/events',
      '/metrics',
      '/docs/',
      '/openapi.json',
      '/nowhere',
    ]) {
      const { status, code } = await ask(path, `Host: ${host}\r\n`);
      assert.deepEqual([status, code], [400, 'INVALID_REQUEST'], `${host} ${path}`);
    }
  const target = 'http://evil.example/api/v1/servers';
  assert.equal((await ask(target, 'Host: chat.example.com\r\n')).status, 400);
  assert.equal(
    (await ask('/api/v1/servers', 'Host: evil.example\r\nX-Forwarded-Host: chat.example.com\r\n')).status,
    400,
  );
});

test('probes accept any Host, and so do all paths if no host is configured', async () => {
  for (const path of ['/healthz', '/readyz'])
    assert.equal((await ask(path, 'Host: 10.0.0.7:8080\r\n')).status, 200);
  assert.equal((await ask('/openapi.json', 'Host: anything.example\r\n', open)).status, 200);
});

test('a message sent through one configured host can be read through another', async () => {
  const scene = await Scene.open(world);
  const { id, channelId } = await scene.message({ content: 'By its name' });
  const { status, body } = await scene.admin.get(`/channels/${channelId}/messages`);
  assert.equal(status, 200);
  assert.deepEqual(
    body.data.map((message: Json) => [message.id, message.content]),
    [[id, 'By its name']],
  );
});
