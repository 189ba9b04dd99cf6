import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { countsOf, openReading, read, say as sayAt, stateOf } from '../support/reading.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

const stage = () => openReading(world, clock);
const say = (by: Client, channelId: string, ...contents: string[]) =>
  sayAt(clock, by, channelId, ...contents);

test('messages from before joining count as read; of later messages, only those by others count as unread', async () => {
  const { scene, browser, other, ada } = await stage();
  const { id } = await scene.channel();
  const [first] = await say(other, id, 'One', `Two @${ada.username}`, 'Three');
  assert.deepEqual(await countsOf(browser, id), [3, 1]);
  const own = await world.client(scene.server, ['canEditData'], ada);
  await say(own, id, 'Mine');
  assert.deepEqual(await countsOf(browser, id), [3, 1]);
  dataOf(await read(browser, { channelId: id, messageId: first?.id as string }));
  assert.deepEqual(await countsOf(browser, id), [2, 1]);
  const late = await world.user();
  clock.advance(10);
  await world.member(scene.server, late);
  const newcomer = await Browser.of(world, late, scene.server);
  assert.deepEqual(await countsOf(newcomer, id), [0, 0]);
  dataOf(await read(newcomer, { channelId: id, messageId: first?.id as string }));
  assert.deepEqual(await countsOf(newcomer, id), [0, 0], 'a marker from before they joined changes nothing');
  await say(other, id, 'Welcome');
  assert.deepEqual(await countsOf(newcomer, id), [1, 0]);
});

test('a marker only moves forward, unless a message is marked as unread, which lasts until the user reads on', async () => {
  const { scene, browser, other } = await stage();
  const { id } = await scene.channel();
  const sent = await say(other, id, '1', '2', '3', '4');
  const at = (index: number) => sent[index]?.id as string;
  const first = dataOf(await read(browser, { channelId: id, messageId: at(3) })).marks[0];
  assert.deepEqual([first.messageId, first.unreadAt], [at(3), 0]);
  const back = dataOf(await read(browser, { channelId: id, messageId: at(0) })).marks[0];
  assert.equal(back.messageId, at(3));
  const marked = dataOf(await browser.post('/reading/unread', { channelId: id, messageId: at(1) }));
  assert.ok(marked.unreadAt > 0 && marked.messageId < at(1) && marked.messageId > at(0));
  assert.deepEqual(await countsOf(browser, id), [3, 0]);
  // A mark that was made earlier on another device changes nothing.
  const late = dataOf(await read(browser, { channelId: id, messageId: at(3), unreadAt: 0 })).marks[0];
  assert.deepEqual([late.messageId, late.unreadAt], [marked.messageId, marked.unreadAt]);
  assert.deepEqual(await countsOf(browser, id), [3, 0]);
  dataOf(await read(browser, { channelId: id, messageId: at(2), unreadAt: marked.unreadAt }));
  assert.deepEqual(await countsOf(browser, id), [1, 0]);
});

test('all messages can be marked as read, in one server or in all; later unread marks stay', async () => {
  const { scene, browser, other, ada } = await stage();
  const channels = [await scene.channel(), await scene.channel()];
  const sent: Json[][] = [];
  for (const { id } of channels) sent.push(await say(other, id, '1', '2'));
  const second = await Scene.open(world);
  clock.advance(5);
  await world.member(second.server, ada);
  const elsewhere = await second.channel();
  await say(second.admin, elsewhere.id, 'there');
  clock.advance(5);
  assert.deepEqual(
    dataOf(await browser.post('/reading/all', { serverId: scene.server.id })).servers.length,
    1,
  );
  for (const { id } of channels) assert.deepEqual(await countsOf(browser, id), [0, 0]);
  const there = await Browser.of(world, ada, second.server);
  assert.deepEqual(await countsOf(there, elsewhere.id), [1, 0]);
  const [channel] = channels;
  clock.advance(5);
  dataOf(await browser.post('/reading/unread', { channelId: channel?.id, messageId: sent[0]?.[1]?.id }));
  assert.deepEqual(await countsOf(browser, channel?.id), [1, 0]);
  clock.advance(5);
  browser.place = 'none';
  assert.equal(dataOf(await browser.post('/reading/all', {})).servers.length, 2);
  browser.place = scene.server.id;
  assert.deepEqual(await countsOf(browser, channel?.id), [0, 0]);
  assert.deepEqual(await countsOf(there, elsewhere.id), [0, 0]);
  assert.deepEqual(dataOf(await browser.post('/reading/all', { serverId: world.unique() })).servers, []);
  clock.advance(5);
  dataOf(await browser.post('/reading/unread', { channelId: channel?.id, messageId: sent[0]?.[1]?.id }));
  dataOf(await browser.post('/reading/all', { serverId: scene.server.id }));
  assert.deepEqual(await countsOf(browser, channel?.id), [0, 0], 'even in the same millisecond');
});

test('a thread has its own marker', async () => {
  const { scene, browser, other } = await stage();
  const { id: channelId } = await scene.channel();
  const thread = await scene.thread({ channelId });
  clock.advance(1);
  const replies: Json[] = [];
  for (const content of ['1', '2', '3']) {
    clock.advance(1);
    replies.push(dataOf(await other.post('/messages', { threadId: thread.id, content })));
  }
  const threadOf = async () => {
    const { threads } = dataOf(await browser.get(`/reading?channelIds=&threadIds=${thread.id},nothing`));
    assert.equal(threads.length, 1);
    return threads[0];
  };
  assert.equal((await threadOf()).unread, 3);
  dataOf(await read(browser, { threadId: thread.id, messageId: replies[1]?.id }));
  assert.deepEqual([(await threadOf()).unread, (await threadOf()).messageId], [1, replies[1]?.id]);
  assert.deepEqual(await countsOf(browser, channelId), [3, 0], 'the channel counts them all');
  dataOf(await browser.post('/reading/unread', { threadId: thread.id, messageId: replies[0]?.id }));
  assert.equal((await threadOf()).unread, 3);
});

test('notification levels apply to a server or a channel, and can be muted until a given time', async () => {
  const { scene, browser } = await stage();
  const { id: channelId } = await scene.channel();
  const level = (body: object) => browser.send('PATCH', '/reading/level', body);
  assert.deepEqual(dataOf(await level({ level: 'mentions' })).channelId, null);
  const muted = dataOf(await level({ channelId, mutedUntil: 8_640_000_000_000_000 }));
  assert.deepEqual([muted.level, muted.mutedUntil], [null, 8_640_000_000_000_000]);
  dataOf(await level({ channelId, level: 'nothing' }));
  const state = dataOf(await browser.get('/reading'));
  const channel = state.channels.find((one: Json) => one.channelId === channelId);
  assert.deepEqual([state.level, state.mutedUntil], ['mentions', null]);
  assert.deepEqual([channel.level, channel.mutedUntil], ['nothing', 8_640_000_000_000_000]);
  dataOf(await level({ channelId, level: null, mutedUntil: null }));
  const fresh = await stateOf(browser, channelId);
  assert.deepEqual([fresh.level, fresh.mutedUntil], [null, null]);
});

test('marking an invisible channel fails like an unknown one, and a marker cannot be in the future', async () => {
  const { scene, browser, other } = await stage();
  const role = await scene.role({});
  const hidden = await scene.channel({ private: true, roleIds: [role.id] });
  const { id } = await scene.channel();
  const [message] = await say(other, id, 'one');
  const messageId = message?.id as string;
  const refusals = await Promise.all(
    [hidden.id, world.unique(), '00000000-0000-7000-8000-000000000000'].map((channelId) =>
      read(browser, { channelId, messageId }),
    ),
  );
  for (const refusal of refusals) {
    assertRefused(refusal, 'NOT_FOUND');
    assert.equal(refusal.body.error.message, refusals[0]?.body.error.message);
  }
  for (const [marks, path] of [
    [[{ channelId: id, messageId: 'ffffffff-ffff-7fff-bfff-ffffffffffff' }], 'marks.0.messageId'],
    [[{ messageId }], 'marks.0.channelId'],
    [[{ channelId: id, threadId: id, messageId }], 'marks.0.threadId'],
    [[], 'marks'],
  ] as const)
    assertRefused(await browser.post('/reading/marks', { marks }), 'INVALID_REQUEST', path, path);
  const state = dataOf(await browser.get('/reading'));
  assert.ok(state.channels.every(({ channelId }: Json) => channelId !== hidden.id));
  assert.deepEqual(dataOf(await browser.get(`/reading?channelIds=${hidden.id}`)).channels, []);
  // A request sets either all of its marks or none.
  const both = [
    { channelId: id, messageId },
    { channelId: hidden.id, messageId },
  ];
  assertRefused(await read(browser, ...both), 'NOT_FOUND');
  assert.deepEqual(await countsOf(browser, id), [1, 0]);
  browser.place = 'none';
  assertRefused(await browser.get('/reading'), 'INVALID_REQUEST', '', 'serverId');
});

test('a draft syncs across devices, the last write wins by its version, and an empty one is deleted', async () => {
  const { scene, browser, ada } = await stage();
  const { id: channelId } = await scene.channel();
  const thread = await scene.thread({ channelId });
  const phone = await Browser.of(world, ada, scene.server);
  const keep = (by: Browser, body: object) => by.post('/drafts', { channelId, ...body });
  const draftsOf = async (by: Browser): Promise<Json[]> =>
    dataOf(await by.get('/reading?channelIds=')).drafts;
  const { draft } = dataOf(await keep(browser, { content: 'Hel', version: 0 }));
  assert.deepEqual([draft.content, draft.channelId, draft.threadId], ['Hel', channelId, null]);
  clock.advance(1);
  const next = dataOf(await keep(phone, { content: 'Hello', version: draft.updatedAt })).draft;
  assert.ok(next.updatedAt > draft.updatedAt);
  const refused = await keep(browser, { content: 'Help', version: draft.updatedAt });
  assertRefused(refused, 'ALREADY_EXISTS');
  assert.deepEqual(refused.body.error.details, { draft: next });
  // Repeating a request is not a conflict.
  dataOf(await keep(phone, { content: 'Hello', version: draft.updatedAt }));
  dataOf(await browser.post('/drafts', { threadId: thread.id, content: 'In the thread' }));
  assert.deepEqual(
    (await draftsOf(phone)).map(({ content }) => content),
    ['Hello', 'In the thread'],
  );
  assert.equal(dataOf(await keep(browser, { content: '', version: next.updatedAt })).draft, null);
  assertRefused(await keep(phone, { content: 'Hello again', version: next.updatedAt }), 'ALREADY_EXISTS');
  dataOf(await keep(phone, { content: 'The last write wins' }));
  assert.equal((await draftsOf(browser)).length, 2);
  assertRefused(await keep(browser, { content: 'x'.repeat(8001) }), 'INVALID_REQUEST', '', 'content');
  assert.deepEqual(await draftsOf(await Browser.of(world, scene.owner, scene.server)), [], 'of admins');
  const role = await scene.role({});
  const hidden = await scene.channel({ private: true, roleIds: [role.id] });
  assertRefused(await keep(browser, { channelId: hidden.id, content: 'x' }), 'NOT_FOUND');
  dataOf(await scene.admin.delete(`/threads/${thread.id}`));
  assert.equal((await draftsOf(browser)).length, 1);
});

test('a person can have at most a hundred drafts', async () => {
  const { scene, browser } = await stage();
  const channels = await Promise.all(Array.from({ length: 101 }, () => scene.channel()));
  const keep = ({ id }: Json) => browser.post('/drafts', { channelId: id, content: 'x' });
  for (const channel of channels.slice(0, 100)) dataOf(await keep(channel));
  assertRefused(await keep(channels[100] as Json), 'INVALID_REQUEST');
  dataOf(await browser.post('/drafts', { channelId: channels[0]?.id, content: '' }));
  dataOf(await keep(channels[100] as Json));
});
