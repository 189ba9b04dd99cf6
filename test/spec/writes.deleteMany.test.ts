import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { endOf, logOf } from '../support/log.ts';
import { Scene } from '../support/scene.ts';
import { type Answer, type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let channelId: string;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channelId = (await scene.channel()).id;
});
after(() => world.close());

const path = '/messages/delete';

async function messages(amount: number, by: Client = scene.admin, place = channelId): Promise<string[]> {
  const sent: Json[] = [];
  for (let number = 0; number < amount; number++)
    sent.push(await scene.make('/messages', { channelId: place, content: 'Hello' }, by));
  return idsOf(sent);
}

/**
 * Asserts that the request fails, that the error names these messages, and that it deletes nothing and appends no
 * event.
 */
async function assertNothing(ask: () => Promise<Answer>, code: string, ids: string[]): Promise<Answer> {
  const end = await endOf(world, scene.server.id);
  const before = await listAll(scene.admin, `/channels/${channelId}/messages`, 100);
  const answer = await ask();
  assert.equal(answer.body.error.code, code, JSON.stringify(answer.body));
  assert.deepEqual(answer.body.error.details.ids, ids);
  assert.deepEqual(await listAll(scene.admin, `/channels/${channelId}/messages`, 100), before);
  assert.deepEqual(await logOf(world, scene.server.id, end), []);
  return answer;
}

test('a hundred messages can be deleted in one request, with an event for each', async () => {
  const ids = await messages(100);
  const [kept] = await messages(1);
  const end = await endOf(world, scene.server.id);
  const answer = await scene.admin.post(path, { channelId, ids });
  assert.deepEqual(dataOf(answer), { channelId, ids });
  const log = await logOf(world, scene.server.id, end);
  assert.deepEqual(
    log.map(({ type, data }) => [type, data.id]),
    ids.toReversed().map((id) => ['message.deleted', id]),
  );
  const left = idsOf(await listAll(scene.admin, `/channels/${channelId}/messages`));
  assert.ok(left.includes(kept as string) && !ids.some((id) => left.includes(id)));
  for (const id of [ids[0], ids[99]]) assertRefused(await scene.admin.get(`/messages/${id}`), 'NOT_FOUND');
});

test('more than a hundred ids, and duplicate ids, are rejected', async () => {
  const [id] = await messages(1);
  const ids = Array.from({ length: 101 }, (_, place) => `none ${place}`);
  assertRefused(await scene.admin.post(path, { channelId, ids }), 'INVALID_REQUEST', '', 'ids');
  assertRefused(await scene.admin.post(path, { channelId, ids: [id, id] }), 'INVALID_REQUEST', '', 'ids');
  assert.deepEqual(dataOf(await scene.admin.post(path, { channelId, ids: [] })), { channelId, ids: [] });
  dataOf(await scene.admin.get(`/messages/${id}`));
});

test('a message that is not in the channel fails the whole request, and the error names it', async () => {
  const ids = await messages(2);
  const elsewhere = await scene.message();
  const hidden = await scene.message({ channelId: (await scene.channel({ private: true })).id });
  const [gone] = await messages(1);
  await scene.remove(`/messages/${gone}`);
  const missing = [elsewhere.id, hidden.id, gone as string, 'none'];
  const member = await world.client(scene.server, ['canModerate']);
  for (const client of [scene.admin, member])
    await assertNothing(
      () => client.post(path, { channelId, ids: [...missing, ...ids] }),
      'NOT_FOUND',
      missing,
    );
});

test('a message that the caller may not delete fails the whole request, and the error names it', async () => {
  const author = await world.client(scene.server, ['canEditData']);
  const mine = await messages(2, author);
  const theirs = await messages(2);
  const ask = () => author.post(path, { channelId, ids: [...mine, ...theirs] });
  const { body } = await assertNothing(ask, 'FORBIDDEN', theirs);
  assert.deepEqual(body.error.details.need, ['canModerate']);
  assert.match(body.error.details.rule, /^message: /);
  dataOf(await author.post(path, { channelId, ids: mine }));
});

test('the error does not reveal whether a message is in a channel that the caller cannot see', async () => {
  const secret = await scene.channel({ private: true });
  const inside = await scene.message({ channelId: secret.id });
  const member = await world.client(scene.server, ['canModerate']);
  const answers: Json[] = [];
  for (const id of [inside.id, ...(await messages(1)), 'none']) {
    const { status, body } = await member.post(path, { channelId: secret.id, ids: [id] });
    const { requestId: _requestId, ...error } = body.error;
    answers.push({ status, error });
  }
  assert.equal(answers[0].status, 403);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('messages with many reactions disappear immediately, and the sweep removes the remaining reactions later', async () => {
  const ids = await messages(60);
  const reaction = { messageId: ids[0], emoji: '' };
  for (let number = 0; number < 9; number++)
    await scene.make('/reactions', { ...reaction, emoji: `emoji ${number}` });
  dataOf(await scene.admin.post(path, { channelId, ids }));
  assertRefused(await scene.admin.get(`/messages/${ids[0]}/reactions`), 'NOT_FOUND');
  const left = idsOf(await listAll(scene.admin, `/channels/${channelId}/messages`, 100));
  assert.ok(!ids.some((id) => left.includes(id)));
});
