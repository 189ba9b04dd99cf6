import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { EventStream } from '../support/eventStream.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { openReading, read, stateOf } from '../support/reading.ts';
import { find } from '../support/sources.ts';
import { type Client, type Json, TestClock, World } from '../support/world.ts';

// Favorites, and channels that a person left.

const clock = new TestClock();
let world: World;
before(async () => {
  world = await World.open({ clock, limits: { '*': 0 } });
});
after(() => world.close());

const place = (browser: Browser, body: object) => browser.patch('/reading/channel', body);

async function placed(browser: Browser, channelId: string): Promise<[boolean, boolean]> {
  const { favorite, hidden } = await stateOf(browser, channelId);
  return [favorite, hidden];
}

/** Why a user was notified of a message, if they were. */
async function reasonOf(user: Json, { id: messageId }: Json): Promise<string | undefined> {
  const rows = await world.data.db.read.all(find('notification', { messageId, userId: user.id }));
  assert.ok(rows.length <= 1);
  return rows[0]?.type;
}

test('a person has favorites and leaves channels, without changing markers and levels', async () => {
  const { scene, browser, other } = await openReading(world, clock);
  const { id: channelId } = await scene.channel();
  clock.advance(1);
  const message = dataOf(await other.post('/messages', { channelId, content: 'Hi' }));
  assert.deepEqual(await placed(browser, channelId), [false, false]);
  assert.equal(dataOf(await place(browser, { channelId, favorite: true })).favorite, true);
  assert.deepEqual(await placed(browser, channelId), [true, false]);
  dataOf(await read(browser, { channelId, messageId: message.id }));
  dataOf(await browser.patch('/reading/level', { channelId, level: 'mentions' }));
  assert.deepEqual(await placed(browser, channelId), [true, false]);
  dataOf(await place(browser, { channelId, hidden: true }));
  assert.deepEqual(await placed(browser, channelId), [false, true], 'leaving removes it from the favorites');
  const state = await stateOf(browser, channelId);
  assert.deepEqual([state.messageId, state.level, state.unread], [message.id, 'mentions', 0]);
  dataOf(await place(browser, { channelId, favorite: true }));
  assert.deepEqual(await placed(browser, channelId), [true, false], 'a new favorite is joined');
  const refused = await place(browser, { channelId, favorite: true, hidden: true });
  assertRefused(refused, 'INVALID_REQUEST', '', 'hidden');
  const { reading } = dataOf(await browser.get(`/servers/${scene.server.id}/snapshot`));
  const shown = reading.channels.find((one: Json) => one.channelId === channelId);
  assert.deepEqual([shown.favorite, shown.hidden], [true, false]);
});

test("leaving changes neither the person's access nor other users' channels", async () => {
  const { scene, browser, ada } = await openReading(world, clock);
  const { id: channelId } = await scene.channel();
  const admin = await Browser.of(world, scene.owner, scene.server);
  dataOf(await place(browser, { channelId, hidden: true }));
  assert.deepEqual(await placed(admin, channelId), [false, false]);
  const client = await world.client(scene.server, [], ada);
  assert.equal(dataOf(await client.get(`/channels/${channelId}`)).id, channelId);
  const closed = await scene.channel({ private: true });
  assertRefused(await place(browser, { channelId: closed.id, favorite: true }), 'NOT_FOUND');
  dataOf(await place(admin, { channelId: closed.id, hidden: true }));
  const direct = dataOf(await browser.api.post('/conversations', { userIds: [scene.owner.id] }));
  assert.equal(dataOf(await place(browser, { channelId: direct.id, favorite: true })).favorite, true);
  assertRefused(
    await place(browser, { channelId: direct.id, hidden: true }),
    'INVALID_REQUEST',
    '',
    'hidden',
  );
});

test('someone who left is only notified of mentions of their name', async () => {
  const { scene, browser, ada, other } = await openReading(world, clock);
  const { id: channelId } = await scene.channel();
  const ownKey = await world.client(scene.server, ['canEditData'], ada);
  const send = async (by: Client, body: object): Promise<Json> => {
    const message = dataOf(await by.post('/messages', { channelId, ...body }));
    await world.tidy();
    return message;
  };
  const own = await send(ownKey, { content: 'Mine' });
  const thread = dataOf(await ownKey.post('/threads', { channelId, name: 'Plans' }));
  const messages = async () => [
    await send(other, { content: 'Yes', replyToId: own.id }),
    await send(other, { content: 'More', threadId: thread.id }),
    await send(scene.admin, { content: '@everyone' }),
    await send(other, { content: `Hey @${ada.username}` }),
  ];
  const reasons = async () => {
    const found: (string | undefined)[] = [];
    for (const message of await messages()) found.push(await reasonOf(ada, message));
    return found;
  };
  assert.deepEqual(await reasons(), ['reply', 'thread', 'mention', 'mention']);
  dataOf(await place(browser, { channelId, hidden: true }));
  assert.deepEqual(await reasons(), [undefined, undefined, undefined, 'mention']);
  const named = await send(other, { content: `Hey @${ada.username}`, replyToId: own.id });
  dataOf(await other.patch(`/messages/${named.id}`, { content: 'Never mind' }));
  assert.equal(await reasonOf(ada, named), undefined, 'a withdrawn mention leaves no reply');
  dataOf(await place(browser, { channelId, hidden: false }));
  assert.deepEqual(await reasons(), ['reply', 'thread', 'mention', 'mention']);
});

test("a person's other sessions are notified immediately", async () => {
  const { scene, browser, ada } = await openReading(world, clock);
  const { id: channelId } = await scene.channel();
  const headersOf = ({ cookie, place }: Browser) => ({ cookie, 'palaver-server': place as string });
  const phone = await Browser.of(world, ada, scene.server);
  const stream = await EventStream.open(world, '', {}, headersOf(phone));
  const admin = await EventStream.open(world, scene.admin.key);
  try {
    const set = dataOf(await place(browser, { channelId, hidden: true }));
    const told = await stream.event(({ type }) => type === 'channelPlacement.updated');
    assert.deepEqual(told.data, set);
    assert.deepEqual(set, {
      serverId: scene.server.id,
      userId: ada.id,
      channelId,
      favorite: false,
      hidden: true,
    });
    const last = await scene.message({ channelId });
    await admin.event(({ type, data }) => type === 'message.created' && data.id === last.id);
    assert.ok(!admin.types.includes('channelPlacement.updated'));
  } finally {
    stream.close();
    admin.close();
  }
});
