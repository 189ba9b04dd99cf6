import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

test('direct messages are sorted by their latest message, also in snapshots', async () => {
  const join = async (): Promise<Json> => {
    const user = await world.user();
    await world.member(scene.server, user);
    return user;
  };
  const browser = await Browser.of(world, await join(), scene.server);
  const started: Json[] = [];
  for (let number = 0; number < 53; number++)
    started.push(dataOf(await browser.api.post('/conversations', { userIds: [(await join()).id] })));
  const [oldest, second] = started as [Json, Json];
  dataOf(await browser.api.post('/messages', { channelId: second.id, content: 'first' }));
  const sent = dataOf(await browser.api.post('/messages', { channelId: oldest.id, content: 'second' }));
  const expected = [oldest, second, ...started.slice(2).reverse()].map(({ id }) => id);

  const listed: string[] = [];
  let cursor = '';
  do {
    const page = await browser.api.get(`/conversations?limit=20${cursor && `&cursor=${cursor}`}`);
    listed.push(...dataOf(page).map(({ id }: Json) => id));
    cursor = page.body.nextCursor ?? '';
  } while (cursor !== '');
  assert.deepEqual(listed, expected);

  const snapshot = dataOf(await browser.get(`/servers/${scene.server.id}/snapshot`));
  const shown = snapshot.conversations.map(({ id }: Json) => id);
  assert.deepEqual(shown, expected.slice(0, 50));
  assert.equal(snapshot.conversations[0].latestMessageId, sent.id);
  assert.equal(snapshot.conversations[2].latestMessageId, null);
  const counted = new Set(snapshot.reading.channels.map(({ channelId }: Json) => channelId));
  assert.ok(shown.every((id: string) => counted.has(id)));
});
