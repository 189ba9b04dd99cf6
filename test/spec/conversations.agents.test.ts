import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

const allow = async (directAgents: boolean) =>
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { directAgents }));

async function join(): Promise<{ user: Json; api: Browser['api'] }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, api: (await Browser.of(world, user, scene.server)).api };
}

type Sender = Pick<Client, 'get' | 'post' | 'delete'>;

async function assertClosed(sender: Sender, dm: Json, what: string): Promise<void> {
  const answer = await sender.post('/messages', { channelId: dm.id, content: 'Hello' });
  assertRefused(answer, 'INVALID_REQUEST', what, '');
  assert.equal(answer.body.error.message, 'this server does not allow direct messages with agents');
}

test('nobody writes in a direct message with an agent while the server does not allow it', async () => {
  const [ada, bob, cid] = [await join(), await join(), await join()];
  const agent = await world.user({ agent: true });
  const bot = await world.client(scene.server, [], agent);
  const open = async (...users: Json[]) =>
    dataOf(await ada.api.post('/conversations', { userIds: users.map(({ id }) => id) }));
  const [pair, group] = [await open(agent), await open(agent, bob.user)];
  const [people, three] = [await open(bob.user), await open(bob.user, cid.user)];
  const [said, answered] = [
    dataOf(await ada.api.post('/messages', { channelId: pair.id, content: 'Hello' })),
    dataOf(await bot.post('/messages', { channelId: pair.id, content: 'At your service' })),
  ];
  const stream = dataOf(await bot.post('/messages', { channelId: pair.id, streaming: true }));
  await allow(false);
  await assertClosed(ada.api, pair, 'a person');
  await assertClosed(bot, pair, 'the agent');
  await assertClosed(bob.api, group, 'a person in a group');
  await assertClosed(bot, group, 'the agent in a group');
  const deciding: [string, Sender, object][] = [
    ['/reactions', ada.api, { messageId: answered.id, emoji: '👍' }],
    ['/reactions', bot, { messageId: said.id, emoji: '👍' }],
    ['/threads', ada.api, { messageId: said.id, name: 'More' }],
    [`/messages/${stream.id}/append`, bot, { offset: 0, text: 'Once upon a time' }],
  ];
  for (const [path, sender, body] of deciding)
    assertRefused(await sender.post(path, body), 'INVALID_REQUEST', path, '');
  for (const channelId of [people.id, three.id])
    dataOf(await ada.api.post('/messages', { channelId, content: 'Among people' }));
  const channel = await scene.channel();
  const keyed = await world.client(scene.server, ['canEditData'], agent);
  dataOf(await keyed.post('/messages', { channelId: channel.id, content: 'In a channel' }));
  assert.equal(dataOf(await ada.api.get(`/channels/${pair.id}/messages`)).length, 3);
  assert.equal(dataOf(await bot.get(`/channels/${pair.id}/messages`)).length, 3);
  dataOf(await ada.api.delete(`/messages/${said.id}`));
  dataOf(await bot.delete(`/messages/${answered.id}`));
  await allow(true);
  for (const [sender, { id: channelId }] of [
    [ada.api, pair],
    [bot, group],
  ] as const)
    dataOf(await sender.post('/messages', { channelId, content: 'Welcome back' }));
});

test('once its agent has left, people write in a direct message as before', async () => {
  const [ada, bob] = [await join(), await join()];
  const agent = await world.user({ agent: true });
  await world.member(scene.server, agent);
  const group = dataOf(await ada.api.post('/conversations', { userIds: [agent.id, bob.user.id] }));
  await allow(false);
  await assertClosed(ada.api, group, 'with the agent');
  const members: Json[] = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
  const { id } = members.find(({ userId }) => userId === agent.id) as Json;
  dataOf(await scene.admin.delete(`/server-members/${id}`));
  dataOf(await ada.api.post('/messages', { channelId: group.id, content: 'Alone' }));
  await allow(true);
});
