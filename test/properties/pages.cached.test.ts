import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { addReplies } from '../support/crowds.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { type Random, seeded } from '../support/seeded.ts';
import { update } from '../support/sources.ts';
import { upload } from '../support/uploads.ts';
import { type Client, type Json, World } from '../support/world.ts';

// The latest page and the latest window of a channel are cached. Two nodes on the same data make random changes: after
// each acknowledged change, both read the same as a page that is never cached.

const ROUNDS = 25;
const CHANGES_AT_ONCE = 4;
const EMOJI = ['👍', '🎉', '🌧️'];

const worlds: World[] = [];
let scene: Scene;
/** Clients of two members at each node, and a reader who may not see private channels. */
let clients: Client[][];
let browsers: Browser[];
let outsider: Client;
before(async () => {
  const world = await World.open();
  worlds.push(world, await World.open({ place: world.place }));
  scene = await Scene.open(world);
  const member = await world.client(scene.server, ['canModerate', 'canEditData', 'canViewData']);
  outsider = await world.client(scene.server, ['canViewData']);
  clients = worlds.map((one) => [scene.admin, member].map(({ key, secret }) => ({ ...one.as(key), secret })));
  browsers = await Promise.all(worlds.map((one) => Browser.of(one, scene.owner, scene.server)));
});
after(async () => {
  for (const world of worlds.toReversed()) await world.close();
});

const latestOf = async ({ get }: Client, channelId: string, query = '') =>
  (await get(`/channels/${channelId}/messages${query}`)).body;

async function viewOf(node: number, channelId: string, query: string): Promise<Json> {
  const { cookie } = browsers[node] as Browser;
  const response = await fetch(
    `${(worlds[node] as World).url}/api/people/channels/${channelId}/view?limit=50${query}`,
    { headers: { cookie, 'palaver-server': scene.server.id } },
  );
  assert.equal(response.status, 200);
  return ((await response.json()) as Json).data;
}

/** Asserts that each node reads the same from its cache as from the database. */
async function compare(channelId: string): Promise<Json[]> {
  const [reference] = (clients[0] ?? []) as [Client];
  // A page with an explicit order is never cached.
  const expected = await latestOf(reference, channelId, '?order=desc');
  const shown = await latestOf(reference, channelId, '?order=desc&isThreadReply=false');
  for (const [node, [client]] of clients.entries()) {
    for (const query of ['', '?limit=50', '?expand=creator']) {
      const { data, nextCursor } = await latestOf(client as Client, channelId, query);
      assert.deepEqual(data, expected.data, `node ${node} ${query}`);
      assert.equal(nextCursor === null, expected.nextCursor === null);
    }
    const [all, withoutReplies] = [
      await viewOf(node, channelId, ''),
      await viewOf(node, channelId, '&isThreadReply=false'),
    ];
    assert.deepEqual(all.messages, expected.data.toReversed(), `view of node ${node}`);
    assert.deepEqual(withoutReplies.messages, shown.data.toReversed(), `view of node ${node}`);
  }
  return expected.data;
}

/** A random change by a random member at a random node. Refused changes are fine. */
async function changeOne(random: Random, channelId: string, messages: Json[], kept: Json): Promise<void> {
  const client = random.pick(random.pick(clients));
  const { world } = scene;
  const message = messages.length > 0 ? random.pick(messages) : undefined;
  const content = world.unique('words');
  const roll = random.below(12);
  if (roll < 3 || !message) await client.post('/messages', { channelId, content });
  else if (roll === 3) await client.post('/messages', { channelId, content, replyToId: message.id });
  else if (roll === 4) {
    const thread = (await client.post('/threads', { channelId, messageId: message.id, name: content })).data;
    if (thread) kept.threads.push(thread.id);
  } else if (roll === 5 && kept.threads.length > 0) {
    const threadId = random.pick(kept.threads as string[]);
    if (random.chance(0.3)) await client.delete(`/threads/${threadId}`);
    else await client.post('/messages', { threadId, content });
  } else if (roll === 6) await client.patch(`/messages/${message.id}`, { content });
  else if (roll === 7) await client.delete(`/messages/${message.id}`);
  else if (roll === 8) {
    const ids = [...new Set([random.pick(messages).id, message.id])];
    await client.post('/messages/delete', { channelId, ids });
  } else if (roll === 9) {
    if (kept.reactions.length > 0 && random.chance(0.4))
      await client.delete(`/reactions/${random.pick(kept.reactions as string[])}`);
    else {
      const { data } = await client.post('/reactions', { messageId: message.id, emoji: random.pick(EMOJI) });
      if (data) kept.reactions.push(data.id);
    }
  } else if (roll === 10) {
    if (kept.pins.length > 0 && random.chance(0.4))
      await client.delete(`/pins/${random.pick(kept.pins as string[])}`);
    else {
      const { data } = await client.post('/pins', { messageId: message.id });
      if (data) kept.pins.push(data.id);
    }
  } else {
    const file = (await upload(random.pick(worlds), client)).data;
    await client.post('/messages', { channelId, content, attachmentIds: [file?.id] });
  }
}

test('after random changes at two nodes, cached pages and views equal those that are not cached', async () => {
  const random = seeded();
  const channels = [await scene.channel(), await scene.channel()];
  const kept = channels.map(() => ({ threads: [], reactions: [], pins: [] }));
  const messages: Json[][] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const place = random.below(2);
    const { id } = channels[place] as Json;
    const changing = Array.from({ length: 1 + random.below(CHANGES_AT_ONCE) }, () =>
      changeOne(random, id, messages[place] as Json[], kept[place]),
    );
    // These reads fill caches while changes are being committed.
    const reading = clients.flat().map((client) => latestOf(client, id));
    await Promise.all([...changing, ...reading]);
    messages[place] = await compare(id);
  }
});

test('a page that starts after a send was acknowledged has the message, while others keep sending', async () => {
  const { id: channelId } = await scene.channel();
  const [first, second] = clients.map(([client]) => client) as [Client, Client];
  await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const [sender, reader] = index % 2 === 0 ? [first, second] : [second, first];
      const { data: sent } = await sender.post('/messages', { channelId, content: `message ${index}` });
      for (const client of [sender, reader]) {
        const { data } = await latestOf(client, channelId);
        assert.ok(data.some(({ id }: Json) => id === sent.id));
      }
    }),
  );
  await compare(channelId);
});

test('a page that is read between a change and its commit is not cached', async () => {
  const { id: channelId } = await scene.channel();
  const { id } = await scene.message({ channelId });
  const [admin] = clients[0] as [Client];
  await scene.world.data.db.write(async (tx) => {
    await tx.run(update('message', id, { content: 'changed' }));
    const [message] = (await latestOf(admin, channelId)).data;
    assert.equal(message.content, 'Hello');
  });
  const [message] = await compare(channelId);
  assert.equal(message.content, 'changed');
});

test('a thread that is being swept, a deleted channel and a closed channel are not served from the cache', async () => {
  const [admin] = clients[1] as [Client];
  const { id: channelId } = await scene.channel();
  const root = await scene.message({ channelId });
  const thread = await scene.thread({ channelId, messageId: root.id });
  await addReplies(scene.world, thread, 900);
  assert.equal((await compare(channelId)).length, 50);
  assert.equal((await latestOf(outsider, channelId)).data.length, 50);
  await admin.delete(`/threads/${thread.id}`);
  assert.deepEqual(
    (await compare(channelId)).map(({ id }) => id),
    [root.id],
  );
  await until(async () => (await latestOf(admin, channelId)).data.length === 1);
  await admin.patch(`/channels/${channelId}`, { private: true });
  for (const world of worlds)
    await until(
      async () => (await world.as(outsider.key).get(`/channels/${channelId}/messages`)).status === 403,
    );
  await compare(channelId);
  await admin.delete(`/channels/${channelId}`);
  for (const [client] of clients)
    assert.equal((await (client as Client).get(`/channels/${channelId}/messages`)).status, 404);
});
