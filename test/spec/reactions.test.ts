import assert from 'node:assert/strict';
import { test } from 'node:test';
import { World } from '../support/world.ts';

test('a message can have 50 different emoji, each from any number of users', async () => {
  const world = await World.open();
  const server = await world.server(await world.user());
  const [admin, other] = [
    await world.client(server, ['canAdmin']),
    await world.client(server, ['canEditData']),
  ];
  const channel = (await admin.post('/channels', { name: 'general' })).data;
  const messageId = (await admin.post('/messages', { channelId: channel.id, content: 'Vote' })).data.id;
  const react = (client: typeof admin, number: number) =>
    client.post('/reactions', { messageId, emoji: `:${number}:` });
  for (let number = 1; number <= 50; number++) assert.equal((await react(admin, number)).status, 200);
  const refused = await react(admin, 51);
  assert.equal(refused.status, 400);
  assert.equal(refused.body.error.code, 'INVALID_REQUEST');
  assert.equal((await react(other, 50)).status, 200);
  const { reactions } = (await admin.get(`/messages/${messageId}`)).data;
  assert.equal(reactions.length, 50);
  assert.deepEqual(reactions.at(-1), { emoji: ':50:', count: 2 });
  await world.close();
});
