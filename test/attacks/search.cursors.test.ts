import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patience } from '../../server/src/db/search/read.ts';
import { dataOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// If a page of search results ends early, its cursor must not name a message in another channel.

const MESSAGES = 2_000;
const CONTENT = 'the thing that they told them then, with ten times two tests to try today';

let world: World;
let scene: Scene;
let open: Json;
let hidden: Json;
const usual = { ...patience };
before(async () => {
  // Every page ends early.
  Object.assign(patience, { page: -1, emptyPage: -1, steps: 1 });
  world = await World.open();
  scene = await Scene.open(world);
  [open, hidden] = [await scene.channel(), await scene.channel({ private: true })];
  await fillChannel(world, hidden, scene.owner.id, MESSAGES, async (tx, ids) => {
    await tx.run(q.updateTable('message').set({ content: CONTENT }));
    // One in seven messages is in the open channel, so a batch rarely ends at one of them.
    const moved = ids.filter((_, index) => index % 7 === 0);
    await tx.run(q.updateTable('message').set({ channelId: open.id }).where('id', 'in', moved));
  });
});
after(async () => {
  Object.assign(patience, usual);
  await world.close();
});

for (const order of ['asc', 'desc'])
  test(`${order}: search cursors contain no message ids from another channel`, async () => {
    const next = `q=today+zebra&limit=5&order=${order}`;
    let pages = 0;
    for (let cursor: string | undefined; ; pages++) {
      assert.ok(pages < 10_000, 'every page has a cursor');
      const path = `/channels/${open.id}/messages?${next}${cursor ? `&cursor=${cursor}` : ''}`;
      const answer = await scene.admin.get(path);
      assert.deepEqual(dataOf(answer), []);
      cursor = answer.body.nextCursor;
      if (!cursor) break;
      const [named] = /[0-9a-f-]{36}/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
      const rows = await world.data.db.read.all(find('message', { id: named as string }));
      assert.deepEqual(
        rows.filter(({ channelId }) => channelId !== open.id),
        [],
      );
    }
    // In the second run, the messages may already be indexed, and the first lookup finds that none match.
    if (order === 'asc') assert.ok(pages > 1, 'no page stopped early');
  });
