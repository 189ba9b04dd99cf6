// @run measured: some lines run only in a separate server process
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { RawClient } from '../support/socket.ts';

/** The longest time that a stop may take. */
const STOP_MS = 10_000;

const stage = new Stage();
after(() => stage.close());

/** Asserts that the server exits with 0 in time. */
async function assertStops(ending: Promise<number | null>, within = STOP_MS): Promise<void> {
  const from = performance.now();
  assert.equal(await ending, 0);
  const took = performance.now() - from;
  assert.ok(took <= within, `it took ${Math.round(took)} ms`);
}

/** Sends a request without the rest of its body. Resolves when the server has its headers. */
async function begin(server: Running, content: string): Promise<{ client: RawClient; finish: () => void }> {
  const body = JSON.stringify({ channelId: server.channelId, content });
  const client = new RawClient(server);
  client.send(
    `POST /api/v1/messages HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body.slice(0, 10)}`,
  );
  await until(() => client.received === 'HTTP/1.1 100 Continue\r\n\r\n');
  client.forget();
  return { client, finish: () => client.send(body.slice(10)) };
}

describe('a signal to stop', { concurrency: 3 }, () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    test(`${signal}: requests in flight complete, and their writes are committed`, async () => {
      const folder = stage.folder();
      const server = await stage.start(folder);
      const all = Array.from({ length: 20 }, (_, index) => begin(server, `message ${index}`));
      const begun = await Promise.all(all);
      const ending = server.end(signal);
      await sleep(200);
      for (const { finish } of begun) finish();
      for (const { client } of begun) {
        const { status, body } = await client.answer();
        assert.equal(status, 200, client.received);
        assert.equal(body.ok, true);
      }
      await assertStops(ending, 6_000);
      const { key, channelId } = server;
      const again = await stage.start(folder);
      const kept = await listOf(again, key, `/api/v1/channels/${channelId}/messages`);
      assert.equal(kept.length, begun.length);
      assert.equal(await again.end(), 0);
    });
  }

  test('idle keep-alive connections do not delay it', async () => {
    const server = await stage.start(stage.folder());
    const clients = Array.from({ length: 20 }, () => new RawClient(server));
    for (const client of clients) {
      client.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
      assert.equal((await client.answer()).status, 200);
    }
    await assertStops(server.end(), 3_000);
    for (const client of clients) client.close();
  });

  test('clients that never finish, or never start, delay it by at most 10 s', async () => {
    const server = await stage.start(stage.folder());
    const slow = await begin(server, 'never');
    const silent = new RawClient(server);
    const half = new RawClient(server);
    half.send('GET /healthz HTTP/1.1\r\nHost');
    await sleep(200);
    await assertStops(server.end());
    for (const client of [slow.client, silent, half]) client.close();
  });
});

describe('a node that is stopping', { concurrency: 3 }, () => {
  test('returns 503 for /readyz on open connections', async () => {
    const server = await stage.start(stage.folder());
    const waiting = await begin(server, 'last');
    const probe = new RawClient(server);
    // The first response shows that the start of the second request has arrived, too: otherwise, the
    // connection would be closed.
    probe.send('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\nX-Rest: ');
    assert.equal((await probe.answer()).status, 200);
    probe.forget();
    const ending = server.end();
    await until(() => server.log().includes('stopping'));
    probe.send('1\r\n\r\n');
    const { status, body } = await probe.answer();
    assert.equal(status, 503);
    assert.equal(body.ok, false);
    waiting.finish();
    assert.equal((await waiting.client.answer()).status, 200);
    await assertStops(ending, 6_000);
  });

  test('finishes requests despite a second signal', async () => {
    const server = await stage.start(stage.folder());
    const { client, finish } = await begin(server, 'patience');
    const ending = server.end();
    await until(() => server.log().includes('stopping'));
    server.child.kill('SIGTERM');
    server.child.kill('SIGINT');
    await sleep(100);
    finish();
    assert.equal((await client.answer()).status, 200);
    await assertStops(ending, 6_000);
  });

  test('serves while it drains, not ready, until the drain period ends or another signal arrives', async () => {
    const server = await stage.start(stage.folder(), { environment: { PALAVER_DRAIN: '30' } });
    const probe = async () => (await fetch(`${server.url}/readyz`)).status;
    assert.equal(await probe(), 200);
    const ending = server.end();
    await until(async () => (await probe()) === 503);
    for (let round = 0; round < 5; round++) {
      const answer = await fetch(`${server.url}/api/v1/servers`, {
        headers: { authorization: `Bearer ${server.key}` },
      });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('connection'), 'close');
      await answer.text();
    }
    server.child.kill('SIGTERM');
    await assertStops(ending, 6_000);
  });

  test('refuses connections afterwards', async () => {
    const server = await stage.start(stage.folder());
    await assertStops(server.end(), 3_000);
    await assert.rejects(call(server, 'GET', '/healthz'));
  });
});
