import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { countIn } from '../support/counted.ts';
import { addMembers } from '../support/crowds.ts';
import { call, type Running, Stage, until } from '../support/process.ts';
import { openData } from '../support/sources.ts';

const ROUNDS = 4;
const MEMBERS = 4_000;
/** The longest time until a claim by a killed process expires and the rest is delivered, on a busy machine. */
const DELIVERY_MS = 180_000;

const stage = new Stage();
after(() => stage.close());

test(`${ROUNDS} kills while ${MEMBERS} members are notified: none is missed or notified twice`, async () => {
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
  let interrupted = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const messageId = await send(server, key, channelId, `Round ${round}, @everyone`);
    // The first half of the rounds are killed at the start of the delivery, the others in the middle.
    const enough = round < ROUNDS / 2 ? 0 : MEMBERS / 2;
    await until(async () => (await notified(messageId)) > enough, DELIVERY_MS, 1);
    await server.end('SIGKILL');
    if ((await notified(messageId)) < MEMBERS) interrupted++;
    server = await stage.start(folder);
    await until(async () => (await counted('"groupMention"')) === 0, DELIVERY_MS, 100);
    assert.equal(await notified(messageId), MEMBERS, 'nobody was missed');
    const distinct = `(select distinct "userId" from notification where "messageId" = '${messageId}') as users`;
    assert.equal(await counted(distinct), MEMBERS, 'nobody was notified twice');
    assert.equal(
      await counted(`event where type = 'notification.created'`),
      (round + 1) * MEMBERS,
      'each notification has one event',
    );
  }
  assert.ok(interrupted >= ROUNDS / 2, `only ${interrupted} kills were in time`);
  assert.equal(await server.end(), 0);
});

async function send(server: Running, key: string, channelId: string, content: string): Promise<string> {
  const answer = await call(server, 'POST', '/api/v1/messages', { key, body: { channelId, content } });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data.id;
}
