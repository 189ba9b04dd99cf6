import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { find, q } from '../support/sources.ts';
import { type Client, type Json, World } from '../support/world.ts';

// Messages that contain one of a person's keywords notify that person like a mention.

let world: World;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
});
after(() => world.close());

async function stage() {
  const scene = await Scene.open(world);
  const [ada, bob] = [await world.user(), await world.user()];
  for (const user of [ada, bob]) await world.member(scene.server, user);
  const { id: channelId } = await scene.channel();
  const browser = await Browser.claimed(world, ada);
  browser.place = scene.server.id;
  const other = await world.client(scene.server, ['canEditData'], bob);
  return { scene, ada, bob, browser, other, channelId };
}

const keep = (browser: Browser, ...keywords: string[]) => browser.patch('/me', { keywords });

async function send(by: Client, channelId: string, content: string, more: object = {}): Promise<Json> {
  const message = dataOf(await by.post('/messages', { channelId, content, ...more }));
  await world.tidy();
  return message;
}

/** The types of the notifications for a message, by user. */
async function told({ id: messageId }: Json): Promise<Record<string, string>> {
  const rows = await world.data.db.read.all(find('notification', { messageId }));
  assert.equal(new Set(rows.map(({ userId }) => userId)).size, rows.length);
  return Object.fromEntries(rows.map(({ userId, type }) => [userId, type]));
}

test('a keyword notifies like a mention, starting with the next message, until it is removed', async () => {
  const { scene, ada, browser, other, channelId } = await stage();
  assert.deepEqual(dataOf(await browser.get('/me')).keywords, []);
  assert.deepEqual(await told(await send(other, channelId, 'The harbour')), {});
  assert.deepEqual(dataOf(await keep(browser, 'Harbour', ' release plan ')).keywords, [
    'Harbour',
    'release plan',
  ]);
  assert.deepEqual(await told(await send(other, channelId, 'the HARBOUR, again')), { [ada.id]: 'mention' });
  assert.deepEqual(await told(await send(other, channelId, 'a **release** plan')), { [ada.id]: 'mention' });
  assert.deepEqual(await told(await send(other, channelId, 'harbours')), {});
  const { channels } = dataOf(await browser.get(`/reading?channelIds=${channelId}`));
  assert.equal(channels[0].mentions, 2);
  dataOf(await keep(browser, 'harbour'));
  assert.deepEqual(await told(await send(other, channelId, 'a release plan')), {});
  dataOf(await keep(browser));
  assert.deepEqual(await told(await send(other, channelId, 'the harbour')), {});
  assert.deepEqual(await world.data.db.read.all(q.selectFrom('groupMention').selectAll()), []);
  assert.equal(dataOf(await scene.admin.get(`/channels/${channelId}`)).id, channelId);
});

test('a person is notified once, never about their own messages, and only if they can see the message', async () => {
  const { scene, ada, bob, browser, other, channelId } = await stage();
  dataOf(await keep(browser, 'harbour'));
  const ownKey = await world.client(scene.server, ['canEditData'], ada);
  const own = await send(ownKey, channelId, 'my harbour');
  assert.deepEqual(await told(own), {});
  const both = `@${ada.username} the harbour`;
  assert.deepEqual(await told(await send(other, channelId, both)), { [ada.id]: 'mention' });
  const reply = await send(other, channelId, 'harbour', { replyToId: own.id });
  assert.deepEqual(await told(reply), { [ada.id]: 'reply' });
  const everyone = await told(await send(scene.admin, channelId, '@everyone to the harbour'));
  assert.deepEqual([everyone[ada.id], everyone[bob.id]], ['mention', 'mention']);
  const closed = await scene.channel({ private: true });
  assert.deepEqual(await told(await send(scene.admin, closed.id, 'harbour')), {});
  dataOf(await browser.patch('/reading/channel', { channelId, hidden: true }));
  assert.deepEqual(await told(await send(other, channelId, 'harbour')), {});
  dataOf(await browser.patch('/reading/channel', { channelId, hidden: false }));
  dataOf(await browser.post('/blocks', { userId: bob.id }));
  assert.deepEqual(await told(await send(other, channelId, 'harbour')), {});
});

test('an edit neither adds nor withdraws keyword notifications', async () => {
  const { ada, bob, browser, other, channelId } = await stage();
  dataOf(await keep(browser, 'harbour'));
  const sent = await send(other, channelId, `harbour, @${bob.username}`);
  assert.deepEqual(await told(sent), { [ada.id]: 'mention' });
  dataOf(await other.patch(`/messages/${sent.id}`, { content: `@${bob.username}` }));
  assert.deepEqual(await told(sent), { [ada.id]: 'mention' });
  const plain = await send(other, channelId, 'nothing');
  dataOf(await other.patch(`/messages/${plain.id}`, { content: 'harbour' }));
  await world.tidy();
  assert.deepEqual(await told(plain), {});
});

test('keywords also apply in servers that a person joins later', async () => {
  const { ada, browser, other, channelId } = await stage();
  dataOf(await keep(browser, 'harbour'));
  const second = await Scene.open(world);
  const { id } = await second.channel();
  assert.deepEqual(await told(await send(second.admin, id, 'harbour')), {});
  await world.member(second.server, ada);
  assert.deepEqual(await told(await send(second.admin, id, 'harbour')), { [ada.id]: 'mention' });
  const member = (await world.data.db.read.all(find('serverMember', { userId: ada.id }))).find(
    ({ serverId }) => serverId === second.server.id,
  );
  dataOf(await second.admin.delete(`/server-members/${member?.id}`));
  assert.deepEqual(await told(await send(second.admin, id, 'harbour')), {});
  assert.deepEqual(await told(await send(other, channelId, 'harbour')), { [ada.id]: 'mention' });
});

test('keywords are distinct words, at most 20', async () => {
  const { browser } = await stage();
  for (const [keywords, path] of [
    [['!!'], 'keywords'],
    [['🎉'], 'keywords'],
    [['plan', 'Plan'], 'keywords'],
    [[''], 'keywords.0'],
    [['x'.repeat(51)], 'keywords.0'],
    [Array.from({ length: 21 }, (_, at) => `word${at}`), 'keywords'],
    ['plan', 'keywords'],
  ] as const)
    assertRefused(
      await browser.patch('/me', { keywords }),
      'INVALID_REQUEST',
      JSON.stringify(keywords),
      path,
    );
  assert.deepEqual(dataOf(await browser.get('/me')).keywords, []);
});

test('quiet hours are validated and stored', async () => {
  const { browser } = await stage();
  const hours = { from: '22:00', to: '07:30', timeZone: 'Europe/Berlin', days: [1, 2, 3, 4, 5] };
  assert.equal(dataOf(await browser.get('/me')).quietHours, null);
  assert.deepEqual(dataOf(await browser.patch('/me', { quietHours: hours })).quietHours, hours);
  for (const [change, path] of [
    [{ from: '24:00' }, 'quietHours.from'],
    [{ to: '7:30' }, 'quietHours.to'],
    [{ timeZone: 'Moon/Base' }, 'quietHours.timeZone'],
    [{ days: [] }, 'quietHours.days'],
    [{ days: [0] }, 'quietHours.days.0'],
    [{ days: [1, 1] }, 'quietHours.days'],
  ] as const) {
    const refused = await browser.patch('/me', { quietHours: { ...hours, ...change } });
    assertRefused(refused, 'INVALID_REQUEST', JSON.stringify(change), path);
  }
  assert.deepEqual(dataOf(await browser.get('/me')).quietHours, hours);
  assert.equal(dataOf(await browser.patch('/me', { quietHours: null })).quietHours, null);
});
