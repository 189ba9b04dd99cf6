// @run sqlite, waits: tests code that runs before any data is read; waits for time to pass
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { call, type Running, Stage } from '../support/process.ts';
import { RawClient } from '../support/socket.ts';

/**
 * The time that a client has for its headers and for its request, and the maximum time until the server hangs
 * up after that.
 */
const HEADERS_MS = 10_000;
const REQUEST_MS = 30_000;
const GRACE_MS = 3_000;

const stage = new Stage();
let server: Running;
before(async () => {
  server = await stage.start(stage.folder());
});
after(() => stage.close());

const post = (length: number) =>
  `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

/** Asserts that the server hangs up after about `limit` milliseconds, with the expected response. */
async function assertHungUp(
  client: RawClient,
  limit: number,
  says: 'the envelope' | 'nothing',
): Promise<void> {
  const took = await client.hungUp(limit + GRACE_MS + 2_000);
  assert.ok(took >= limit - 1_000, `hung up too early, after ${Math.round(took)} ms`);
  assert.ok(took <= limit + GRACE_MS, `hung up too late, after ${Math.round(took)} ms`);
  const { status, headers, body } = await client.answer();
  if (says === 'nothing') return assert.equal(client.received, '');
  assert.equal(status, 400);
  assert.equal(body.ok, false);
  assert.equal(body.error.code, 'INVALID_REQUEST');
  assert.equal(body.error.details[0].reason, 'too_slow');
  assert.match(headers, new RegExp(`^x-request-id: ${body.error.requestId}\r?$`, 'im'));
}

describe('the server hangs up on a client', { concurrency: true }, () => {
  test('that sends nothing at all', async () => {
    await assertHungUp(new RawClient(server), HEADERS_MS, 'nothing');
  });

  test('that never ends its headers', async () => {
    const client = new RawClient(server);
    client.send('GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ');
    await assertHungUp(client, HEADERS_MS, 'the envelope');
  });

  test('that sends its headers at one character per second', async () => {
    const client = new RawClient(server);
    client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n');
    const dripping = client.drip('X-Slow: '.repeat(20), 500);
    await assertHungUp(client, HEADERS_MS, 'the envelope');
    await dripping;
  });

  test('that never sends its body', async () => {
    const client = new RawClient(server);
    client.send(`${post(100)}{"content"`);
    await assertHungUp(client, REQUEST_MS, 'the envelope');
  });

  test('that sends its body at one character per second', async () => {
    const client = new RawClient(server);
    client.send(post(1_000));
    const dripping = client.drip(`{"content": "${'x'.repeat(100)}`, 1_000);
    await assertHungUp(client, REQUEST_MS, 'the envelope');
    await dripping;
  });

  test('and serves others while 200 such clients are connected', async () => {
    const clients = Array.from({ length: 200 }, () => new RawClient(server));
    for (const client of clients) client.send(`${post(100)}{`);
    for (let number = 0; number < 20; number++) {
      const { status } = await call(server, 'POST', '/api/v1/messages', {
        key: server.key,
        body: { channelId: server.channelId, content: `message ${number}` },
      });
      assert.equal(status, 200);
    }
    for (const client of clients) client.close();
  });

  test('but not on a client that is slow but within the limits', async () => {
    const body = JSON.stringify({ channelId: server.channelId, content: 'slowly' });
    const client = new RawClient(server);
    client.send(post(Buffer.byteLength(body)));
    await client.drip(body, 100);
    const { status } = await client.answer();
    assert.equal(status, 200);
    client.close();
  });
});
