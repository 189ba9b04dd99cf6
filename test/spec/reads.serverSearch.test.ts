import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { patience } from '../../server/src/db/search/read.ts';
import { ask } from '../support/databases.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { change, insert } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

/** The number of channels: more than the search covers in one step. */
const CHANNELS = 150;
const MESSAGES = 3_000;
const words = ['apple', 'apricot', 'Äpfel', 'banana', 'cherry', 'with cream', 'rare'];

let world: World;
let scene: Scene;
let path: string;
/** The sent messages, from oldest to newest. */
const sent: Json[] = [];
const closed = new Set<string>();
let member: Client;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  path = `/servers/${scene.server.id}/messages`;
  member = await world.client(scene.server);
  const elsewhere = await Scene.open(world);
  const { id: foreign } = await elsewhere.channel();
  const channels: string[] = [];
  for (let made = 0; made < CHANNELS; made++) {
    const { id } = await scene.channel({ private: made % 3 === 0 });
    channels.push(id);
    if (made % 3 === 0) closed.add(id);
  }
  const sample = dataOf(await scene.admin.get(`/messages/${(await scene.message()).id}`));
  await scene.remove(`/messages/${sample.id}`);
  await change(world.data, async ({ db, newRow }) => {
    for (let number = 0; number < MESSAGES; number++) {
      const isForeign = number % 7 === 0;
      // One channel contains many of the messages, and some channels contain only old ones.
      const place = number % 4 === 0 ? 1 : (number * 31) % (number < MESSAGES / 2 ? CHANNELS : CHANNELS / 2);
      const word = number % 997 === 5 ? 'rare' : (words[(number * 13) % 6] as string);
      const row = {
        ...sample,
        ...newRow(),
        serverId: isForeign ? elsewhere.server.id : scene.server.id,
        channelId: isForeign ? foreign : (channels[place] as string),
        creatorId: number % 5 === 0 ? member.secret.userId : scene.owner.id,
        type: number % 11 === 0 ? 'agent' : 'person',
        isThreadReply: number % 2 === 0,
        content: `${word} number ${number}`,
      };
      await db.run(insert('message', row));
      if (!isForeign) sent.push(row);
    }
  });
  // Autovacuum would do this soon, too.
  if (world.place.database) await ask(world.place.database, 'analyze');
});
after(() => world.close());

const has =
  (...found: string[]) =>
  ({ content }: Json) =>
    found.some((word) => content.includes(word));

/** Searches, each with the messages that match. */
const searches: [query: string, holds: (row: Json) => boolean][] = [
  ['q=apple', has('apple')],
  ['q=ap', has('apple', 'apricot', 'Äpfel')],
  ['q=rare', has('rare')],
  ['q=number+cherry', has('cherry')],
  ['q="with cream"', has('with cream')],
  ['q="cream with"', () => false],
  ['q=number&type=agent', ({ type }) => type === 'agent'],
  ['q=banana&isThreadReply=false', (row) => has('banana')(row) && !row.isThreadReply],
  ['q=nothing', () => false],
  ['q=---', () => false],
];

async function assertFinds(when: string): Promise<void> {
  const filters = [...searches];
  const creatorId = member.secret.userId;
  filters.push([`q=number&creatorId=${creatorId}`, (row) => row.creatorId === creatorId]);
  const middle = sent[1_000].createdAt;
  filters.push([`q=apple&before=${middle}`, (row) => has('apple')(row) && row.createdAt < middle]);
  filters.push([`q=apple&after=${middle}`, (row) => has('apple')(row) && row.createdAt > middle]);
  for (const [query, holds] of filters) {
    for (const client of [scene.admin, member]) {
      const right = sent.filter(
        (row) => holds(row) && (client === scene.admin || !closed.has(row.channelId)),
      );
      for (const limit of [37, 100]) {
        const found = await listAll(client, `${path}?${query}`, limit);
        assert.deepEqual(idsOf(found), idsOf(right).reverse(), `${when}: ${query}, ${limit} a page`);
      }
    }
  }
}

test('newly sent messages are found, newest first, in channels that the caller sees', () =>
  assertFinds('fresh'));

test('a search finds the same messages once they are indexed', async () => {
  await indexerOf(world).settle();
  await assertFinds('indexed');
});

test('a result has the same format as in its channel', async () => {
  const [found] = dataOf(await member.get(`${path}?q=cherry&limit=1`));
  assert.deepEqual(found, dataOf(await member.get(`/messages/${found.id}`)));
});

test('pages that end early, even after each step, miss nothing and reveal no id of another server or channel', async () => {
  const hidden = new Set<string>(
    [...closed].flatMap((id) => sent.filter((row) => row.channelId === id).map((row) => row.id)),
  );
  const usual = { ...patience };
  Object.assign(patience, { page: -1, emptyPage: -1, steps: 1 });
  let ends = 0;
  const found: Json[] = [];
  try {
    for (let cursor = ''; ; ends++) {
      assert.ok(ends < 10_000, 'every page has a cursor');
      const { body } = await member.get(`${path}?q=rare${cursor}`);
      found.push(...body.data);
      if (body.nextCursor === null) break;
      const [id] = JSON.parse(Buffer.from(body.nextCursor, 'base64url').subarray(16).toString());
      assert.ok(!hidden.has(id), id);
      cursor = `&cursor=${body.nextCursor}`;
    }
  } finally {
    Object.assign(patience, usual);
  }
  const right = sent.filter((row) => has('rare')(row) && !closed.has(row.channelId));
  assert.deepEqual(idsOf(found), idsOf(right).reverse());
  assert.ok(ends > 1, 'a page stops early');
});

test('a search without words, or in another server, is rejected', async () => {
  for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`])
    assertRefused(await scene.admin.get(path + query), 'INVALID_REQUEST', query, 'q');
  const open = await Scene.open(world);
  assertRefused(await scene.admin.get(`/servers/${open.server.id}/messages?q=a`), 'FORBIDDEN');
  assert.deepEqual(dataOf(await open.admin.get(`/servers/${open.server.id}/messages?q=a`)), []);
});

test('a hidden or deleted channel is no longer searched', async () => {
  const { id: channelId } = await scene.channel();
  const { id } = await scene.message({ channelId, content: 'a unicorn' });
  const find = async () => idsOf(dataOf(await member.get(`${path}?q=unicorn`)));
  assert.deepEqual(await find(), [id]);
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: true }));
  assert.deepEqual(await find(), []);
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: false }));
  assert.deepEqual(await find(), [id]);
  await scene.remove(`/channels/${channelId}`);
  assert.deepEqual(await find(), []);
});
