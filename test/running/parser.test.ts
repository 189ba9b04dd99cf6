// @run sqlite: tests code that runs before any data is read
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { RawClient } from '../support/socket.ts';

const stage = new Stage();
let server: Running;
before(async () => {
  server = await stage.start(stage.folder());
});
after(() => stage.close());

/** Sends bytes and asserts the status and the error envelope. */
async function assertRefused(bytes: string | Uint8Array, status: number, code: string): Promise<void> {
  const client = new RawClient(server);
  client.send(bytes);
  const answer = await client.answer();
  client.close();
  assert.equal(answer.status, status, client.received);
  assert.match(answer.headers, /^content-type: application\/json/im);
  assert.equal(answer.body.ok, false, client.received);
  assert.equal(answer.body.error.code, code, client.received);
  assert.match(answer.headers, new RegExp(`^x-request-id: ${answer.body.error.requestId}\r?$`, 'im'));
  assert.doesNotMatch(answer.body.error.message, /HPE_|node:|llhttp/i);
}

const host = 'Host: x\r\n';
const post = 'POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

const unreadable: Record<string, string | Uint8Array> = {
  'text that is not HTTP': 'hello there\r\n\r\n',
  'the greeting of TLS': Buffer.from('16030100a5010000a10303000102030405060708090a0b0c0d0e0f', 'hex'),
  'binary noise': Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]),
  'an unknown method': `FOO /healthz HTTP/1.1\r\n${host}\r\n`,
  'an unknown version': `GET /healthz HTTP/9.9\r\n${host}\r\n`,
  'a path with a blank': `GET /health z HTTP/1.1\r\n${host}\r\n`,
  'headers without end': `GET /healthz HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
  'an endless path': `GET /${'x'.repeat(40_000)} HTTP/1.1\r\n${host}\r\n`,
  'a header with U+0000': `GET /healthz HTTP/1.1\r\n${host}X-Odd: a\0b\r\n\r\n`,
  'a header without name': `GET /healthz HTTP/1.1\r\n${host}: a\r\n\r\n`,
  'a length that is not a number': `${post}Content-Length: many\r\n\r\n{}`,
  'a negative length': `${post}Content-Length: -1\r\n\r\n{}`,
  'two lengths': `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
  'a length and chunks': `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a request without host': 'GET /healthz HTTP/1.1\r\n\r\n',
};

for (const [what, bytes] of Object.entries(unreadable)) {
  test(`${what}: 400 with the envelope`, async () => {
    await assertRefused(bytes, 400, 'INVALID_REQUEST');
    assert.equal((await call(server, 'GET', '/healthz')).status, 200);
  });
}

test('a body with malformed chunks is rejected', async () => {
  const start = `${post}Authorization: Bearer ${server.key}\r\nTransfer-Encoding: chunked\r\n\r\n`;
  await assertRefused(`${start}zz\r\nnonsense`, 400, 'INVALID_REQUEST');
});

test('a method that no path supports is NOT_FOUND', async () => {
  const key = `Authorization: Bearer ${server.key}\r\n`;
  for (const method of ['QUERY', 'PROPFIND', 'TRACE', 'OPTIONS', 'PUT']) {
    await assertRefused(`${method} /api/v1/servers HTTP/1.1\r\n${host}${key}\r\n`, 404, 'NOT_FOUND');
    await assertRefused(`${method} /nowhere HTTP/1.1\r\n${host}\r\n`, 404, 'NOT_FOUND');
  }
});

test('a path that cannot be decoded is NOT_FOUND', async () => {
  for (const path of ['/%zz', '/api/v1/servers/%', '/api/v1/servers/%c3%28', '/docs/%ff']) {
    const client = new RawClient(server);
    client.send(
      `GET ${path} HTTP/1.1\r\n${host}Authorization: Bearer ${server.key}\r\nConnection: close\r\n\r\n`,
    );
    await client.hungUp(5_000);
    assert.match(client.received, /^HTTP\/1\.1 404 /, path);
    assert.match(client.received, /"code":"NOT_FOUND"/, path);
  }
});

test('an unknown Expect header is ignored', async () => {
  const client = new RawClient(server);
  client.send(`GET /healthz HTTP/1.1\r\n${host}Expect: a-miracle\r\n\r\n`);
  const { status, body } = await client.answer();
  client.close();
  assert.equal(status, 200);
  assert.deepEqual(body, { ok: true });
});

test('a client that sends Expect: 100-continue gets 100 Continue', async () => {
  const body = JSON.stringify({ channelId: server.channelId, content: 'after asking' });
  const client = new RawClient(server);
  client.send(
    `${post}Authorization: Bearer ${server.key}\r\nExpect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
  );
  const deadline = performance.now() + 5_000;
  while (!client.received.includes('100 Continue') && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.match(client.received, /^HTTP\/1\.1 100 Continue\r\n\r\n$/);
  client.send(body);
  while (!client.received.includes('"ok":true') && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.match(client.received, /HTTP\/1\.1 200 OK/);
  client.close();
});

test('pipelined requests get their responses in order', async () => {
  const client = new RawClient(server);
  const ids = ['one', 'two', 'three'];
  client.send(ids.map((id) => `GET /healthz HTTP/1.1\r\n${host}X-Request-Id: ${id}\r\n\r\n`).join(''));
  await client.answer();
  const deadline = performance.now() + 5_000;
  while (!client.received.includes('x-request-id: three') && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 10));
  client.close();
  assert.deepEqual(
    [...client.received.matchAll(/x-request-id: (\w+)/g)].map(([, id]) => id),
    ids,
  );
});
