import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';

const random = seeded();

const ROUNDS = 4;
const SENDERS = 40;
/** The longest time until enough messages are acknowledged in a round. */
const ROUND_MS = 30_000;
/** How much longer a start may take after a kill than after a stop. */
const RECOVERY_MS = 1_000;
/** Rounds with an additional stop and start, to measure an ordinary start on this machine. */
const COMPARED_ROUNDS: readonly number[] = [1, 3];

const stage = new Stage();
after(() => stage.close());

/** A message that a sender tries to send; its content is also its idempotency key. */
interface Attempt {
  content: string;
  /** The id of the message, once the server has acknowledged it. */
  id?: string;
}

test(`${ROUNDS} kills while ${SENDERS} senders write: every message exists exactly once`, async () => {
  const folder = stage.folder();
  let server = await stage.start(folder);
  const { key, channelId: general } = server;
  let acknowledged = 0;
  let lost = 0;
  const times: number[] = [];
  const ordinary: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const channelId = await newChannel(server, key, `round-${round}`);
    const attempts: Attempt[] = [];
    const senders = Array.from({ length: SENDERS }, (_, index) =>
      send(server, key, channelId, index, attempts),
    );
    // Waits for more than two responses per sender on average, even on a slow machine.
    await until(() => attempts.filter(({ id }) => id).length > 2 * SENDERS, ROUND_MS);
    await sleep(random.next() * 250);
    await server.end('SIGKILL');
    await Promise.all(senders);
    acknowledged += attempts.filter(({ id }) => id).length;
    lost += attempts.filter(({ id }) => !id).length;

    server = await startReady(folder, times);
    if (COMPARED_ROUNDS.includes(round)) {
      assert.equal(await server.end(), 0);
      server = await startReady(folder, ordinary);
    }
    for (const attempt of attempts.filter(({ id }) => id).slice(-SENDERS)) {
      assert.equal((await post(server, key, channelId, attempt.content)).data.id, attempt.id);
    }
    const unsure = attempts.filter(({ id }) => !id);
    for (const attempt of unsure) attempt.id = (await post(server, key, channelId, attempt.content)).data.id;
    await assertExactlyOnce(server, key, channelId, attempts);
  }
  const median = times.toSorted((one, other) => one - other)[ROUNDS / 2] as number;
  assert.ok(
    median <= 2 * Math.max(...ordinary) + RECOVERY_MS,
    `the server was ready ${times.map(Math.round)} ms after a kill, and ${ordinary.map(Math.round)} ms after a stop`,
  );
  assert.ok(acknowledged > ROUNDS * SENDERS, `only ${acknowledged} messages were acknowledged`);
  assert.ok(lost > ROUNDS, `only ${lost} messages were in flight at the kills`);
  assert.equal((await listOf(server, key, `/api/v1/channels/${general}/messages`)).length, 0);
  assert.equal(await server.end(), 0);
});

/** Starts a server and records the time until it is ready. */
async function startReady(folder: string, times: number[]): Promise<Running> {
  const from = performance.now();
  const server = await stage.start(folder);
  const ready = await call(server, 'GET', '/readyz');
  times.push(performance.now() - from);
  assert.equal(ready.status, 200);
  return server;
}

async function newChannel(server: Running, key: string, name: string): Promise<string> {
  const { status, body } = await call(server, 'POST', '/api/v1/channels', { key, body: { name } });
  assert.equal(status, 200);
  return body.data.id;
}

/** Sends messages in order until the server is gone. */
async function send(
  server: Running,
  key: string,
  channelId: string,
  sender: number,
  attempts: Attempt[],
): Promise<void> {
  for (let number = 0; ; number++) {
    const attempt: Attempt = { content: `message ${sender}.${number}` };
    attempts.push(attempt);
    try {
      attempt.id = (await post(server, key, channelId, attempt.content)).data.id;
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function post(server: Running, key: string, channelId: string, content: string) {
  const { status, body } = await call(server, 'POST', '/api/v1/messages', {
    key,
    body: { channelId, content },
    headers: { 'idempotency-key': `${channelId} ${content}` },
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

async function assertExactlyOnce(
  server: Running,
  key: string,
  channelId: string,
  attempts: Attempt[],
): Promise<void> {
  const messages = await listOf(server, key, `/api/v1/channels/${channelId}/messages`);
  const there = messages.map(({ id, content }) => `${content} is ${id}`).sort();
  assert.deepEqual(there, attempts.map(({ id, content }) => `${content} is ${id}`).sort());
}
