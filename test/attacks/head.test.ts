// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { RawClient } from '../support/socket.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

/** A response with its headers, except headers that differ per request. */
interface Head {
  status: number;
  headers: string[];
}

const varying = /^(date|x-request-id|ratelimit|keep-alive):/i;

function toHead(text: string): Head {
  const [first = '', ...headers] = text.split('\r\n');
  return {
    status: Number(first.split(' ')[1]),
    headers: headers.filter((line) => !varying.test(line)).sort(),
  };
}

/** Sends HEAD, then GET, over one connection, like a proxy with a connection pool. Returns both heads. */
async function both(path: string, further = ''): Promise<[Head, Head]> {
  const client = new RawClient(world);
  // Sets the request's id, because generated ids differ in length and errors contain them.
  const id = 'X-Request-Id: both\r\n';
  const headers = `Host: x\r\nAuthorization: Bearer ${scene.admin.key}\r\n${id}${further}\r\n`;
  try {
    client.send(`HEAD ${path} HTTP/1.1\r\n${headers}`);
    await until(() => client.received.includes('\r\n\r\n'));
    const [head = ''] = client.received.split('\r\n\r\n');
    client.send(`GET ${path} HTTP/1.1\r\n${headers}`);
    const rest = () => client.received.slice(head.length + 4);
    await until(() => rest().includes('\r\n\r\n'));
    assert.match(rest(), /^HTTP\/1\.1 /, `${path}: HEAD has a body`);
    return [toHead(head), toHead(rest().split('\r\n\r\n')[0] as string)];
  } finally {
    client.close();
  }
}

test('a HEAD request for the events ends immediately, so that the connection can serve the next request', async () => {
  for (const further of ['', 'Accept: text/event-stream\r\n'])
    for (const query of ['', '?wait=60', '?types=message.*&wait=1']) {
      const [head, get] = await both(`/api/v1/events${query}`, further);
      assert.equal(head.status, 404);
      if (further) assert.equal(get.status, 200);
      if (query === '') assert.equal(get.status, 200);
    }
  // The stream for all of a person's servers, which requires a session.
  for (const further of ['Accept: text/event-stream\r\n', 'Palaver-Server: none\r\n']) {
    const [head, get] = await both('/api/people/events', further);
    assert.deepEqual([head.status, get.status], [404, 401]);
  }
});

test('a HEAD request for any other path is answered like GET, without a body', async () => {
  const { paths } = (await world.request('GET', `${world.url}/openapi.json`)).body;
  const channel = await scene.channel();
  const message = await scene.message({ channelId: channel.id });
  const ids: Json = { serverId: scene.server.id, channelId: channel.id, messageId: message.id };
  const streams = ['/api/v1/events', '/api/people/events'];
  const asked = Object.keys(paths).filter((path) => paths[path].get && !streams.includes(path));
  assert.ok(asked.length > 20);
  const others = [
    '/',
    '/healthz',
    '/readyz',
    '/openapi.json',
    '/docs',
    '/docs/',
    '/docs/search.json',
    '/favicon.svg',
    '/favicon-news.svg',
  ];
  for (const path of [...asked, ...others]) {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? message.id);
    for (const further of ['', 'Accept-Encoding: gzip\r\n', 'If-None-Match: *\r\n']) {
      const [head, get] = await both(filled, further);
      assert.deepEqual(head, get, `${filled} ${further}`);
    }
  }
});
