import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idsOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { q, update } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

/** The number of messages, which fill several blocks of the index. */
const MESSAGES = 9_000;
/** Each message whose number is a multiple of this has a unique word. */
const EVERY = 1_500;

let world: World;
let scene: Scene;
let channel: Json;
let other: Json;
let marked: string[];

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  other = await scene.channel();
  await fillChannel(world, channel, scene.owner.id, MESSAGES, async (tx, ids) => {
    marked = ids.filter((_, index) => index % EVERY === 0);
    for (const id of marked) await tx.run(update('message', id, { content: 'The thimble of Theodora' }));
    const moved = ids.filter((_, index) => index % 3 === 1);
    for (let first = 0; first < moved.length; first += 500) {
      const some = moved.slice(first, first + 500);
      await tx.run(q.updateTable('message').set({ channelId: other.id }).where('id', 'in', some));
    }
  });
  await indexed();
});
after(() => world.close());

const path = ({ id }: Json, query: string): string => `/channels/${id}/messages?${query}`;

const indexed = () => indexerOf(world).settle();

async function assertFound(query: string, expected: readonly string[], of: Json = channel): Promise<void> {
  assert.deepEqual(idsOf(await listAll(scene.admin, path(of, `order=asc&${query}`))), expected, query);
  assert.deepEqual(idsOf(await listAll(scene.admin, path(of, query), 2)), expected.toReversed(), query);
}

test('a search finds rare words regardless of position, and only in its channel', async () => {
  await assertFound('q=thimble', marked);
  await assertFound('q=thi+theo', marked);
  await assertFound('q="the+thimble"', marked);
  await assertFound('q="thimble+the"', []);
  await assertFound('q=thimble', [], other);
});

test('a search for a common prefix finds exactly the messages that have it', async () => {
  for (const place of [channel, other]) {
    const all = await listAll(scene.admin, path(place, 'order=asc'));
    const expected = all.filter(({ content }) => / [tT]| ?^[tT]/.test(content));
    assert.ok(expected.length > 1_000 && expected.length < all.length);
    assert.deepEqual(idsOf(await listAll(scene.admin, path(place, 'order=asc&q=t'))), idsOf(expected));
    assert.deepEqual(idsOf(await listAll(scene.admin, path(place, 'q=t'))), idsOf(expected.toReversed()));
  }
});

test('edits and deletes of indexed messages, even the newest, take effect immediately', async () => {
  const [first, second, third, ...rest] = marked as [string, string, string, ...string[]];
  await scene.admin.patch(`/messages/${first}`, { content: 'a needle' });
  await scene.admin.delete(`/messages/${second}`);
  await assertFound('q=thimble', [third, ...rest]);
  await assertFound('q=needle', [first]);
  const newest: string[] = [];
  for (let index = 0; index < 3; index++) {
    newest.push((await scene.message({ channelId: channel.id, content: 'a needle' })).id);
  }
  await assertFound('q=needle', [first, ...newest]);
  await indexed();
  for (const id of newest.splice(1)) await scene.admin.delete(`/messages/${id}`);
  await assertFound('q=needle', [first, ...newest]);
  newest.push((await scene.message({ channelId: channel.id, content: 'a needle' })).id);
  await assertFound('q=needle', [first, ...newest]);
  await indexed();
  await assertFound('q=needle', [first, ...newest]);
  await scene.admin.patch(`/messages/${newest.at(-1)}`, { content: 'nothing' });
  await assertFound('q=needle', [first, ...newest.slice(0, -1)]);
});
