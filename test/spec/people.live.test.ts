import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf, idsOf } from '../support/expect.ts';
import { logOf } from '../support/log.ts';
import { until } from '../support/process.ts';
import { Scene } from '../support/scene.ts';
import { change } from '../support/sources.ts';
import { type Client, type Json, listAll, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

const streams: EventStream[] = [];
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});

const own = (stream: EventStream, type: string): Json[] =>
  stream.events.filter((event) => event.type === type).map(({ data }) => data);

/** A browser's event stream for the server that its session acts in. */
async function follow(browser: Browser, query: Record<string, string> = {}): Promise<EventStream> {
  const headers = { cookie: browser.cookie, 'palaver-server': browser.place as string };
  const stream = await EventStream.open(world, '', query, headers);
  assert.equal(stream.status, 200);
  streams.push(stream);
  return stream;
}

async function member(scene: Scene): Promise<{ user: Json; browser: Browser }> {
  const user = await world.user();
  await world.member(scene.server, user);
  return { user, browser: await Browser.of(world, user, scene.server) };
}

/** Checks the events about one person's markers, levels and drafts. */
function assertPersonal(
  stream: EventStream,
  {
    serverId,
    user,
    message,
    thread,
    draft,
  }: { serverId: string } & Record<'user' | 'message' | 'thread' | 'draft', Json>,
): void {
  assert.deepEqual(
    own(stream, 'mark.updated').map(({ messageId, userId }) => [messageId >= message.id, userId]),
    [
      [true, user.id],
      [false, user.id],
    ],
  );
  assert.equal(own(stream, 'reading.updated')[0]?.serverId, serverId);
  assert.deepEqual(
    own(stream, 'notificationLevel.updated').map(({ level }) => level),
    ['nothing'],
  );
  assert.deepEqual(own(stream, 'following.updated'), [
    { serverId, userId: user.id, threadId: thread.id, following: true },
  ]);
  assert.deepEqual(own(stream, 'draft.updated'), [draft]);
}

test("markers, levels and drafts are only sent to the same person's other sessions, and not logged", async () => {
  const scene = await Scene.open(world);
  const { user, browser } = await member(scene);
  const phone = await Browser.of(world, user, scene.server);
  const { id: channelId } = await scene.channel();
  const message = await scene.message({ channelId });
  const other = await Scene.open(world);
  await world.member(other.server, user);
  // A key that acts as this person may be used by someone else.
  const key = await world.client(scene.server, ['canAdmin'], user);
  const keyed = await EventStream.open(world, key.key);
  const admin = await follow(await Browser.of(world, scene.owner, scene.server));
  streams.push(keyed);
  const away = await follow(await Browser.of(world, user, other.server));
  const filtered = await follow(phone, { types: 'message.*' });
  const [desk, mobile] = [await follow(browser), await follow(phone)];
  const everywhere = await phone.stream();
  streams.push(everywhere);
  await everywhere.told('opening');
  dataOf(await browser.post('/reading/marks', { marks: [{ channelId, messageId: message.id }] }));
  dataOf(await browser.post('/reading/unread', { channelId, messageId: message.id }));
  dataOf(await browser.post('/reading/all', { serverId: scene.server.id }));
  dataOf(await browser.send('PATCH', '/reading/level', { channelId, level: 'nothing' }));
  const thread = await scene.thread();
  dataOf(await browser.send('PATCH', `/threads/${thread.id}/following`, { following: true }));
  const { draft } = dataOf(await browser.post('/drafts', { channelId, content: 'A secret thought' }));
  dataOf(await browser.post('/drafts', { channelId, content: '' }));
  for (const stream of [desk, mobile, everywhere]) {
    await until(() => own(stream, 'draft.deleted').length === 1);
    assertPersonal(stream, { serverId: scene.server.id, user, message, thread, draft });
  }
  const last = await scene.message({ channelId });
  for (const stream of [keyed, admin, filtered])
    await stream.event(({ type, data }) => type === 'message.created' && data.id === last.id);
  for (const stream of [keyed, admin, filtered, away])
    assert.deepEqual(
      stream.types.filter((type) => /^(mark|reading|draft|following|notificationLevel)\./.test(type)),
      [],
    );
  const logged = (await logOf(world, scene.server.id)).map(({ type }) => type);
  assert.ok(
    logged.every(
      (type: string) => !/^(mark|reading|draft|following|notificationLevel|presence)\./.test(type),
    ),
  );
  // A mark that changes nothing sends no event.
  const marks = own(desk, 'mark.updated').length;
  dataOf(await browser.post('/reading/marks', { marks: [{ channelId, messageId: message.id }] }));
  const draftOf = { channelId, content: 'The end' };
  dataOf(await browser.post('/drafts', draftOf));
  await until(() => own(desk, 'draft.updated').length === 2);
  assert.equal(own(desk, 'mark.updated').length, marks);
});

async function mention(author: Client, channelId: string, username: string): Promise<void> {
  clock.advance(1);
  dataOf(await author.post('/messages', { channelId, content: `Hello @${username}` }));
}

test('notifications can be marked as read and cleared, one by one or all at once, in the same list format', async () => {
  const scene = await Scene.open(world);
  const { user, browser } = await member(scene);
  const { id: channelId } = await scene.channel();
  for (let number = 0; number < 4; number++) await mention(scene.admin, channelId, user.username);
  const list = (query = '') => listAll(browser.api as Client, `/notifications${query}`);
  const state = async () => {
    const { notifications, channels } = dataOf(await browser.get('/reading'));
    return [notifications, channels.find((one: Json) => one.channelId === channelId).mentions];
  };
  assert.deepEqual(await state(), [4, 4]);
  const all = await list();
  const stranger = (await member(scene)).browser;
  for (const ids of [[all[0]?.id], ['nothing']]) {
    const refused = await stranger.post('/notifications/read', { ids });
    assertRefused(refused, 'NOT_FOUND');
    assert.deepEqual(refused.body.error.details, { ids });
  }
  assert.equal(dataOf(await browser.post('/notifications/read', { ids: [all[0]?.id] })).count, 1);
  assert.equal(dataOf(await browser.post('/notifications/read', { ids: [all[0]?.id] })).count, 0);
  assert.equal((await list('?unread=true')).length, 3);
  assert.deepEqual(await state(), [3, 3]);
  const [read] = await list('?unread=false');
  assert.ok(read?.readAt > 0);
  assert.deepEqual(Object.keys(read as object), Object.keys(all[0] as object));
  assert.equal(dataOf(await browser.post('/notifications/clear', { ids: [all[1]?.id] })).count, 1);
  assert.deepEqual(await state(), [2, 2]);
  // A notification is treated as read once its channel is read, regardless of its `readAt`.
  dataOf(await browser.post('/reading/marks', { marks: [{ channelId, messageId: all[2]?.messageId }] }));
  assert.deepEqual(await state(), [0, 0]);
  assert.deepEqual(dataOf(await browser.post('/notifications/read', {})), { count: 2, isWhole: true });
  assert.deepEqual(dataOf(await browser.post('/notifications/clear', {})), { count: 3, isWhole: true });
  assert.deepEqual(await list(), []);
  const types = (await logOf(world, scene.server.id)).map(({ type }) => type);
  assert.equal(types.filter((type: string) => type === 'notification.updated').length, 3);
  assert.equal(types.filter((type: string) => type === 'notification.deleted').length, 4);
});

const statusOf = async (browser: Browser, userId: string): Promise<string | undefined> => {
  const { people } = dataOf(await browser.get(`/presence?userIds=${userId}`));
  return people[0]?.status;
};

test('a person is online while they have a stream, and people who share a server see the status that they choose', async () => {
  const scene = await Scene.open(world);
  const [ada, bob] = [await member(scene), await member(scene)];
  const watching = await follow(bob.browser);
  assert.equal(await statusOf(bob.browser, ada.user.id), 'offline');
  const stream = await follow(ada.browser);
  await until(async () => (await statusOf(bob.browser, ada.user.id)) === 'online');
  const seen = () =>
    own(watching, 'presence.updated')
      .flatMap(({ people }) => people)
      .filter(({ userId }: Json) => userId === ada.user.id)
      .map(({ status, text }: Json) => [status, text]);
  await until(() => seen().length === 1);
  const save = (body: object) => ada.browser.send('PATCH', '/presence/me', body);
  const textUntil = clock.now() + 60_000;
  dataOf(await save({ status: 'dnd', text: 'Writing', textUntil }));
  await until(() => seen().length === 2);
  assert.deepEqual(seen(), [
    ['online', null],
    ['dnd', 'Writing'],
  ]);
  const [shown] = dataOf(await bob.browser.get(`/presence?userIds=${ada.user.id}`)).people;
  assert.deepEqual(shown, { userId: ada.user.id, status: 'dnd', text: 'Writing', textUntil });
  clock.advance(60_000);
  const [late] = dataOf(await bob.browser.get(`/presence?userIds=${ada.user.id}`)).people;
  assert.deepEqual([late.text, late.textUntil], [null, null]);
  dataOf(await save({ status: 'invisible' }));
  await until(() => seen().length === 3);
  assert.deepEqual(seen()[2], ['offline', null]);
  assert.equal(await statusOf(bob.browser, ada.user.id), 'offline');
  assert.equal(dataOf(await ada.browser.get('/presence/me')).status, 'invisible');
  dataOf(await save({ status: 'online' }));
  await until(() => seen().length === 4);
  stream.close();
  await until(() => world.app.connections !== undefined && stream.isOver);
  assert.equal(await statusOf(bob.browser, ada.user.id), 'online', 'for a few more seconds');
  await until(async () => {
    clock.advance(10_000);
    return (await statusOf(bob.browser, ada.user.id)) === 'offline';
  });
  await until(() => seen().at(-1)?.[0] === 'offline');
});

test("nobody sees the presence of people with whom they share no server, or invisible people's status changes", async () => {
  const [scene, elsewhere] = [await Scene.open(world), await Scene.open(world)];
  const [ada, bob, eve] = [await member(scene), await member(scene), await member(elsewhere)];
  const watching = await follow(eve.browser);
  const near = await follow(bob.browser);
  dataOf(await ada.browser.send('PATCH', '/presence/me', { status: 'invisible' }));
  await until(() => own(near, 'presence.updated').length > 0);
  await follow(ada.browser);
  const ids = [ada.user.id, eve.user.id, 'nobody', world.unique()].join();
  assert.deepEqual(
    dataOf(await eve.browser.get(`/presence?userIds=${ids}`)).people.map(({ userId }: Json) => userId),
    [eve.user.id],
  );
  // Carl comes online afterwards. An event about Eve would have arrived before the event about him.
  const carl = await member(scene);
  await follow(carl.browser);
  const people = () => own(near, 'presence.updated').flatMap(({ people }) => people);
  await until(() => people().some(({ userId }: Json) => userId === carl.user.id));
  assert.deepEqual(
    people().filter(({ userId }: Json) => userId === ada.user.id).length,
    1,
    'only her own change',
  );
  const told = own(watching, 'presence.updated').flatMap(({ people }) => people);
  assert.ok(told.every(({ userId }: Json) => userId === eve.user.id));
  assertRefused(
    await bob.browser.get(`/presence?userIds=${Array.from({ length: 101 }, () => 'x')}`),
    'INVALID_REQUEST',
    '',
    'userIds',
  );
  assertRefused(
    await bob.browser.send('PATCH', '/presence/me', { status: 'offline' }),
    'INVALID_REQUEST',
    '',
    'status',
  );
});

test("leaving a server deletes the person's markers, levels and drafts there", async () => {
  const scene = await Scene.open(world);
  const { user, browser } = await member(scene);
  const { id: channelId } = await scene.channel();
  const thread = await scene.thread({ channelId });
  const message = await scene.message({ channelId });
  const marks = [
    { channelId, messageId: message.id },
    { threadId: thread.id, messageId: message.id },
  ];
  dataOf(await browser.post('/reading/marks', { marks }));
  dataOf(await browser.send('PATCH', '/reading/level', { level: 'mentions' }));
  dataOf(await browser.post('/drafts', { channelId, content: 'Hm' }));
  const tables = ['channelReading', 'threadReading', 'serverReading', 'draft'] as const;
  const rows = () =>
    change(world.data, async ({ db }) => {
      const found: number[] = [];
      for (const table of tables) {
        const { q } = await import('../support/sources.ts');
        found.push((await db.all(q.selectFrom(table).selectAll().where('userId', '=', user.id))).length);
      }
      return found;
    });
  assert.deepEqual(await rows(), [1, 1, 1, 1]);
  const members = await listAll(scene.admin, `/servers/${scene.server.id}/members`);
  const { id } = members.find(({ userId }) => userId === user.id) as Json;
  dataOf(await scene.admin.delete(`/server-members/${id}`));
  assert.deepEqual(await rows(), [0, 0, 0, 0]);
  assert.ok(idsOf(members).length > 1);
});
