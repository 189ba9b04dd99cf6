import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { readsOf, writesTo } from '../support/directRequests.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

type Sender = Browser['api'];

interface Member {
  user: Json;
  browser: Browser;
  /** Sends requests under /api/v1 as the signed-in person. */
  api: Sender;
}

/** A signed-in member of the scene's server. */
async function join(): Promise<Member> {
  const user = await world.user();
  await world.member(scene.server, user);
  const browser = await Browser.of(world, user, scene.server);
  return { user, browser, api: browser.api };
}

/** Two members with a direct message, and a third member. */
async function stage() {
  const [ada, bob, eve] = [await join(), await join(), await join()];
  const dm = dataOf(await ada.api.post('/conversations', { userIds: [bob.user.id] }));
  return { ada, bob, eve, dm };
}

const idsIn = async (member: Member, path = '/conversations'): Promise<string[]> =>
  dataOf(await member.api.get(path)).map(({ id }: Json) => id);

test('a set of people has one direct message per server, regardless of who starts it', async () => {
  const [ada, bob, cid] = [await join(), await join(), await join()];
  const body = { serverId: scene.server.id, userIds: [bob.user.id] };
  const dm = dataOf(await ada.api.post('/conversations', body));
  assert.deepEqual(
    [dm.kind, dm.serverId, dm.memberIds, dm.private, dm.roleIds, dm.name, dm.image],
    ['dm', scene.server.id, [ada.user.id, bob.user.id].sort(), true, [], '', null],
  );
  for (const [by, userIds] of [
    [ada, [bob.user.id]],
    [ada, [ada.user.id, bob.user.id, bob.user.id]],
    [bob, [ada.user.id]],
  ] as const) {
    const again = await by.api.post('/conversations', { userIds });
    assertRefused(again, 'ALREADY_EXISTS');
    assert.deepEqual(again.body.error.details, [{ id: dm.id }]);
  }
  const group = dataOf(await bob.api.post('/conversations', { userIds: [ada.user.id, cid.user.id] }));
  assert.equal(group.memberIds.length, 3);
  assert.deepEqual(await idsIn(ada), [group.id, dm.id]);
  assert.deepEqual(await idsIn(ada, `/conversations?serverId=${scene.server.id}`), [group.id, dm.id]);
  assert.deepEqual(await idsIn(cid), [group.id]);
  ada.browser.place = 'none';
  assert.deepEqual(await idsIn(ada), [group.id, dm.id], 'across all servers');
  const other = await Scene.open(world);
  assert.deepEqual(await idsIn(ada, `/conversations?serverId=${other.server.id}`), []);
});

test('members are people and agents of the server, at least two and at most ten', async () => {
  const ada = await join();
  const send = (userIds: unknown) => ada.api.post('/conversations', { userIds });
  assertRefused(await send([]), 'INVALID_REQUEST', '', 'userIds');
  assertRefused(await send([ada.user.id]), 'INVALID_REQUEST', '', 'userIds');
  assertRefused(await send(['none']), 'NOT_FOUND');
  const stranger = await world.user();
  assertRefused(await send([stranger.id]), 'INVALID_REQUEST', '', 'userIds');
  const many = await Promise.all(Array.from({ length: 10 }, join));
  assertRefused(await send(many.map(({ user }) => user.id)), 'INVALID_REQUEST', '', 'userIds');
  assert.equal(dataOf(await send(many.slice(1).map(({ user }) => user.id))).memberIds.length, 10);
  assertRefused(
    await (await world.client(scene.server, ['canAdmin'], ada.user)).post('/conversations', {
      userIds: [many[0]?.user.id],
    }),
    'FORBIDDEN',
    'the key of a person',
  );
});

test('only its members see a direct message and everything in it', async () => {
  const { ada, bob, eve, dm } = await stage();
  const message = dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'zebra crossing' }));
  const thread = dataOf(await bob.api.post('/threads', { messageId: message.id, name: 'Stripes' }));
  dataOf(await bob.api.post('/messages', { threadId: thread.id, content: 'black' }));
  const pin = dataOf(await bob.api.post('/pins', { messageId: message.id }));
  const reaction = dataOf(await bob.api.post('/reactions', { messageId: message.id, emoji: '🦓' }));
  const reads = readsOf({ dm, message, thread });
  for (const path of reads) for (const member of [ada, bob]) dataOf(await member.api.get(path), path);
  const { owner, server } = scene;
  const outsiders: [string, Sender][] = [
    ['another member', eve.api],
    ['the creator in person', (await Browser.of(world, owner, server)).api],
    ['a key of the creator', scene.admin],
    ["a member's own key", await world.client(server, ['canAdmin'], bob.user)],
    ['an agent with canAdmin', await world.client(server, ['canAdmin'], await world.user({ agent: true }))],
  ];
  for (const [who, client] of outsiders) {
    for (const path of reads) assertRefused(await client.get(path), 'FORBIDDEN', `${who}: ${path}`);
    for (const [method, path, body] of writesTo({ dm, message, thread, pin, reaction })) {
      const answer = await client[method](path, body);
      assertRefused(answer, 'FORBIDDEN', `${who}: ${method} ${path}`);
    }
    const lists = [
      `/servers/${server.id}/channels`,
      `/servers/${server.id}/messages?q=zebra`,
      '/notifications',
    ];
    for (const path of lists) {
      const { body } = await client.get(path);
      assert.ok(!JSON.stringify(body).includes(dm.id), `${who}: ${path}`);
    }
    assert.deepEqual(dataOf(await client.get('/conversations')), [], who);
  }
  const listed = dataOf(await ada.api.get(`/servers/${server.id}/channels`));
  assert.ok(!listed.some(({ id }: Json) => id === dm.id), 'in no list of channels');
  const found = dataOf(await ada.api.get(`/servers/${server.id}/messages?q=zebra`));
  assert.deepEqual(
    found.map(({ id }: Json) => id),
    [message.id],
    'its members can find it by search',
  );
});

test('in a direct message, members write without flags, and only authors change what they wrote', async () => {
  const { ada, bob, dm } = await stage();
  const message = dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'Hello' }));
  const moderator = await scene.role({ canModerate: true, canAdmin: true });
  dataOf(await scene.admin.post('/user-roles', { userId: bob.user.id, roleId: moderator.id }));
  assertRefused(await bob.api.patch(`/messages/${message.id}`, { content: 'Changed' }), 'FORBIDDEN');
  assertRefused(await bob.api.delete(`/messages/${message.id}`), 'FORBIDDEN');
  const many = await bob.api.post('/messages/delete', { channelId: dm.id, ids: [message.id] });
  assert.deepEqual([many.status, many.body.error.details.ids], [403, [message.id]]);
  dataOf(await ada.api.patch(`/messages/${message.id}`, { content: 'Hello!' }));
  assertRefused(await bob.browser.get(`/messages/${message.id}/edits`), 'FORBIDDEN', 'earlier versions');
  dataOf(await ada.api.delete(`/messages/${message.id}`));
  assertRefused(await ada.api.delete(`/channels/${dm.id}`), 'FORBIDDEN');
  const named = dataOf(
    await bob.api.patch(`/channels/${dm.id}`, { name: 'We two', image: 'https://example.com/a.png' }),
  );
  assert.deepEqual([named.name, named.image], ['We two', 'https://example.com/a.png']);
  assertRefused(
    await bob.api.patch(`/channels/${dm.id}`, { private: false }),
    'INVALID_REQUEST',
    '',
    'private',
  );
  assertRefused(await bob.api.patch(`/channels/${dm.id}`, { roleIds: [] }), 'INVALID_REQUEST', '', 'roleIds');
  const channel = await scene.channel();
  assertRefused(
    await scene.admin.patch(`/channels/${channel.id}`, { image: null }),
    'INVALID_REQUEST',
    '',
    'image',
  );
  // The name of a direct message does not conflict with the name of a channel.
  dataOf(await scene.admin.post('/channels', { name: 'We two' }));
});

test('an agent can use direct messages with its own key if the server allows it', async () => {
  const ada = await join();
  const agent = await world.user({ agent: true });
  const bot = await world.client(scene.server, [], agent);
  const dm = dataOf(await ada.api.post('/conversations', { userIds: [agent.id] }));
  dataOf(await bot.post('/messages', { channelId: dm.id, content: 'At your service' }));
  assert.deepEqual(
    dataOf(await bot.get('/conversations')).map(({ id }: Json) => id),
    [dm.id],
  );
  assert.equal(dataOf(await ada.api.get(`/channels/${dm.id}/messages`)).length, 1);
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { directAgents: false }));
  const other = await join();
  assertRefused(
    await other.api.post('/conversations', { userIds: [agent.id] }),
    'INVALID_REQUEST',
    '',
    'userIds',
  );
  assertRefused(
    await bot.post('/conversations', { userIds: [other.user.id] }),
    'INVALID_REQUEST',
    '',
    'userIds',
  );
  dataOf(await scene.admin.patch(`/servers/${scene.server.id}`, { directAgents: true }));
});

test('every message notifies the other members unless they muted the conversation; mentions are marked as such', async () => {
  const { ada, bob, dm } = await stage();
  const typesOf = async (member: Member) =>
    dataOf(await member.api.get('/notifications')).map(({ type, channelId }: Json) => [type, channelId]);
  dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'Hello' }));
  dataOf(await ada.api.post('/messages', { channelId: dm.id, content: `Hello @${bob.user.username}` }));
  assert.deepEqual(await typesOf(bob), [
    ['mention', dm.id],
    ['direct', dm.id],
  ]);
  assert.deepEqual(await typesOf(ada), []);
  dataOf(await bob.browser.send('PATCH', '/reading/level', { channelId: dm.id, level: 'nothing' }));
  dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'Are you there?' }));
  assert.equal((await typesOf(bob)).length, 2);
  const reading = dataOf(await bob.browser.get('/reading'));
  assert.deepEqual(
    reading.channels.filter(({ channelId }: Json) => channelId === dm.id).map(({ unread }: Json) => unread),
    [3],
  );
  const snapshot = dataOf(await bob.browser.get(`/servers/${scene.server.id}/snapshot`));
  assert.deepEqual(
    snapshot.conversations.map(({ id }: Json) => id),
    [dm.id],
  );
  assert.ok(!snapshot.channels.some(({ id }: Json) => id === dm.id));
  assert.ok(snapshot.reading.channels.some(({ channelId }: Json) => channelId === dm.id));
});

test('a blocked sender gets the same response as a sender to somebody who accepts no messages', async () => {
  const { ada, bob, eve, dm } = await stage();
  dataOf(await bob.browser.post('/blocks', { userId: ada.user.id }));
  dataOf(await bob.browser.post('/blocks', { userId: ada.user.id }));
  dataOf(await bob.browser.post('/blocks', { userId: eve.user.id }));
  const message = dataOf(await bob.api.post('/messages', { channelId: dm.id, content: 'You cannot answer' }));
  const answersOf = async (by: Member) => [
    await by.api.post('/messages', { channelId: dm.id, content: 'Hello' }),
    await by.api.post('/reactions', { messageId: message.id, emoji: '👋' }),
    await by.api.post('/threads', { messageId: message.id, name: 'Why' }),
    await by.api.post('/conversations', { userIds: [bob.user.id] }),
  ];
  const shown = ({ status, body }: { status: number; body: Json }) => [
    status,
    { ...body.error, requestId: '' },
  ];
  const blocked = await answersOf(ada);
  for (const answer of blocked) assertRefused(answer, 'FORBIDDEN');
  assertRefused(await eve.api.post('/conversations', { userIds: [bob.user.id] }), 'FORBIDDEN');
  assert.equal(dataOf(await bob.browser.get('/blocks')).length, 2);
  dataOf(await bob.browser.send('DELETE', `/blocks/${ada.user.id}`));
  assertRefused(await bob.browser.send('DELETE', `/blocks/${ada.user.id}`), 'NOT_FOUND');
  assertRefused(await bob.browser.send('DELETE', '/blocks/none'), 'NOT_FOUND');
  assert.deepEqual(await idsIn(ada, '/conversations?serverId=none'), []);
  assert.equal(
    dataOf(await bob.browser.send('PATCH', '/me', { directMessages: 'nobody' })).directMessages,
    'nobody',
  );
  assert.deepEqual((await answersOf(ada)).map(shown), blocked.map(shown));
  dataOf(await bob.browser.send('PATCH', '/me', { directMessages: 'anybody' }));
  dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'Hello' }));
});

test('a user who leaves the server sees nothing from then on; the other members keep the history', async () => {
  const { ada, bob, dm } = await stage();
  dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'Hello' }));
  const stream = await bob.browser.stream();
  await stream.told('opening');
  const members = dataOf(await scene.admin.get(`/servers/${scene.server.id}/members?limit=100`));
  const member = members.find(({ userId }: Json) => userId === bob.user.id);
  dataOf(await scene.admin.delete(`/server-members/${member.id}`));
  assertRefused(await bob.api.get(`/channels/${dm.id}/messages`), 'FORBIDDEN');
  assert.deepEqual(await idsIn(bob), []);
  const late = dataOf(await ada.api.post('/messages', { channelId: dm.id, content: 'Gone?' }));
  assert.equal(dataOf(await ada.api.get(`/channels/${dm.id}/messages`)).length, 2);
  assert.ok(!stream.events.some(({ data }) => data?.id === late.id));
  stream.close();
});
