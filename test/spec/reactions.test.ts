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

test('all spellings of one emoji are one reaction', async (t) => {
  const world = await World.open();
  t.after(() => world.close());
  const server = await world.server(await world.user());
  const [admin, other] = [
    await world.client(server, ['canAdmin']),
    await world.client(server, ['canEditData']),
  ];
  const channel = (await admin.post('/channels', { name: 'general' })).data;
  for (const [one, another, stored] of [
    ['\u2764', '\u2764\ufe0f', '\u2764\ufe0f'],
    ['\u2764\ufe0e', '\u2764\ufe0f', '\u2764\ufe0f'],
    ['👍\ufe0f', '👍', '👍'],
    ['1\u20e3', '1\ufe0f\u20e3', '1\ufe0f\u20e3'],
    ['🏳\u200d🌈', '🏳\ufe0f\u200d🌈', '🏳\ufe0f\u200d🌈'],
    ['⛹🏽\u200d♂', '⛹🏽\u200d♂\ufe0f', '⛹🏽\u200d♂\ufe0f'],
    ['👁\u200d🗨', '👁\ufe0f\u200d🗨\ufe0f', '👁\ufe0f\u200d🗨\ufe0f'],
    ['e\u0301', '\u00e9', '\u00e9'],
    [':Party_Parrot:', ':party_parrot:', ':party_parrot:'],
    [':ＦＥＴＥ\u0301:', ':feté:', ':feté:'],
  ] as const) {
    const messageId = (await admin.post('/messages', { channelId: channel.id, content: 'Vote' })).data.id;
    assert.equal((await admin.post('/reactions', { messageId, emoji: one })).data.emoji, stored, one);
    const again = await admin.post('/reactions', { messageId, emoji: another });
    assert.equal(again.body.error?.code, 'ALREADY_EXISTS', another);
    assert.equal((await other.post('/reactions', { messageId, emoji: another })).status, 200);
    const { reactions } = (await admin.get(`/messages/${messageId}`)).data;
    assert.deepEqual(reactions, [{ emoji: stored, count: 2 }]);
    const found = await admin.get(`/messages/${messageId}/reactions?emoji=${encodeURIComponent(one)}`);
    assert.equal(found.body.data.length, 2);
  }
  // Different emoji, and plain characters, stay distinct.
  const messageId = (await admin.post('/messages', { channelId: channel.id, content: 'Vote' })).data.id;
  for (const emoji of ['👍🏽', '👍🏿', '1', '#', '©️', ':heart:', ':a b:', 'LGTM', '🇩🇪', '👩\u200d👩\u200d👧'])
    assert.equal((await admin.post('/reactions', { messageId, emoji })).data.emoji, emoji);
});
