// @run sqlite: tests headers, which no engine changes
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { RawClient } from '../support/socket.ts';
import { World } from '../support/world.ts';

const HSTS = 'strict-transport-security: max-age=31536000';

const requests: readonly string[] = [
  'GET /healthz',
  'GET /metrics',
  'GET /',
  'GET /docs/',
  'GET /openapi.json',
  'GET /nothing',
  'GET /%zz',
  'GET /api/v1/users/me',
  'GET /api/v1/nothing',
  'HEAD /api/v1/servers',
  'OPTIONS /api/v1/servers',
  'GET /api/v1/events/stream',
  'POST /api/people/sign-in',
  'POST /hooks/x',
  'POST /oauth/token',
  'GET /.well-known/oauth-authorization-server',
  'GET /x HTTP/9.9',
];

/** The head of the response to each request, in lowercase. */
async function heads(world: World): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const request of requests) {
    const client = new RawClient(world);
    const line = request.includes('HTTP/') ? request : `${request} HTTP/1.1`;
    const origin = 'Origin: https://other.example\r\nAccess-Control-Request-Method: GET';
    client.send(`${line}\r\nHost: x\r\n${origin}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    await client.hungUp(10_000);
    found.set(request, client.received.toLowerCase());
    client.close();
  }
  return found;
}

test('with an https address, every response has HSTS', async (t) => {
  const world = await World.open({ address: 'https://chat.example.com' });
  t.after(() => world.close());
  for (const [request, head] of await heads(world)) assert.ok(head.includes(HSTS), `${request}: ${head}`);
});

for (const address of ['http://chat.example.com', '']) {
  test(`with the address "${address}", no response has HSTS`, async (t) => {
    const world = await World.open({ address });
    t.after(() => world.close());
    for (const [request, head] of await heads(world))
      assert.ok(!head.includes('strict-transport-security'), `${request}: ${head}`);
  });
}

test('the page about proxies names the header, and its nginx example redirects port 80', () => {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operate', 'proxy.md'), 'utf8');
  assert.match(page, /Strict-Transport-Security: max-age=31536000/);
  assert.match(page, /listen 80;\s+server_name [^;]+;\s+return 301 https:\/\/\$host\$request_uri;/);
});
