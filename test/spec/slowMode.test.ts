import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

test('slow mode lets a member send one message per interval, even if they delete it', async () => {
  const scene = await Scene.open(world);
  const channel = await scene.channel({ slowSeconds: 30 });
  assert.equal(channel.slowSeconds, 30);
  const member = await world.client(scene.server, ['canEditData'], await world.user());
  const other = await world.client(scene.server, ['canEditData'], await world.user());
  const body = { channelId: channel.id, content: 'Hello' };
  const first = dataOf(await member.post('/messages', body));
  dataOf(await other.post('/messages', body));
  dataOf(await member.delete(`/messages/${first.id}`));
  clock.advance(10_500);
  const refused = await member.post('/messages', body);
  assertRefused(refused, 'RATE_LIMITED');
  assert.equal(refused.headers.get('retry-after'), '20');
  const thread = await scene.thread({ channelId: channel.id });
  assertRefused(await member.post('/messages', { threadId: thread.id, content: 'Hello' }), 'RATE_LIMITED');
  clock.advance(20_000);
  dataOf(await member.post('/messages', body));
  assertRefused(await member.post('/messages', body), 'RATE_LIMITED');
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { slowSeconds: 0 }));
  dataOf(await member.post('/messages', body));
});

test('moderators and agents are exempt', async () => {
  const scene = await Scene.open(world);
  const { id: channelId } = await scene.channel({ slowSeconds: 21_600 });
  const body = { channelId, content: 'Hello' };
  const moderator = await world.client(scene.server, ['canEditData', 'canModerate'], await world.user());
  const agent = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
  for (const client of [moderator, agent])
    for (let sent = 0; sent < 2; sent++) dataOf(await client.post('/messages', body));
});
