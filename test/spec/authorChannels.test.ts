import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eraseUser } from '../../server/src/cli/people/erase.ts';
import { channelsOfAuthor } from '../../server/src/db/authorChannels.ts';
import { placesOfPerson } from '../../server/src/imports/export/personRows.ts';
import { Sight } from '../../server/src/imports/export/sight.ts';
import { FIRST_ID, LAST_ID } from '../../server/src/lib/deps.ts';
import { requireUserFree } from '../../server/src/resources/hold/scope.ts';
import { fileUpTo } from '../support/authorIndex.ts';
import { countedReads } from '../support/countedReads.ts';
import { ask } from '../support/databases.ts';
import { FAR_AHEAD } from '../support/filledPeople.ts';
import { addManyChannels, addMessageToEach } from '../support/manyChannels.ts';
import { Scene } from '../support/scene.ts';
import { insert, newRow, q, remove } from '../support/sources.ts';
import { type Json, World } from '../support/world.ts';

// Operations on everything that one person wrote read only the channels in which the person wrote and their
// direct messages, regardless of the number of other channels.

/** The direct messages between other people. */
const OTHERS = 1_500;
/** The channels in which the author wrote: more than one page. */
const WRITTEN = 230;
/** The maximum number of reads: more than the fixed number per task, and far fewer than one per channel. */
const FEW_READS = 300;

let world: World;
let scene: Scene;
/**
 * The author of messages in many channels, and in a direct message between others, as is possible after an import.
 */
let author: Json;
/** A person with a direct message in which only the other person wrote. */
let silent: Json;
/** The channels and direct messages with messages by the author, sorted. */
let written: string[];
let directId: string;

before(async () => {
  // These users are not members, because a hold covers every member of the server.
  world = await World.open();
  scene = await Scene.open(world);
  [author, silent] = [await world.user({ username: 'the.author' }), await world.user()];
  const [one, other] = [await world.user(), await world.user()];
  for (const user of [one, other]) await world.member(scene.server, user);
  const add = (amount: number, ...users: [Json, ...Json[]]) =>
    addManyChannels(world, scene.server, amount, users.map(({ id }) => id) as [string, ...string[]]);
  const others = await add(OTHERS, one, other);
  [directId] = (await add(1, other, silent)) as [string];
  const own = await add(WRITTEN, author);
  await add(20, one);
  const imported = others[700] as string;
  await addMessageToEach(world, scene.server, [imported], author.id);
  written = [...own, imported].sort();
  if (world.place.database) await ask(world.place.database, 'analyze');
});
after(() => world.close());

const channelsOf = async ({ id }: Json, from?: string): Promise<string[]> =>
  (await Array.fromAsync(channelsOfAuthor(world.data.db.read, id, from))).flat();

test("an author's channels are found page by page, regardless of how many messages are indexed", async () => {
  const messages = OTHERS + WRITTEN + 22;
  for (const place of [0, OTHERS + 100, messages - 1, messages]) {
    fileUpTo(world, place);
    assert.deepEqual(await channelsOf(author), written, `${place} messages are indexed`);
  }
  assert.deepEqual(await channelsOf(author, written[150]), written.slice(151));
  assert.deepEqual(await channelsOf(silent), []);
});

test("a hold on a whole server is checked in the author's channels only", async () => {
  const { db, deps } = world.data;
  const scope = { serverId: scene.server.id, userId: null, channelId: null };
  const open = { endedAt: null, releasedAt: null, until: FAR_AHEAD, reason: 'Case' };
  const row = { ...newRow(deps), ...scope, ...open, creatorId: scene.owner.id };
  await db.write((tx) => tx.run(insert('hold', row)));
  const former = await world.user();
  await countedReads(world, async (count) => {
    await requireUserFree(db.read, former.id, Date.now());
    assert.ok(count() < FEW_READS / 10, `${count()} reads`);
  });
  await requireUserFree(db.read, silent.id, Date.now());
  await assert.rejects(requireUserFree(db.read, author.id, Date.now()), { code: 'FORBIDDEN' });
  await db.write((tx) => tx.run(remove('hold', { id: row.id })));
});

test("a person's export reads their channels and direct messages only", async () => {
  await world.member(scene.server, silent);
  await countedReads(world, async (count) => {
    const places = async ({ id: userId }: Json, from = FIRST_ID) => {
      const { read } = world.data.db;
      const sight = new Sight(read, userId);
      const given = { userId, sight, until: LAST_ID, from };
      return (await Array.fromAsync(placesOfPerson(read, given))).map(({ channel, isWhole }) => [
        channel.id,
        isWhole,
      ]);
    };
    assert.deepEqual(await places(silent), [[directId, true]]);
    assert.ok(count() < FEW_READS / 10, `${count()} reads`);
    assert.deepEqual(
      await places(author),
      written.map((id) => [id, false]),
    );
    assert.deepEqual(
      await places(author, written[150]),
      written.slice(151).map((id) => [id, false]),
    );
  });
});

test("an erasure deletes the messages in all of the person's channels, and reads no others", async () => {
  const quiet = await world.user({ username: 'quiet.person' });
  await world.member(scene.server, quiet);
  await countedReads(world, async (count) => {
    await eraseUser(world.data, { username: 'quiet.person', messages: 'delete' });
    assert.ok(count() < FEW_READS, `${count()} reads`);
  });
  const erased = await eraseUser(world.data, { username: 'the.author', messages: 'delete' });
  assert.equal(erased.messages, written.length);
  const left = q.selectFrom('message').select('id').where('creatorId', '=', author.id);
  assert.deepEqual(await world.data.db.read.all(left), []);
  assert.deepEqual(await channelsOf(author), []);
});
