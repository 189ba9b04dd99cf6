import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

/** More than a search looks at one by one before it asks the index. */
const MESSAGES = 5_000;
const SEARCHES = 60;
/** Callers that may wait for a connection meanwhile. */
const MAX_WAITING = 3;

let world: World;
let scene: Scene;
let channel: Json;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  await fillChannel(world, channel, scene.owner.id, MESSAGES, async () => {});
});
after(() => world.close());

test('searches of the index at once leave the connections to writes', async () => {
  const words = [...'abcdefghijklmnopqrstuvwxyz'].join('+');
  let isOver = false;
  let most = 0;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, world.data.db.figures.pool?.waiting ?? 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  // Each other than the others: equal reads of one moment are one.
  const searches = Array.from({ length: SEARCHES }, (_, index) =>
    scene.admin.get(`/channels/${channel.id}/messages?q=${words}+${index}`),
  );
  const answers = await Promise.all(searches);
  isOver = true;
  await watching;
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.ok(most <= MAX_WAITING, `${most} callers waited for a connection`);
});
