import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { scripts } from '../support/scripts.ts';
import { indexerOf } from '../support/searchIndex.ts';
import { q } from '../support/sources.ts';
import { type Client, type Json, listAll, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open();
  scene = await Scene.open(world);
});
after(() => world.close());

const query = (text: string): string => `?q=${encodeURIComponent(text)}`;

test('serverMembers: q searches name, username and nickname', async () => {
  const people = {
    ada: await world.user({ username: 'ada.lovelace', name: 'Augusta King' }),
    grace: await world.user({ username: 'ghopper', name: 'Grace Hopper' }),
    jose: await world.user({ username: 'jose_1', name: 'José Álvarez' }),
  };
  const members = new Map<string, Json>();
  for (const [who, user] of Object.entries(people)) {
    const nickname = who === 'grace' ? 'Amazing' : null;
    members.set(who, await scene.make('/server-members', { userId: user.id, nickname }));
  }
  const elsewhere = await Scene.open(world);
  await elsewhere.make('/server-members', { userId: people.ada.id, nickname: 'Elsewhere' });

  const path = `/servers/${scene.server.id}/members`;
  const rows: [string, string[]][] = [
    ['augusta', ['ada']],
    ['AUGUSTA king', ['ada']],
    ['king augu', ['ada']],
    ['ada.lovelace', ['ada']],
    ['lovelace', ['ada']],
    ['hopper', ['grace']],
    ['ghop', ['grace']],
    ['amazing', ['grace']],
    ['grace amazing', ['grace']],
    ['jose', ['jose']],
    ['álvarez', ['jose']],
    ['ALVAREZ', ['jose']],
    ['a', ['ada', 'grace', 'jose']],
    ['elsewhere', []],
    ['augusta hopper', []],
    ['" OR 1=1', []],
  ];
  for (const [text, expected] of rows) {
    const found = await listAll(scene.admin, path + query(text), 1);
    assert.deepEqual(
      idsOf(found),
      expected.map((who) => members.get(who).id),
      text,
    );
  }
  const member = members.get('grace');
  dataOf(await scene.admin.patch(`/server-members/${member.id}`, { nickname: 'Admiral' }));
  assert.deepEqual(dataOf(await scene.admin.get(path + query('amazing'))), []);
  const [found] = dataOf(await scene.admin.get(path + query('admiral')));
  assert.equal(found.nickname, 'Admiral');
  assert.deepEqual(found.user, people.grace);
});

test('a single letter or digit only finds words that begin with it; combining marks and punctuation alone find nothing', async () => {
  const other = await Scene.open(world);
  const channel = await other.channel();
  const message = await other.message({ channelId: channel.id, content: 'mine' });
  const owner = await world.user({ username: 'mo', name: 'Mo' });
  const server = await world.server(owner, 'Mine');
  const member = await other.make('/server-members', { userId: owner.id });
  const places: [string, string][] = [
    [`/channels/${channel.id}/messages`, message.id],
    [`/servers/${other.server.id}/members`, member.id],
    ['/servers/joinable', server.id],
  ];
  for (const letter of 'abcdefghijklmnopqrstuvwxyz0123456789_¹\u0301\u{F0000}') {
    for (const [path, id] of places) {
      const found = idsOf(await listAll(other.admin, path + query(letter)));
      assert.equal(found.includes(id), letter === 'm', `${path} ${letter}`);
    }
  }
});

test('serverMembers: each member includes their roles', async () => {
  const { userId } = await scene.member();
  const role = await scene.role();
  await scene.make('/user-roles', { userId, roleId: role.id });
  const all = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
  const { roleIds } = all.find((member) => member.userId === userId);
  const defaultRole = await world.defaultRole(scene.server);
  assert.deepEqual([...roleIds].sort(), [defaultRole.id, role.id].sort());
});

test('searchJoinableServers: searches public servers that the user has not joined, by name and description', async () => {
  const open = await Scene.open(world);
  const described = await Scene.open(world);
  const closed = await Scene.open(world);
  const change = async ({ admin, server }: Scene, fields: object) =>
    dataOf(await admin.patch(`/servers/${server.id}`, fields));
  await change(open, { name: 'Gärtner und Köche' });
  await change(described, { description: 'Where gärtner meet' });
  await change(closed, { name: 'Gärtner in private', private: true });

  const search = async (text: string, client: Client = scene.admin): Promise<string[]> =>
    idsOf(await listAll(client, `/servers/joinable${query(text)}`, 1));
  assert.deepEqual(await search('gärtner'), [open.server.id, described.server.id]);
  assert.deepEqual(await search('GARTNER'), [open.server.id, described.server.id]);
  assert.deepEqual(await search('köch'), [open.server.id]);
  assert.deepEqual(await search('gärtner meet'), [described.server.id]);
  assert.deepEqual(await search('nowhere'), []);
  assert.deepEqual(await search('"gärtner und"'), [open.server.id]);
  assert.deepEqual(await search('gärtner', open.admin), [described.server.id]);

  const all = idsOf(await listAll(scene.admin, '/servers/joinable'));
  assert.ok(all.includes(open.server.id) && !all.includes(closed.server.id));
  assert.ok(!all.includes(scene.server.id), 'none of the user’s own servers');
  dataOf(await scene.admin.post('/server-members', { serverId: open.server.id }));
  assert.deepEqual(await search('gärtner'), [described.server.id]);
  await change(closed, { private: false });
  assert.deepEqual(await search('gärtner'), [described.server.id, closed.server.id]);
  await change(described, { private: true });
  assert.deepEqual(await search('gärtner'), [closed.server.id]);
});

for (const isIndexed of [false, true])
  test(`names of every script are found, ${isIndexed ? 'indexed' : 'before they are indexed'}`, async () => {
    const other = await Scene.open(world);
    const named = scripts.filter(({ script }) => !/invisible|quotes|nothing/.test(script));
    const ids = new Map<string, string>();
    for (const { script, text } of named) {
      const name = [...text].slice(0, 40).join('').trim();
      const user = await world.user({ username: world.unique('u'), name });
      ids.set(script, (await other.make('/server-members', { userId: user.id })).id);
    }
    if (isIndexed) await indexerOf(world).settle();
    for (const { script, text, hits, misses } of named) {
      if ([...text].length > 40) continue;
      for (const search of [...hits, ...misses]) {
        const path = `/servers/${other.server.id}/members${query(search)}`;
        const found = idsOf(await listAll(other.admin, path, 100));
        assert.equal(
          found.includes(ids.get(script) as string),
          hits.includes(search),
          `${script}: ${search}`,
        );
      }
    }
  });

test('a renamed user is found by the new name in all servers, immediately and later', async () => {
  const user = await world.user({ username: world.unique('u'), name: 'Before' });
  const places = [await Scene.open(world), await Scene.open(world)];
  for (const { make } of places.map((place) => ({ make: place.make.bind(place) })))
    await make('/server-members', { userId: user.id });
  const found = async (text: string) => {
    const lists = places.map(({ admin, server }) =>
      listAll(admin, `/servers/${server.id}/members${query(text)}`),
    );
    return (await Promise.all(lists)).map((list) => list.length);
  };
  await indexerOf(world).settle();
  assert.deepEqual(await found('before'), [1, 1]);
  await world.data.db.write((tx) =>
    tx.run(q.updateTable('user').set({ name: '上海 After' }).where('id', '=', user.id)),
  );
  for (const isIndexed of [false, true]) {
    if (isIndexed) await indexerOf(world).settle();
    assert.deepEqual(await found('before'), [0, 0]);
    assert.deepEqual(await found('海 aft'), [1, 1]);
  }
});

test("userServers: lists the user's servers", async () => {
  const user = await world.user();
  const own = await world.server(user);
  const client = await world.client(own, [], user);
  assert.deepEqual(idsOf(await listAll(client, '/servers')), [own.id]);
  const joined = await Scene.open(world);
  await world.member(joined.server, user);
  assert.deepEqual(idsOf(await listAll(client, '/servers')), [own.id, joined.server.id]);
});

/** A user who gets notifications, with a client that reads, an author's client, and a channel. */
async function notified(): Promise<{ user: Json; reader: Client; author: Client; channelId: string }> {
  const user = await world.user();
  const reader = await world.client(scene.server, ['canEditData'], user);
  const author = await world.client(scene.server, ['canEditData']);
  return { user, reader, author, channelId: (await scene.channel()).id };
}

test('latestNotifications: mention, reply and thread, newest first', async () => {
  const { user, reader, author, channelId } = await notified();
  const mine = await scene.make('/messages', { channelId, content: 'Hello' }, reader);
  const { id: threadId } = await scene.make('/threads', { messageId: mine.id }, reader);
  const send = (body: object) => scene.make('/messages', { content: 'Hi', ...body }, author);
  const mention = await send({ channelId, content: `Dear @${user.username}, hello` });
  const reply = await send({ channelId, replyToId: mine.id });
  const inThread = await send({ threadId });
  const both = await send({ threadId, replyToId: mine.id, content: `@${user.username.toUpperCase()}!` });
  await send({ channelId, content: `ada@${user.username} and x@${user.username}.example` });
  await send({ channelId, content: 'to nobody' });
  await scene.make('/messages', { channelId, content: `@${user.username}, by myself` }, reader);

  const list = await listAll(reader, '/notifications', 1);
  assert.deepEqual(
    list.map(({ type, messageId }) => [type, messageId]),
    [
      ['mention', both.id],
      ['thread', inThread.id],
      ['reply', reply.id],
      ['mention', mention.id],
    ],
  );
  for (const notification of list) {
    assert.equal(notification.userId, user.id);
    assert.equal(notification.actorId, author.secret.userId);
    assert.equal(notification.channelId, channelId);
    assert.equal(notification.serverId, scene.server.id);
    assert.equal(notification.readAt, null);
  }
  assert.deepEqual(idsOf(await listAll(reader, '/notifications?unread=true', 1)), idsOf(list));
  assert.deepEqual(await listAll(reader, '/notifications?unread=false'), []);
  assert.deepEqual(await listAll(author, '/notifications'), []);
});

test('latestNotifications: excerpts of the current messages, if requested', async () => {
  const { user, reader, author, channelId } = await notified();
  const long = `@${user.username} ${'🎉'.repeat(400)}`;
  const { id } = await scene.make('/messages', { channelId, content: long }, author);
  const excerpts = async (query: string) =>
    dataOf(await reader.get(`/notifications${query}`)).map(({ excerpt }: Json) => excerpt);
  assert.deepEqual(await excerpts('?excerpts=true'), [[...long].slice(0, 300).join('')]);
  assert.deepEqual(await excerpts('?excerpts=false'), [undefined]);
  assert.deepEqual(await excerpts(''), [undefined]);
  dataOf(await author.patch(`/messages/${id}`, { content: `Something else @${user.username}` }));
  assert.deepEqual(await excerpts('?excerpts=true'), [`Something else @${user.username}`]);
  // A spoiler that is cut off at the end of the excerpt stays a spoiler.
  const hidden = `@${user.username} ||${'secret '.repeat(60)}||`;
  dataOf(await author.patch(`/messages/${id}`, { content: hidden }));
  assert.deepEqual(await excerpts('?excerpts=true'), [`${hidden.slice(0, 298)}||`]);
  dataOf(await scene.admin.patch(`/channels/${channelId}`, { private: true }));
  assert.deepEqual(await excerpts('?excerpts=true'), []);
});

test('latestNotifications: only members are notified, and only of messages in their server', async () => {
  const { user, reader, author, channelId } = await notified();
  const stranger = await world.user();
  await scene.make('/messages', { channelId, content: `@${stranger.username}` }, author);
  const elsewhere = await Scene.open(world);
  const there = await world.client(elsewhere.server, ['canEditData'], stranger);
  assert.deepEqual(await listAll(there, '/notifications'), []);
  await world.member(elsewhere.server, user);
  await elsewhere.message({ content: `@${user.username}` });
  assert.deepEqual(await listAll(reader, '/notifications'), []);
});

test('latestNotifications: an edit or a repeated mention notifies nobody twice', async () => {
  const { user, reader, author, channelId } = await notified();
  const content = `@${user.username} @${user.username}`;
  const message = await scene.make('/messages', { channelId, content }, author);
  dataOf(await author.patch(`/messages/${message.id}`, { content: `${content} again` }));
  assert.equal((await listAll(reader, '/notifications')).length, 1);
});

test('latestNotifications: none from private channels that the key cannot see, regardless of when they became private', async () => {
  const { user, reader, author } = await notified();
  const hidden = await scene.channel({ private: true, roleIds: [] });
  await scene.make('/messages', { channelId: hidden.id, content: `@${user.username}` });
  assert.deepEqual(await listAll(reader, '/notifications'), []);

  const turning = await scene.channel();
  await scene.make('/messages', { channelId: turning.id, content: `@${user.username}` }, author);
  assert.equal((await listAll(reader, '/notifications')).length, 1);
  dataOf(await scene.admin.patch(`/channels/${turning.id}`, { private: true }));
  assert.deepEqual(await listAll(reader, '/notifications'), []);
  assert.deepEqual(await listAll(reader, '/notifications?unread=true'), []);
  const roleIds = [reader.secret.roleId];
  dataOf(await scene.admin.patch(`/channels/${turning.id}`, { roleIds }));
  assert.equal((await listAll(reader, '/notifications')).length, 1);
  assertRefused(await author.get('/notifications?cursor=none'), 'INVALID_REQUEST');
});
