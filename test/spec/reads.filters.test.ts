import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dataOf, idsOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Json, listAll, World } from '../support/world.ts';

/** Nine times the 5,000 messages that a page examines, so pages stop early several times. */
const MESSAGES = 45_000;
let world: World;
let scene: Scene;
let channel: Json;
let wanted: string[];

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  // Both ends, and positions next to points where a page stops.
  const places = [1, 2, 9_999, 19_999, 20_000, 20_001, 20_002, 25_000, 25_001, 40_000, 44_999, 45_000];
  await fillChannel(world, channel, scene.owner.id, MESSAGES, async (tx, ids) => {
    wanted = places.map((place) => ids[place - 1] as string);
    const change = q.updateTable('message').set({ type: 'agent', isThreadReply: true });
    await tx.run(change.where('id', 'in', wanted));
  });
});
after(() => world.close());

const filters = ['type=agent', 'isThreadReply=true', 'type=agent&isThreadReply=true&after=1'];

test('pages with few matches contain exactly the matching messages', async () => {
  const listed = (filter: string, order: string, limit: number) =>
    listAll(scene.admin, `/channels/${channel.id}/messages?${filter}${order}`, limit);
  for (const filter of filters) {
    assert.deepEqual(idsOf(await listed(filter, '&order=asc', 5)), wanted, filter);
    assert.deepEqual(idsOf(await listed(filter, '', 100)), wanted.toReversed(), filter);
    // There is a separate index for authors.
    const byAuthor = `${filter}&creatorId=${scene.owner.id}`;
    assert.deepEqual(idsOf(await listed(byAuthor, '&order=asc', 100)), wanted, byAuthor);
    assert.deepEqual(idsOf(await listed(byAuthor, '', 5)), wanted.toReversed(), byAuthor);
  }
});

test('pages of a search with few matches contain exactly the matching messages', async () => {
  // Each of these prefixes occurs in more than 20,000 of the generated messages.
  const words = ['t', 'a'];
  for (const word of words) {
    const path = `/channels/${channel.id}/messages?q=${word}`;
    const all = await listAll(scene.admin, `${path}&order=asc`);
    assert.ok(all.length > 20_000, `${word} is in ${all.length} messages`);
    const right = idsOf(all.filter(({ type }) => type === 'agent'));
    assert.ok(right.length > 0);
    assert.deepEqual(idsOf(await listAll(scene.admin, `${path}&type=agent&order=asc`)), right);
    assert.deepEqual(idsOf(await listAll(scene.admin, `${path}&type=agent`, 1)), right.toReversed());
    const [{ createdAt }] = all as [Json];
    const early = idsOf(all.filter((message) => message.createdAt < createdAt + 5));
    assert.deepEqual(
      idsOf(await listAll(scene.admin, `${path}&before=${createdAt + 5}`)),
      early.toReversed(),
    );
  }
});

test('a page without matches stops early and has a cursor', async () => {
  for (const filter of [
    'type=system',
    `type=system&creatorId=${scene.owner.id}`,
    'q=t&before=1',
    'q=t&type=system',
  ]) {
    const path = `/channels/${channel.id}/messages?${filter}`;
    const { body } = await scene.admin.get(path);
    assert.deepEqual(body.data, [], filter);
    // The index answers the search, because it contains no match.
    if (!filter.startsWith('q=')) assert.ok(body.nextCursor, `${filter} examined all messages`);
    assert.deepEqual(await listAll(scene.admin, path), [], filter);
  }
});

test('pages without a filter never stop early', async () => {
  for (const filter of ['', 'order=asc', `creatorId=${scene.owner.id}`, 'after=1', 'q=t']) {
    const answer = await scene.admin.get(`/channels/${channel.id}/messages?limit=100&${filter}`);
    assert.equal(dataOf(answer).length, 100, filter);
  }
});
