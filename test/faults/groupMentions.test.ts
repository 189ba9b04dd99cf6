import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { cpuOf, waitedMs } from '../../bench/processes.ts';
import { countIn } from '../support/counted.ts';
import { addMembers } from '../support/crowds.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { openData } from '../support/sources.ts';
import { Stalls } from '../support/stalls.ts';

const ROUNDS = 4;
const MEMBERS = 10_000;
/** All members are notified within this time. */
const PROMISED_MS = 5_000;
/** The factor by which delivery may take longer while other tests run. */
const SLOWDOWN = 4;
/**
 * The longest time until a claim by a killed process expires and the remaining notifications are delivered, on a
 * busy machine.
 */
const DELIVERY_MS = 180_000;

const stage = new Stage();
after(() => stage.close());

test(`${MEMBERS} members are notified in seconds, and each exactly once despite ${ROUNDS} kills`, async () => {
  const folder = stage.folder();
  let server = await stage.start(folder);
  const { key, channelId } = server;
  const { id: serverId } = (await call(server, 'GET', '/api/v1/users/me', { key })).body.data.server;
  let number = 0;
  const data = await openData(await stage.place(folder));
  await addMembers({ data, unique: (stem = 'name') => `${stem}-${number++}` }, serverId, MEMBERS);
  await data.db.close();

  const counted = (rows: string) => countIn(stage, folder, rows);
  const notified = (messageId: string) => counted(`notification where "messageId" = '${messageId}'`);
  const isDelivered = async () => (await counted('"groupMention"')) === 0;
  const stalls = new Stalls();
  const pid = server.child.pid as number;
  const [cpuBefore, waitedBefore] = [cpuOf(pid), waitedMs(pid)];
  const from = performance.now();
  const first = await send(server, key, channelId, 'Good morning, @everyone');
  await until(isDelivered, DELIVERY_MS, 100);
  const lost = Math.max(waitedMs(pid) - waitedBefore, stalls.since(from));
  const took = performance.now() - from - lost;
  const cpu = 1000 * (cpuOf(pid) - cpuBefore);
  stalls.stop();
  assert.equal(await notified(first), MEMBERS);
  const seen = `${took.toFixed(0)} ms, without ${lost.toFixed(0)} ms of waiting for a core, ${cpu.toFixed(0)} ms of CPU`;
  assert.ok(took <= PROMISED_MS * SLOWDOWN && cpu <= PROMISED_MS, seen);

  let interrupted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const messageId = await send(server, key, channelId, `Round ${round}, @everyone`);
    // In the first half of the rounds, the server is killed at the start of the delivery, and in the other
    // rounds in the middle of the delivery.
    const enough = round < ROUNDS / 2 ? 0 : MEMBERS / 2;
    await until(async () => (await notified(messageId)) > enough, DELIVERY_MS, 1);
    await server.end('SIGKILL');
    if ((await notified(messageId)) < MEMBERS) interrupted++;
    server = await stage.start(folder);
    await until(isDelivered, DELIVERY_MS, 100);
    assert.equal(await notified(messageId), MEMBERS, 'nobody was missed');
    const distinct = `(select distinct "userId" from notification where "messageId" = '${messageId}') as users`;
    assert.equal(await counted(distinct), MEMBERS, 'nobody was notified twice');
    assert.equal(
      await counted(`event where type = 'notification.created'`),
      (round + 2) * MEMBERS,
      'each notification has one event',
    );
  }
  assert.ok(interrupted >= ROUNDS / 2, `only ${interrupted} kills interrupted the delivery`);
  assert.equal(await server.end(), 0);
});

async function send(server: Running, key: string, channelId: string, content: string): Promise<string> {
  const answer = await call(server, 'POST', '/api/v1/messages', { key, body: { channelId, content } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id;
}
