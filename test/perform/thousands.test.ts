import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Reader } from '../../server/src/db/contract.ts';
import { FIRST_ID, LAST_ID } from '../../server/src/lib/deps.ts';
import { countsOf } from '../../server/src/resources/reading/counts.ts';
import { ThousandsAt } from '../../server/src/resources/reading/thousands.ts';
import { addMessages } from '../support/crowds.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
let reader: Json;
let channel: Json;
let ids: string[];
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  reader = await world.user();
  channel = await scene.channel();
  ids = (await addMessages(world, channel, scene.owner.id, 1060)).map(({ id }) => id as string);
});
after(() => world.close());

/**
 * The unread messages after a marker. `counted` records, for each requested channel, whether its messages are
 * counted.
 */
async function unreadAfter(
  messageId: string,
  thousands: ThousandsAt,
  counted: boolean[] = [],
): Promise<unknown> {
  const { read } = world.data.db;
  const asked = new Proxy<Reader>(read, {
    get(target, name) {
      if (name !== 'all') return Reflect.get(target, name);
      return (query: { values: object }) => {
        // If a thousand unread messages are cached, the statement only counts the reader's own, without the column
        // `isFew`.
        counted.push(JSON.stringify(query.values).includes('isFew'));
        return target.all(query as never);
      };
    },
  });
  const counts = await countsOf(
    asked,
    reader.id,
    [{ channelId: channel.id, messageId, isBeingSwept: false }],
    thousands,
  );
  return counts.get(channel.id)?.unread;
}

test('a count of 1,000 found for one person is reused for every marker with as many messages after it', async () => {
  const thousands = new ThousandsAt(0, '');
  assert.equal(await unreadAfter(FIRST_ID, thousands), 1000);
  const counted: boolean[] = [];
  // Others have joined later, or read further: a thousand messages follow the 60th.
  for (const place of [0, 30, 59])
    assert.equal(await unreadAfter(ids[place] as string, thousands, counted), 1000);
  assert.deepEqual(counted, [false, false, false], 'nobody counts again');
  assert.equal(await unreadAfter(ids[60] as string, thousands, counted), 999);
  assert.equal(await unreadAfter(ids[1058] as string, thousands, counted), 1);
  assert.equal(await unreadAfter(LAST_ID, thousands, counted), 0);
  assert.deepEqual(counted.slice(3), [true, true, true], 'they are counted');
});

test("a count that excludes the reader's own messages does not set the cached count for others", async () => {
  const thousands = new ThousandsAt(0, '');
  const own = await scene.channel();
  // One of the thousand after the marker is the reader's own.
  const [first] = await addMessages(world, own, scene.owner.id, 60);
  await addMessages(world, own, reader.id, 1);
  await addMessages(world, own, scene.owner.id, 1050);
  const at = (messageId: string) =>
    countsOf(
      world.data.db.read,
      reader.id,
      [{ channelId: own.id, messageId, isBeingSwept: false }],
      thousands,
    );
  assert.equal((await at(first?.id as string)).get(own.id)?.unread, 1000);
  assert.ok(thousands.has(own.id, first?.id as string));
  assert.ok(!thousands.has(own.id, LAST_ID));
});

test('a count that reaches 1,000 later is found, although it was lower before', async () => {
  const thousands = new ThousandsAt(0, '');
  const growing = await scene.channel();
  const added = (await addMessages(world, growing, scene.owner.id, 970)).map(({ id }) => id as string);
  const unread = async (messageId: string) => {
    const channels = [{ channelId: growing.id, messageId, isBeingSwept: false }];
    return (await countsOf(world.data.db.read, reader.id, channels, thousands)).get(growing.id)?.unread;
  };
  assert.equal(await unread(FIRST_ID), 970);
  assert.ok(thousands.isTried(growing.id) && !thousands.has(growing.id, FIRST_ID));
  await addMessages(world, growing, scene.owner.id, 60);
  assert.equal(await unread(FIRST_ID), 1000);
  assert.ok(thousands.has(growing.id, added[29] as string));
  assert.ok(!thousands.has(growing.id, added[30] as string));
  assert.equal(await unread(added[29] as string), 1000);
  assert.equal(await unread(added[30] as string), 999);
});
