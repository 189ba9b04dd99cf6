// @run waits: waits until the runs of killed processes are taken over
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, Stage, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const WAITING = 80;
/** The longest time until a claim by a killed process expires, and a little more. */
const TAKEOVER_MS = 60_000;

const stage = new Stage();
after(() => stage.close());

const environment = {
  PALAVER_LIMITS: '{"*":0}',
  PALAVER_FLOW_RUNS_PER_MINUTE: '0',
  PALAVER_FLOW_WRITES_PER_MINUTE: '0',
};

test(`${WAITING} runs waiting for events over 2 kills: each is woken exactly once`, async () => {
  const folder = stage.folder();
  let server = await stage.start(folder, { environment });
  const { key, channelId } = server;
  const post = (path: string, body: Json) => call(server, 'POST', `/api/v1${path}`, { key, body });
  const make = async (path: string, body: Json): Promise<Json> => {
    const answer = await post(path, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const { id: answersId } = await make('/channels', { name: 'answers' });
  const where = { path: 'event.data.messageId', equals: '{{event.data.id}}' };
  const { id: flowId } = await make('/flows', {
    name: 'Wait',
    trigger: {
      on: 'event',
      type: 'message.created',
      where: { path: 'event.data.channelId', equals: channelId },
    },
    steps: [
      { name: 'reacted', do: 'wait', event: { type: 'reaction.created', where } },
      {
        do: 'message.send',
        channelId: answersId,
        content: '{{event.data.content}} {{steps.reacted.output.event.data.emoji}}',
      },
    ],
  });
  const answers = (): Promise<Json[]> => listOf(server, key, `/api/v1/channels/${answersId}/messages`);
  const runs = (): Promise<Json[]> => listOf(server, key, `/api/v1/flows/${flowId}/runs`);
  const sent: Json[] = [];
  for (let number = 0; number < WAITING; number++)
    sent.push(await make('/messages', { channelId, content: `wait ${number}` }));
  await until(async () => (await runs()).some(({ status }) => status === 'waiting'), TAKEOVER_MS, 5);
  await server.end('SIGKILL');
  server = await stage.start(folder, { environment });
  // Some reactions arrive before their runs wait for them.
  const reactTo = ({ id }: Json) => post('/reactions', { messageId: id, emoji: '✅' }).catch(() => undefined);
  const reacting = Promise.all(sent.map(reactTo));
  await until(async () => (await answers()).length >= WAITING / 4, TAKEOVER_MS, 5);
  await server.end('SIGKILL');
  await reacting;
  server = await stage.start(folder, { environment });
  for (const message of sent) await reactTo(message);
  await until(async () => (await runs()).every(({ status }) => status === 'done'), TAKEOVER_MS);
  assert.equal((await runs()).length, WAITING);
  assert.deepEqual(
    (await answers()).map(({ content }) => content).sort(),
    sent.map(({ content }) => `${content} ✅`).sort(),
  );
  assert.equal(await server.end(), 0);
});
