import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { dataOf } from '../support/expect.ts';
import { Scene } from '../support/scene.ts';
import { type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

/** A signed-in member who may write. */
async function join() {
  const user = await world.user();
  await world.member(scene.server, user);
  const role = await scene.role({ canEditData: true });
  const assigned = await scene.make('/user-roles', { userId: user.id, roleId: role.id });
  return { user, assigned, browser: await Browser.of(world, user, scene.server) };
}

/** An author with a message in a channel, and two members who react to it. */
async function stage() {
  const [author, ada, bob] = await Promise.all(
    [0, 0, 0].map(() => world.client(scene.server, ['canEditData'])),
  );
  const channel = await scene.channel();
  const message = await scene.make('/messages', { channelId: channel.id, content: 'Ship it' }, author);
  return { author: author as Client, ada: ada as Client, bob: bob as Client, channel, message };
}

const react = (client: Client, messageId: string, emoji: string) =>
  scene.make('/reactions', { messageId, emoji }, client);

const noticesOf = async (client: Pick<Client, 'get'>, query = ''): Promise<Json[]> =>
  dataOf(await client.get(`/notifications${query}`));

test('the author of a message is notified once about unread reactions, and again after reading', async () => {
  const { ada, bob, channel } = await stage();
  const { user, browser } = await join();
  const author = browser.api;
  const message = dataOf(await author.post('/messages', { channelId: channel.id, content: 'Ship it' }));
  dataOf(await author.post('/reactions', { messageId: message.id, emoji: '🎉' }));
  assert.equal(message.creatorId, user.id);
  assert.deepEqual(await noticesOf(author), [], 'not of their own reactions');
  await react(ada, message.id, '🎉');
  await react(ada, message.id, '👍');
  await react(bob, message.id, '👍');
  const [first, ...others] = await noticesOf(author);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [first?.type, first?.actorId, first?.channelId, first?.messageId, first?.readAt],
    ['reaction', ada.secret.userId, channel.id, message.id, null],
  );
  dataOf(await browser.post('/notifications/read', { ids: [first?.id] }));
  await react(bob, message.id, '🚀');
  const [second, ...rest] = await noticesOf(author);
  assert.deepEqual(rest, []);
  assert.deepEqual([second?.actorId, second?.readAt], [bob.secret.userId, null]);
  assert.notEqual(second?.id, first?.id);
});

test("removing a reaction withdraws its notification, but not another user's", async () => {
  const { author, ada, bob, message } = await stage();
  await react(ada, message.id, '🎉');
  const { id } = await react(bob, message.id, '🎉');
  dataOf(await bob.delete(`/reactions/${id}`));
  assert.equal((await noticesOf(author)).length, 1);
  const other = await stage();
  const reaction = await react(other.ada, other.message.id, '🎉');
  dataOf(await other.ada.delete(`/reactions/${reaction.id}`));
  assert.deepEqual(await noticesOf(other.author), []);
});

test('an author who left, lost access to the channel or blocked the user is not notified', async () => {
  const { ada, channel } = await stage();
  const { browser, assigned } = await join();
  const say = async () =>
    dataOf(await browser.api.post('/messages', { channelId: channel.id, content: 'Hi' }));
  const messages = [await say(), await say()];
  dataOf(await browser.post('/blocks', { userId: ada.secret.userId }));
  await react(ada, messages[0].id, '👀');
  assert.deepEqual(await noticesOf(browser.api), []);
  dataOf(await browser.delete(`/blocks/${ada.secret.userId}`));
  await scene.remove(`/user-roles/${assigned.id}`);
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { private: true, roleIds: [ada.secret.roleId] }));
  await react(ada, messages[1].id, '👀');
  dataOf(await scene.admin.patch(`/channels/${channel.id}`, { private: false }));
  assert.deepEqual(await noticesOf(browser.api), []);
});

test('reactions are listed by type and not counted as unread', async () => {
  const { ada, channel } = await stage();
  const { user, browser } = await join();
  const { id } = dataOf(await browser.api.post('/messages', { channelId: channel.id, content: 'Hi' }));
  await react(ada, id, '👀');
  const mention = { channelId: channel.id, content: `Hi @${user.username}` };
  await scene.make('/messages', mention, ada);
  const typesOf = async (query: string) => (await noticesOf(browser.api, query)).map(({ type }) => type);
  assert.deepEqual(await typesOf(''), ['mention', 'reaction']);
  assert.deepEqual(await typesOf('?type=reaction'), ['reaction']);
  assert.deepEqual(await typesOf('?type=mention&unread=true'), ['mention']);
  assert.equal(dataOf(await browser.get('/reading')).notifications, 1);
  dataOf(await browser.post('/reading/all', { serverId: scene.server.id }));
  assert.deepEqual(
    await typesOf('?type=reaction&unread=true'),
    ['reaction'],
    'until the notification itself is read',
  );
});
