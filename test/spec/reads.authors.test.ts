import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { connectionOf, fileUpTo } from '../support/authorIndex.ts';
import { dataOf, idsOf } from '../support/expect.ts';
import { fillChannel } from '../support/messages.ts';
import { Scene } from '../support/scene.ts';
import { q } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

/**
 * The number of messages: more than twice as many as a page examines while the embedded engine has not
 * indexed them by author.
 */
const MESSAGES = 12_000;
/** One in this many messages is by another author. */
const EVERY = 1_700;

let world: World;
let scene: Scene;
let channel: Json;
let writer: Client;
let writerId: string;
let ids: string[];
let rare: string[];

before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
  channel = await scene.channel();
  writer = await world.client(scene.server, ['canEditData']);
  writerId = (writer as Json).secret.userId;
  await fillChannel(world, channel, scene.owner.id, MESSAGES, async (tx, made) => {
    ids = made;
    rare = made.filter((_, index) => index % EVERY === EVERY - 1);
    await tx.run(q.updateTable('message').set({ creatorId: writerId }).where('id', 'in', rare));
  });
});
after(() => world.close());

const connection = () => connectionOf(world);

const path = (creatorId: string, more = ''): string =>
  `/channels/${channel.id}/messages?creatorId=${creatorId}${more}`;

async function assertAll(creatorId: string, expected: readonly string[], limit?: number): Promise<void> {
  const listed = async (more = '') => idsOf(await listAll(scene.admin, path(creatorId, more), limit));
  assert.deepEqual(await listed('&order=asc'), expected);
  assert.deepEqual(await listed(), expected.toReversed());
}

test("pages by author contain exactly the author's messages, regardless of how many are indexed", async () => {
  const of = new Set(rare);
  const others = ids.filter((id) => !of.has(id));
  for (const place of [0, 1_699, 1_700, 6_000, MESSAGES]) {
    fileUpTo(world, place);
    await assertAll(writerId, rare, 2);
  }
  fileUpTo(world, 6_000);
  const found = idsOf(await listAll(scene.admin, path(scene.owner.id), 100));
  assert.deepEqual(found, others.toReversed());
});

test('a page by author examines a limited number of unindexed messages, and has a cursor to continue', async () => {
  fileUpTo(world, 0);
  const body = (await scene.admin.get(path(writerId, '&limit=5'))).body;
  if (connection()) assert.ok(body.data.length < 5, 'it examined all messages');
  else assert.equal(body.data.length, 5);
  assert.ok(body.nextCursor);
  fileUpTo(world, MESSAGES);
  assert.equal(dataOf(await scene.admin.get(path(writerId, '&limit=5'))).length, 5);
});

test('the author filter also works around a message and with other filters', async () => {
  for (const place of [0, 6_000, MESSAGES]) {
    fileUpTo(world, place);
    const around = await scene.admin.get(path(writerId, `&around=${rare[3]}&limit=1`));
    assert.deepEqual(idsOf(dataOf(around)), [rare[3]]);
    assert.deepEqual(await listAll(scene.admin, path(writerId, '&type=system'), 100), []);
    const people = await listAll(scene.admin, path(writerId, '&type=person&isThreadReply=false'), 3);
    assert.deepEqual(idsOf(people), rare.toReversed());
  }
});

test('new messages are indexed soon and found before that, even after the newest were deleted', async () => {
  const send = async (): Promise<string> => {
    const sent = dataOf(await writer.post('/messages', { channelId: channel.id, content: 'Hello' }));
    rare.push(sent.id);
    return sent.id;
  };
  await send();
  const [second, third] = [await send(), await send()];
  await assertAll(writerId, rare);
  await filed();
  await assertAll(writerId, rare);
  for (const id of [third, second]) {
    await writer.delete(`/messages/${id}`);
    rare.pop();
  }
  await assertAll(writerId, rare);
  // The row numbers of the deleted messages are reused.
  await send();
  await assertAll(writerId, rare);
  await filed();
  await assertAll(writerId, rare);
  const isExact =
    'select (select count(*) from "authorIndex") = (select count(*) from message where ord <= (select ord from "authorProgress"))';
  if (connection()) assert.equal(connection()?.scalar(isExact), 1, 'deleted messages leave no index entries');
});

/** Resolves once all messages are indexed by author. */
async function filed(): Promise<void> {
  const isFiled = 'select (select max(ord) from message) = (select ord from "authorProgress")';
  while (connection() && !connection()?.scalar(isFiled))
    await new Promise((resolve) => setTimeout(resolve, 20));
}
