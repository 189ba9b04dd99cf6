// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';

const SENDERS = 8;
const PAUSE_MS = 50;
const AWAY_MS = 10_000;
/** The longest time until the node serves again, and the longest time until it responds to a request. */
const RETURN_MS = 10_000;
const ANSWER_MS = 15_000;

const stage = new Stage();
let postgres: PostgresServer;
before(async () => {
  postgres = await startPostgres({ durable: true });
});
after(async () => {
  await stage.close();
  await postgres?.close();
});

interface Attempt {
  content: string;
  /** The message's id, once it was acknowledged. */
  id?: string;
}

interface Refusal {
  status: number;
  code: string;
  message: string;
  retryAfter: string | null;
}

test('while PostgreSQL is killed and down, senders get errors, and no acknowledged message is lost', async () => {
  const node = await stage.start(stage.folder(), {
    environment: { DATABASE_URL: await postgres.createDatabase() },
  });
  const { channelId, key } = node;
  const attempts: Attempt[] = [];
  const refusals: Refusal[] = [];
  let isOver = false;
  let slowest = 0;

  async function send(sender: number): Promise<void> {
    for (let number = 0; !isOver; number++) {
      const attempt: Attempt = { content: `message ${sender}.${number}` };
      attempts.push(attempt);
      const from = performance.now();
      await post(node, attempt, refusals);
      slowest = Math.max(slowest, performance.now() - from);
      await sleep(PAUSE_MS);
    }
  }

  const acknowledged = () => attempts.filter(({ id }) => id).length;
  const senders = Array.from({ length: SENDERS }, (_, sender) => send(sender));
  await until(() => acknowledged() > 4 * SENDERS);
  await postgres.stop('kill');
  await until(() => refusals.length > 0, ANSWER_MS);
  const before = acknowledged();
  await sleep(AWAY_MS);
  assert.equal((await call(node, 'GET', '/readyz')).status, 503);
  assert.equal(
    (await call(node, 'GET', '/healthz')).status,
    200,
    'the node is alive, and must not be restarted',
  );
  assert.equal(acknowledged(), before, 'nothing is acknowledged in the meantime');

  await postgres.start();
  await until(async () => (await call(node, 'GET', '/readyz')).status === 200, RETURN_MS);
  await until(() => acknowledged() > before + 4 * SENDERS, RETURN_MS);
  isOver = true;
  await Promise.all(senders);

  assert.ok(slowest < ANSWER_MS, `a response took ${slowest.toFixed(0)} ms`);
  for (const { status, code, message, retryAfter } of refusals) {
    assert.deepEqual([status, code], [503, 'INTERNAL_ERROR']);
    assert.match(message, /^the database is temporarily unavailable. Try again/);
    assert.ok(Number(retryAfter) > 0);
  }
  // Each message, resent with its key, exists once, regardless of earlier failures.
  for (const attempt of attempts) if (!attempt.id) await post(node, attempt, refusals);
  const messages = await listOf(node, key, `/api/v1/channels/${channelId}/messages`);
  assert.deepEqual(
    messages.map(({ id, content }) => `${content} is ${id}`).sort(),
    attempts.map(({ id, content }) => `${content} is ${id}`).sort(),
  );
  assert.equal(await node.end(), 0);
});

/** Sends a message with its key, and records its id or why it was rejected. */
async function post(node: Running, attempt: Attempt, refusals: Refusal[]): Promise<void> {
  const { content } = attempt;
  const { status, headers, body } = await call(node, 'POST', '/api/v1/messages', {
    key: node.key,
    body: { channelId: node.channelId, content },
    headers: { 'idempotency-key': content },
  });
  if (status === 200) attempt.id = body.data.id;
  else refusals.push({ status, ...body.error, retryAfter: headers.get('retry-after') });
}
