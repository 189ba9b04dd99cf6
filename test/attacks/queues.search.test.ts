// @run sqlite: PostgreSQL indexes in the write itself
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import { indexChunk, searchFunctions } from '../../server/src/db/sqlite/messageIndex.ts';
import { isRetryDue, retryUnindexed, Unindexable } from '../../server/src/db/sqlite/unindexed.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { World } from '../support/world.ts';

const functions = searchFunctions as Record<string, (...values: never[]) => string>;
const whole = functions.search_text as (channelId: string, block: number, content: string) => string;
let isBroken = true;
let world: World;
before(async () => {
  functions.search_text = (channelId: string, block: number, content: string) => {
    if (isBroken && content.includes('poison')) throw new Unindexable('no words');
    return whole(channelId, block, content);
  };
  world = await World.open();
});
after(async () => {
  functions.search_text = whole;
  await world.close();
});

test('a message that cannot be indexed is left out, retried, and blocks neither the others nor writes', async () => {
  const { db } = world.data;
  const { connection } = db as SqliteDb;
  const scene = await Scene.open(world);
  const channel = await scene.channel();
  for (const content of ['haystack one', 'haystack poison', 'haystack three'])
    await scene.make('/messages', { channelId: channel.id, content });
  const found = async () =>
    dataOf(await scene.admin.get(`/channels/${channel.id}/messages?q=haystack`)).map(
      ({ content }: { content: string }) => content,
    );
  const told: boolean[] = [];
  const chunk = () =>
    db.write(async () => indexChunk(connection, 64, (_, isFailing) => told.push(isFailing)));
  while ((await chunk()).more);
  const failing = () => db.read.all(q.selectFrom('failure').select(['queue', 'attempts']));
  assert.equal((await failing()).length, 1);
  assert.deepEqual((await found()).toSorted(), ['haystack one', 'haystack three']);

  const retry = async () => {
    await db.write((tx) => tx.run(q.updateTable('failure').set({ nextAt: 0 })));
    assert.ok(isRetryDue(connection));
    await db.write(async () => retryUnindexed(connection, (_, isFailing) => told.push(isFailing)));
  };
  await retry();
  assert.deepEqual(await failing(), [{ queue: 'search', attempts: 2 }]);
  assert.equal(isRetryDue(connection), false, 'it backs off');
  isBroken = false;
  await retry();
  assert.deepEqual(await failing(), []);
  assert.equal((await found()).length, 3);
  assert.ok(
    told.every((isFailing, index) => isFailing === index < told.length - 1),
    String(told),
  );
});
