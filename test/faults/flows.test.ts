// @run waits: waits until the runs of killed processes are taken over
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, type Running, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const ROUNDS = 3;
const RUNS = 200;
const SENDERS = 10;
/** The longest time until a claim by a killed process expires, and a little more. */
const TAKEOVER_MS = 60_000;

const stage = new Stage();
after(() => stage.close());

const environment = {
  PALAVER_LIMITS: '{"*":0}',
  PALAVER_FLOW_RUNS_PER_MINUTE: '0',
  PALAVER_FLOW_WRITES_PER_MINUTE: '0',
};

test(`${ROUNDS * RUNS} runs of a flow over ${ROUNDS} kills: each step exactly once`, async () => {
  const folder = stage.folder();
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const make = async (path: string, body: Json): Promise<Json> => {
    const answer = await call(server, 'POST', `/api/v1${path}`, { key, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const { id: answersId } = await make('/channels', { name: 'answers' });
  const { id: flowId } = await make('/flows', {
    name: 'Pong',
    trigger: {
      on: 'event',
      type: 'message.created',
      where: { path: 'event.data.content', startsWith: 'ping' },
    },
    steps: [
      { name: 'answer', do: 'message.send', channelId: answersId, content: 'pong {{event.data.content}}' },
      { name: 'mark', do: 'reaction.add', messageId: '{{steps.answer.output.id}}', emoji: '📣' },
      {
        name: 'edit',
        do: 'message.update',
        messageId: '{{steps.answer.output.id}}',
        content: 'done {{event.data.content}}',
      },
    ],
  });
  const answers = (): Promise<Json[]> => listOf(server, key, `/api/v1/channels/${answersId}/messages`);

  const sent: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = (await answers()).length;
    const sending = sendAll(server, key, channelId, round);
    await until(async () => (await answers()).length >= before + RUNS / 4, TAKEOVER_MS, 5);
    await server.end('SIGKILL');
    await sending;
    server = await stage.start(folder, { environment });
    // Those that were sent before are only answered again.
    sent.push(...(await sendAll(server, key, channelId, round)));
    await until(async () => (await answers()).length >= sent.length, TAKEOVER_MS);
  }
  const runsNow = () => listOf(server, key, `/api/v1/flows/${flowId}/runs`);
  await until(async () => (await runsNow()).every(({ endedAt }) => endedAt !== null), TAKEOVER_MS);
  const there = await answers();
  assert.equal(sent.length, ROUNDS * RUNS);
  assert.deepEqual(
    there.map(({ content }) => content).sort(),
    sent.map((content) => `done ${content}`).sort(),
  );
  assert.ok(there.every(({ reactions }) => reactions.length === 1 && reactions[0].count === 1));
  const runs = await runsNow();
  assert.deepEqual(
    [runs.length, new Set(runs.map(({ status }) => status))],
    [sent.length, new Set(['done'])],
  );
  assert.equal(await server.end(), 0);
});

/** Sends the messages of a round, each with its own key, until the server is gone. Returns those that were accepted. */
async function sendAll(server: Running, key: string, channelId: string, round: number): Promise<string[]> {
  const sent: string[] = [];
  const send = async (sender: number) => {
    for (let number = 0; number < RUNS / SENDERS; number++) {
      const content = `ping ${round}.${sender}.${number}`;
      const headers = { 'idempotency-key': content };
      const options = { key, body: { channelId, content }, headers };
      const answer = await call(server, 'POST', '/api/v1/messages', options).catch(() => undefined);
      if (!answer) return;
      assert.equal(answer.status, 200, answer.text);
      sent.push(content);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender)));
  return sent;
}
