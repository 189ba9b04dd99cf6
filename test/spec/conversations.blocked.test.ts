import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Browser } from '../support/account.ts';
import { assertRefused, dataOf } from '../support/expect.ts';
import { png } from '../support/pictures.ts';
import { Scene } from '../support/scene.ts';
import { upload } from '../support/uploads.ts';
import { type Answer, type Client, type Json, World } from '../support/world.ts';

let world: World;
let scene: Scene;
before(async () => {
  world = await World.open({ limits: { '*': 0 } });
  scene = await Scene.open(world);
});
after(() => world.close());

async function join(): Promise<{ user: Json; browser: Browser; api: Browser['api'] }> {
  const user = await world.user();
  await world.member(scene.server, user);
  const browser = await Browser.of(world, user, scene.server);
  return { user, browser, api: browser.api };
}

type Member = Awaited<ReturnType<typeof join>>;
type Attempt = readonly [what: string, send: () => Promise<Answer>];

const shown = ({ status, body }: Answer) => [status, { ...body.error, requestId: '' }];

/**
 * Asserts that attempts are refused in the same way if the sender is blocked and if the user accepts no messages, and
 * succeed otherwise.
 */
async function assertRefusals(
  bob: Member,
  sender: Json,
  attempts: readonly Attempt[],
  hidden: () => unknown,
) {
  const before = await hidden();
  const refused: unknown[][] = [];
  const all = async () => {
    const answers: unknown[] = [];
    for (const [what, send] of attempts) {
      const answer = await send();
      assertRefused(answer, 'FORBIDDEN', what);
      assert.equal(answer.body.error.message, 'somebody here does not accept direct messages', what);
      answers.push(shown(answer));
    }
    refused.push(answers);
  };
  dataOf(await bob.browser.post('/blocks', { userId: sender.id }));
  await all();
  dataOf(await bob.browser.send('DELETE', `/blocks/${sender.id}`));
  dataOf(await bob.browser.patch('/me', { directMessages: 'nobody' }));
  await all();
  assert.deepEqual(refused[0], refused[1]);
  assert.deepEqual(await hidden(), before);
  dataOf(await bob.browser.patch('/me', { directMessages: 'anybody' }));
  for (const [what, send] of attempts) dataOf(await send(), what);
}

const buttons = [{ type: 'actions', id: 'a1', elements: [{ type: 'button', id: 'ok', text: 'OK' }] }];

/** A direct message between Bob and an agent, and what the agent can do in it. */
async function stage() {
  const bob = await join();
  const agent = await world.user({ agent: true });
  const bot = await world.client(scene.server, [], agent);
  const dm = dataOf(await bot.post('/conversations', { userIds: [bob.user.id] }));
  const channelId = dm.id;
  const send = async (by: Pick<Client, 'post'>, more: Json = {}) =>
    dataOf(await by.post('/messages', { channelId, content: 'Hello', ...more }));
  const [own, asked, bobs] = [await send(bot), await send(bot, { blocks: buttons }), await send(bob.api)];
  const pinned = await send(bot);
  const [stream, bobsStream] = [
    await send(bot, { streaming: true }),
    await send(bob.api, { streaming: true }),
  ];
  const pin = dataOf(await bob.api.post('/pins', { messageId: pinned.id }));
  const thread = dataOf(await bot.post('/threads', { messageId: own.id, name: 'Plan' }));
  const press = { messageId: asked.id, blockId: 'a1', actionId: 'ok' };
  const pressed = dataOf(await bob.api.post('/interactions', press));
  const typing = dataOf(await bot.post('/indicators', { type: 'typing', channelId }));
  const attempts: Attempt[] = [
    ['edit', () => bot.patch(`/messages/${own.id}`, { content: 'Listen' })],
    ['change blocks', () => bot.patch(`/messages/${asked.id}`, { blocks: [] })],
    ['append', () => bot.post(`/messages/${stream.id}/append`, { offset: 5, text: ' again' })],
    ['stop', () => bot.post(`/messages/${bobsStream.id}/stop`, {})],
    ['pin', () => bot.post('/pins', { messageId: bobs.id })],
    ['unpin', () => bot.delete(`/pins/${pin.id}`)],
    ['rename', () => bot.patch(`/channels/${channelId}`, { name: 'Listen' })],
    ['picture', () => bot.patch(`/channels/${channelId}`, { image: 'https://example.com/a.png' })],
    [
      'upload a picture',
      () => upload(world, bot, Buffer.from(png(8, 8)), 'a.png', { path: `/channels/${channelId}/image` }),
    ],
    ['type', () => bot.post('/indicators', { type: 'working', text: 'Listen', channelId })],
    ['type in a thread', () => bot.post('/indicators', { type: 'typing', threadId: thread.id })],
    ['keep typing', () => bot.patch(`/indicators/${typing.id}`, { text: 'Listen' })],
    ['answer', () => bot.post(`/interactions/${pressed.id}/answer`, { ephemeral: 'Listen' })],
    ['rename a thread', () => bot.patch(`/threads/${thread.id}`, { name: 'Listen' })],
    ['delete a thread', () => bot.delete(`/threads/${thread.id}`)],
  ];
  const hidden = async () => [
    dataOf(await bob.api.get(`/channels/${channelId}`)),
    dataOf(await bob.api.get(`/channels/${channelId}/messages`)),
    dataOf(await bob.api.get(`/channels/${channelId}/pins`)),
    dataOf(await bob.api.get(`/channels/${channelId}/threads`)),
    dataOf(await bob.api.get(`/interactions/${pressed.id}`)),
  ];
  return { bob, bot, agent, channelId, attempts, hidden };
}

test('a blocked sender changes nothing in a direct message between two people', async () => {
  const { bob, agent, attempts, hidden } = await stage();
  await assertRefusals(bob, agent, attempts, hidden);
});

test('a blocked person can neither edit nor send a scheduled message', async () => {
  const [ada, bob] = [await join(), await join()];
  const { id: channelId } = dataOf(await ada.api.post('/conversations', { userIds: [bob.user.id] }));
  const own = dataOf(await ada.api.post('/messages', { channelId, content: 'Hello' }));
  const due = { channelId, content: 'Later', dueAt: world.data.deps.now() + 3_600_000 };
  const scheduled = dataOf(await ada.browser.post('/scheduled-messages', due));
  const attempts: Attempt[] = [
    ['edit', () => ada.api.patch(`/messages/${own.id}`, { content: 'Listen' })],
    ['a scheduled message', () => ada.browser.post(`/scheduled-messages/${scheduled.id}/send`, {})],
  ];
  await assertRefusals(bob, ada.user, attempts, async () =>
    dataOf(await bob.api.get(`/channels/${channelId}/messages`)),
  );
});

test('a blocked sender can delete their own messages and reactions', async () => {
  const { bob, bot, agent, channelId } = await stage();
  const [one, two] = [
    dataOf(await bot.post('/messages', { channelId, content: 'Sorry' })),
    dataOf(await bot.post('/messages', { channelId, content: 'Sorry' })),
  ];
  const reaction = dataOf(await bot.post('/reactions', { messageId: one.id, emoji: '👋' }));
  const typing = dataOf(await bot.post('/indicators', { type: 'typing', channelId }));
  dataOf(await bob.browser.post('/blocks', { userId: agent.id }));
  dataOf(await bot.delete(`/reactions/${reaction.id}`));
  dataOf(await bot.delete(`/indicators/${typing.id}`));
  dataOf(await bot.delete(`/messages/${one.id}`));
  dataOf(await bot.post('/messages/delete', { channelId, ids: [two.id] }));
});

test('a block has no effect in a group', async () => {
  const [ada, bob, cid] = [await join(), await join(), await join()];
  const userIds = [bob.user.id, cid.user.id];
  const { id: channelId } = dataOf(await ada.api.post('/conversations', { userIds }));
  dataOf(await bob.browser.post('/blocks', { userId: ada.user.id }));
  const message = dataOf(await ada.api.post('/messages', { channelId, content: 'Hello' }));
  dataOf(await ada.api.patch(`/messages/${message.id}`, { content: 'Hello!' }));
  dataOf(await ada.api.post('/pins', { messageId: message.id }));
  dataOf(await ada.api.patch(`/channels/${channelId}`, { name: 'We three' }));
});
