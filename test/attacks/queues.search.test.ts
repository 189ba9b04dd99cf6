import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { words } from '../../server/src/db/search/keys.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { q } from '../support/sources.ts';
import { World } from '../support/world.ts';

const whole = words.of;
let isBroken = true;
let world: World;
before(async () => {
  words.of = (content) => {
    if (isBroken && content.includes('poison')) throw new Error('no words');
    return whole(content);
  };
  world = await World.open();
});
after(async () => {
  words.of = whole;
  await world.close();
});

test('a message that cannot be indexed is left out and retried, and blocks neither other messages nor writes', async () => {
  const { db } = world.data;
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  for (const content of ['haystack one', 'haystack poison', 'haystack three'])
    await scene.make('/messages', { channelId: channel.id, content });
  const found = async () =>
    dataOf(await scene.admin.get(`/channels/${channel.id}/messages?q=haystack`)).map(
      ({ content }: { content: string }) => content,
    );
  const told: boolean[] = [];
  db.onUnindexed((_, isFailing) => told.push(isFailing));
  const indexer = indexerOf(world);
  await indexer.settle();
  const failing = () => db.read.all(q.selectFrom('failure').select(['queue', 'attempts']));
  assert.deepEqual(await failing(), [{ queue: 'search', attempts: 1 }]);
  assert.deepEqual((await found()).toSorted(), ['haystack one', 'haystack three']);

  const retry = async () => {
    await db.write((tx) => tx.run(q.updateTable('failure').set({ nextAt: 0 })));
    await indexer.settle();
  };
  await retry();
  assert.deepEqual(await failing(), [{ queue: 'search', attempts: 2 }]);
  await indexer.settle();
  assert.deepEqual(await failing(), [{ queue: 'search', attempts: 2 }], 'it backs off');
  isBroken = false;
  await retry();
  assert.deepEqual(await failing(), []);
  assert.equal((await found()).length, 3);
  assert.deepEqual(told, [true, false]);
});
