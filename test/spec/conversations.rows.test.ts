import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { nouns, operations, pathOf, requestOf } from '../rows/index.ts';
import { DirectScene } from '../support/directScene.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { assertFields, assertRecord } from '../support/records.ts';
import { Scene } from '../support/scene.ts';
import { type Json, listAll, World } from '../support/world.ts';

/** Nouns that belong to a channel, except those that only their user or the moderators see. */
const within = nouns
  .filter(
    ({ name, goesWith }) => goesWith?.includes('channel') && !['notification', 'heldMessage'].includes(name),
  )
  .map(({ name }) => name)
  .concat('messageDelta', 'indicator');

let world: World;
let home: Scene;
let scene: DirectScene;
before(async () => {
  world = await World.open();
  home = await Scene.open(world);
  scene = await DirectScene.within(home);
});
after(() => world.close());

/** Operations for the server's moderators, not for the members of a channel. */
const others = ['reportsByServer', 'reportClose'];
const rows = operations.filter(
  ({ name, noun }) => (within.includes(noun.name) || name === 'channelById') && !others.includes(name),
);

test('the rows cover everything within a channel', () => {
  assert.ok(rows.length >= 25, `${rows.length}`);
  assert.deepEqual(
    within.filter((name) => !rows.some(({ noun }) => noun.name === name)),
    [],
  );
});

for (const row of rows) {
  const { name, method, answer } = row;
  const variants = 'variants' in row ? (row.variants ?? []) : [];
  for (const { as, ready } of [{ as: '', ready: undefined }, ...variants]) {
    test(`${name} ${as} in a direct message is allowed for members, and refused for others`, async () => {
      const { id, body } = ready ? await ready(scene) : await requestOf(row, scene);
      const headers = { authorization: `Bearer ${scene.admin.key}` };
      const data = dataOf(await world.request(method, pathOf(row, id), { body, headers }), name);
      if ('removes' in row || name === 'messageAppend') assertFields(data, answer, name);
      else for (const record of [data].flat()) assertRecord(record, answer, name);
      if (method === 'GET' && 'listings' in row)
        assert.ok(data.length > 0, 'the list contains the prepared row');
      // All requests except these are refused for the server's admin, who is not a member.
      if (name === 'serverMessages' || name.startsWith('indicator')) return;
      const refused = await world.request(method, pathOf(row, id), {
        body,
        headers: { authorization: `Bearer ${home.admin.key}` },
      });
      // Deleted records are gone for everybody.
      assertRefused(refused, method === 'DELETE' ? 'NOT_FOUND' : 'FORBIDDEN', name);
    });
  }
}

test('a thread, its replies, pins, uploads, reactions and search work for both members', async () => {
  const { dm, other } = await scene.conversation();
  const root = await scene.message({ channelId: dm.id, content: 'Plan the zebra crossing' });
  const thread = await scene.thread({ messageId: root.id, name: 'Stripes' });
  const reply = await scene.make('/messages', { threadId: thread.id, content: 'Black zebra' }, other);
  await scene.make('/pins', { messageId: reply.id }, other);
  await scene.make('/reactions', { messageId: reply.id, emoji: '🦓' });
  for (const client of [scene.admin, other]) {
    assert.deepEqual(
      dataOf(await client.get(`/threads/${thread.id}`)).messages.map(({ id }: Json) => id),
      [reply.id],
    );
    assert.deepEqual(
      (await listAll(client, `/channels/${dm.id}/pins`)).map(({ id }) => id),
      [reply.id],
    );
    assert.deepEqual(
      (await listAll(client, `/servers/${scene.server.id}/messages?q=zebra&isThreadReply=true`)).map(
        ({ id }) => id,
      ),
      [reply.id],
    );
    assert.deepEqual(
      (await listAll(client, `/channels/${dm.id}/messages?q=zebra`)).map(({ id }) => id),
      [reply.id, root.id],
    );
    const { data: events } = (await client.get(`/events?channelId=${dm.id}&limit=100`)).body;
    const types = events.map(({ type }: Json) => type);
    for (const type of ['message.created', 'thread.created', 'pin.created', 'reaction.created'])
      assert.ok(types.includes(type), type);
  }
  const types = dataOf(await scene.admin.get('/notifications')).map(({ type }: Json) => type);
  assert.deepEqual(types, ['thread'], 'a reply in a thread that the user started');
  const told = dataOf(await other.get('/notifications')).map(({ type }: Json) => type);
  assert.deepEqual(told.sort(), ['direct', 'reaction']);
});

test('latestNotifications: all types from direct messages, with channelKind', async () => {
  const { dm, other } = await scene.conversation();
  const { id: channelId } = await home.channel();
  const mention = `@${scene.owner.username}`;
  await home.message({ channelId, content: mention });
  const own = await scene.message({ channelId: dm.id, content: 'Mine' });
  const send = (body: object) =>
    scene.make('/messages', { channelId: dm.id, content: 'An answer', ...body }, other);
  await send({ replyToId: own.id });
  await send({ content: mention });
  await scene.make('/reactions', { messageId: own.id, emoji: '🦓' }, other);
  const thread = await scene.thread({ messageId: own.id });
  await send({ channelId: undefined, threadId: thread.id });
  await send({});
  const told = async (query: string) =>
    (await listAll(scene.admin, `/notifications?${query}`, 1))
      .filter((row) => [channelId, dm.id].includes(row.channelId))
      .map((row) => [row.channelId === dm.id, row.type]);
  const types = ['direct', 'thread', 'reaction', 'mention', 'reply'];
  const direct = types.map((type) => [true, type]);
  assert.deepEqual(await told('channelKind=dm'), direct);
  assert.deepEqual(await told('channelKind=channel'), [[false, 'mention']]);
  assert.deepEqual(await told(''), [...direct, [false, 'mention']]);
  assert.deepEqual(await told('channelKind=dm&type=reply'), [[true, 'reply']]);
});
