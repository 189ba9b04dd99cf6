import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let ada: Json;
let grace: Json;
let asAda: Client;
let asGrace: Client;
let channelId: string;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  ada = await world.user({ username: 'ada', name: 'Ada' });
  grace = await world.user({ username: 'grace', name: 'Grace' });
  asAda = await world.client(scene.server, ['canEditData'], ada);
  asGrace = await world.client(scene.server, ['canEditData'], grace);
  channelId = (await scene.channel()).id;
});
after(() => world.close());

const profileOf = async ({ id }: Json): Promise<Json> => dataOf(await scene.admin.get(`/users/${id}`));
const usersIn = ({ body }: { body: Json }): Json => body.expanded.users;

test('expanding the creators in a page of messages returns each author once', async () => {
  for (const client of [asAda, asGrace, asAda])
    await scene.make('/messages', { channelId, content: 'A word' }, client);
  const path = `/channels/${channelId}/messages`;
  const profiles = { [ada.id]: await profileOf(ada), [grace.id]: await profileOf(grace) };
  const plain = await asAda.get(path);
  assert.deepEqual(Object.keys(plain.body), ['ok', 'data', 'nextCursor']);
  for (const filter of ['', '&order=asc', '&type=person', '&q=word', '&isThreadReply=false']) {
    const answer = await asAda.get(`${path}?expand=creator${filter}`);
    assert.deepEqual(Object.keys(answer.body), ['ok', 'data', 'nextCursor', 'expanded'], filter);
    assert.deepEqual(answer.body.expanded, { users: profiles }, filter);
    assert.deepEqual(idsOf(answer.data).sort(), idsOf(plain.data).sort(), filter);
  }
  const around = await asAda.get(`${path}?around=${plain.data[1].id}&expand=creator`);
  assert.deepEqual(usersIn(around), profiles);
  const first = await asAda.get(`${path}?limit=1&expand=creator`);
  assert.deepEqual(usersIn(first), { [ada.id]: profiles[ada.id] });
  const next = await asAda.get(`${path}?limit=1&cursor=${first.body.nextCursor}&expand=creator`);
  assert.deepEqual(usersIn(next), { [grace.id]: profiles[grace.id] }, 'expand can differ from page to page');
  dataOf(await asAda.get(`${path}?limit=1&cursor=${first.body.nextCursor}`));
});

test('expand works on single records and nested records, and takes several fields at once', async () => {
  const message = await scene.make('/messages', { channelId, content: `Hello @${ada.username}` }, asGrace);
  assert.deepEqual(Object.keys(usersIn(await asAda.get(`/messages/${message.id}?expand=creator`))), [
    grace.id,
  ]);
  await scene.make('/pins', { messageId: message.id });
  const pins = await asAda.get(`/channels/${channelId}/pins?expand=creator`);
  assert.deepEqual(Object.keys(usersIn(pins)).sort(), [grace.id, scene.owner.id].sort());
  const thread = await scene.thread({ messageId: message.id });
  await scene.make('/messages', { threadId: thread.id, content: 'Yes' }, asAda);
  const whole = await asAda.get(`/threads/${thread.id}?expand=creator`);
  assert.deepEqual(Object.keys(usersIn(whole)).sort(), [ada.id, scene.owner.id].sort());
  assert.equal(whole.data.messages.length, 1);
  const told = await asAda.get('/notifications?expand=actor,user');
  assert.deepEqual(Object.keys(usersIn(told)).sort(), [ada.id, grace.id].sort());
  assert.deepEqual(Object.keys(usersIn(await asAda.get('/notifications?expand=actor'))), [grace.id]);
  await scene.make('/reactions', { messageId: message.id, emoji: '👍' }, asAda);
  const reactions = await asGrace.get(`/messages/${message.id}/reactions?expand=user`);
  assert.deepEqual(Object.keys(usersIn(reactions)), [ada.id]);
});

test('unknown expand fields are rejected', async () => {
  for (const word of ['actor', 'creatorId', 'creator,actor', 'creator,', ',', 'Creator', 'x'.repeat(101)])
    assertRefused(
      await asAda.get(`/channels/${channelId}/messages?expand=${word}`),
      'INVALID_REQUEST',
      word,
      'expand',
    );
});

test('users who have left, and users in other servers, are not expanded', async () => {
  const leaver = await world.user();
  const client = await world.client(scene.server, ['canEditData'], leaver);
  const message = await scene.make('/messages', { channelId, content: 'Bye' }, client);
  const read = () => asAda.get(`/messages/${message.id}?expand=creator`);
  assert.deepEqual(Object.keys(usersIn(await read())), [leaver.id]);
  const members = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
  await scene.remove(`/server-members/${members.find(({ userId }) => userId === leaver.id)?.id}`);
  assert.deepEqual(usersIn(await read()), {});
  assertRefused(await asAda.get(`/users/${leaver.id}`), 'FORBIDDEN');
  const open = await Scene.open(world);
  assert.deepEqual(usersIn(await asAda.get(`/servers/${open.server.id}?expand=creator`)), {});
});

test('users can be read by id if they share a server with the caller', async () => {
  const stranger = await world.user();
  const asked = [grace.id, ada.id, stranger.id, 'none', '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90', ada.id];
  const answer = await asAda.get(`/users?ids=${asked.join()}`);
  assert.deepEqual(dataOf(answer), [await profileOf(ada), await profileOf(grace)]);
  assert.equal(answer.body.nextCursor, null);
  for (const ids of ['', 'none', stranger.id, ',,'])
    assert.deepEqual(dataOf(await asAda.get(`/users?ids=${ids}`)), [], ids);
  const everybody = idsOf(await listAll(asAda, '/users', 1));
  assert.ok(everybody.includes(ada.id) && !everybody.includes(stranger.id));
});

test('at most 100 ids are accepted', async () => {
  const ids = (amount: number) => Array.from({ length: amount }, () => ada.id).join();
  assert.deepEqual(idsOf(dataOf(await asAda.get(`/users?ids=${ids(100)}`))), [ada.id]);
  for (const many of [ids(101), 'x'.repeat(4001), ','.repeat(200)])
    assertRefused(await asAda.get(`/users?ids=${many}`), 'INVALID_REQUEST', '', 'ids');
});
