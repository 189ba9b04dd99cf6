import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Reader } from '../../server/src/db/contract.ts';
import { latestPosition } from '../../server/src/feed/positions.ts';
import { FIRST_ID, LAST_ID } from '../../server/src/lib/deps.ts';
import { Weighted } from '../../server/src/lib/weighted.ts';
import { countsOf } from '../../server/src/resources/reading/counts.ts';
import { ChannelCounts } from '../../server/src/resources/serverState/channelCounts.ts';
import { type ServerState, ServerStates } from '../../server/src/resources/serverState/serverState.ts';
import { addMessages } from '../support/crowds.ts';
import { engine } from '../support/databases.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let reader: Json;
let states: ServerStates;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  reader = await world.user();
  states = new ServerStates();
});
after(() => world.close());

async function stateNow(): Promise<ServerState> {
  const { read } = world.data.db;
  return states.at(read, scene.server.id, await latestPosition(read, scene.server.id));
}

/** The unread messages after a marker, and whether messages were counted for it. */
async function unreadAfter(channel: Json, messageId: string, userId = reader.id): Promise<unknown[]> {
  const { read } = world.data.db;
  let isCounted = false;
  const db = new Proxy<Reader>(read, {
    get(target, name) {
      if (name !== 'inTurn') {
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      }
      return (task: never) => {
        isCounted = true;
        return target.inTurn(task);
      };
    },
  });
  const place = { channelIds: [channel.id], markers: [messageId], isRead: () => false };
  const { unread } = await countsOf({ db, userId, ...place, state: await stateNow(), mentions: [] });
  return [unread[0], isCounted];
}

const idsOf = (messages: Json[]) => messages.map(({ id }) => id as string);

test("a full channel with the reader's own messages is counted further only once", async () => {
  const channel = await scene.channel();
  const [writer, other] = [await world.user(), await world.user()];
  await addMessages(world, channel, writer.id, 3);
  await addMessages(world, channel, other.id, 2);
  await addMessages(world, channel, scene.owner.id, 1_200);
  const { read } = world.data.db;
  const statements: number[] = [];
  for (const userId of [writer.id, writer.id, other.id, other.id]) {
    let count = 0;
    const db = new Proxy<Reader>(read, {
      get(target, name) {
        if (name === 'all') count++;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const place = { channelIds: [channel.id], markers: [FIRST_ID], isRead: () => false };
    const { unread } = await countsOf({ db, userId, ...place, state: await stateNow(), mentions: [] });
    assert.equal(unread[0], 1_000);
    statements.push(count);
  }
  // Reading the reader's own messages takes one statement, and continuing the count takes another one.
  if (engine === 'sqlite') assert.deepEqual(statements, [2, 0, 1, 0]);
});

test('a count found for one person is reused for every marker between the same messages', async () => {
  const channel = await scene.channel();
  const ids = idsOf(await addMessages(world, channel, scene.owner.id, 1060));
  assert.deepEqual(await unreadAfter(channel, FIRST_ID), [1000, true]);
  // A person who joined later, or read further, has the same count: a thousand messages follow the 60th.
  for (const place of [0, 30, 59])
    assert.deepEqual(await unreadAfter(channel, ids[place] as string), [1000, false]);
  assert.deepEqual(await unreadAfter(channel, ids[60] as string), [999, true]);
  assert.deepEqual(await unreadAfter(channel, ids[60] as string), [999, false]);
  assert.deepEqual(await unreadAfter(channel, ids[61] as string), [998, true]);
  assert.deepEqual(await unreadAfter(channel, ids.at(-1) as string), [0, false]);
  assert.deepEqual(await unreadAfter(channel, LAST_ID), [0, false]);
});

test('new messages are counted without a query, and deleted ones with a query', async () => {
  const channel = await scene.channel();
  const ids = idsOf(await addMessages(world, channel, scene.owner.id, 970));
  assert.deepEqual(await unreadAfter(channel, FIRST_ID), [970, true]);
  const sent: string[] = [];
  for (let number = 0; number < 80; number++)
    sent.push((await scene.message({ channelId: channel.id })).id as string);
  assert.deepEqual(await unreadAfter(channel, FIRST_ID), [1000, false]);
  assert.deepEqual(await unreadAfter(channel, sent[76] as string), [3, false]);
  assert.deepEqual(await unreadAfter(channel, ids[969] as string), [80, true], 'more than the cache keeps');
  await scene.remove(`/messages/${sent[78]}`);
  assert.deepEqual(await unreadAfter(channel, sent[76] as string), [2, true]);
  assert.deepEqual(await unreadAfter(channel, sent[76] as string), [2, false]);
});

test("a count leaves out the reader's own messages, including those sent later", async () => {
  const channel = await scene.channel();
  const [first] = await addMessages(world, channel, scene.owner.id, 60);
  await addMessages(world, channel, reader.id, 1);
  await addMessages(world, channel, scene.owner.id, 950);
  assert.deepEqual(await unreadAfter(channel, FIRST_ID), [1000, true]);
  const marker = (first as Json).id as string;
  assert.deepEqual(await unreadAfter(channel, marker), [1000, false]);
  assert.deepEqual(await unreadAfter(channel, marker, scene.owner.id), [1, false]);
  await scene.message({ channelId: channel.id });
  assert.deepEqual(await unreadAfter(channel, marker, scene.owner.id), [1, false]);
});

test('a count is dropped if its message is older than one that was counted', () => {
  const counts = new ChannelCounts();
  const found = { channelId: 'a', latest: '5', count: 2, from: '3', before: '4', last: null };
  counts.learn(found);
  assert.deepEqual(
    ['5', '3', '35', '2'].map((marker) => counts.after('a', marker)),
    [0, 2, 2, undefined],
  );
  counts.sent('a', '6');
  assert.deepEqual([counts.after('a', '3'), counts.after('a', '5'), counts.after('a', '6')], [3, 1, 0]);
  // The query that counted has already seen this message.
  counts.sent('a', '6');
  assert.equal(counts.after('a', '3'), undefined);
  counts.learn(found);
  counts.learn({ ...found, latest: '6', count: 3 });
  assert.equal(counts.after('a', '3'), undefined, 'the two statements saw different messages');
});

test('a cache evicts the least recently used entries, by weight', () => {
  const cache = new Weighted<string, number>(10);
  cache.set('a', 1, 4);
  cache.set('b', 2, 4);
  assert.equal(cache.get('a'), 1);
  cache.set('c', 3, 4);
  assert.deepEqual([cache.get('a'), cache.get('b'), cache.get('c'), cache.weight], [1, undefined, 3, 8]);
  cache.set('a', 4, 11);
  assert.deepEqual(
    [cache.get('a'), cache.size, cache.weight],
    [undefined, 1, 4],
    'heavier than the whole cache',
  );
});

test('a count of more than a thousand holds for all earlier markers, until messages are removed', () => {
  const counts = new ChannelCounts();
  counts.learn({ channelId: 'a', latest: '9', count: 1_000, from: null, before: null, last: '5' });
  assert.deepEqual([counts.after('a', '2'), counts.after('a', '4')], [1_000, 1_000]);
  counts.learnFar('a', '3', 1_300);
  counts.learnFar('a', '2', 1_300);
  counts.learnFar('b', '3', 1_300);
  assert.deepEqual(
    ['2', '3', '4', '9'].map((marker) => counts.after('a', marker)),
    [1_300, 1_300, 1_000, 0],
  );
  counts.drop('a');
  assert.equal(counts.after('a', '2'), undefined);
});
