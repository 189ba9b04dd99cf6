import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertRefused, dataOf } from '../support/expect.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { Scene } from '../support/scene.ts';
import { type Json, TestClock, World } from '../support/world.ts';

const clock = new TestClock();
const world = await World.open({
  clock,
  timers: true,
  privateWebhooks: true,
  webhooks: {},
  limits: { '*': 0 },
});
const scene = await Scene.open(world);
const receiver = await Receiver.open();
const bot = await world.client(scene.server, ['canEditData'], await world.user({ agent: true }));
const { id: channelId } = await scene.channel();
after(async () => {
  await world.node.webhooks?.stop();
  await receiver.close();
  await world.close();
});

const begin = (fields: object = {}): Promise<Json> =>
  scene.make('/messages', { channelId, streaming: true, ...fields }, bot);
const append = (id: string, offset: number, text: string, done?: boolean) =>
  bot.post(`/messages/${id}/append`, { offset, text, ...(done !== undefined && { done }) });
const messageOf = async (id: string): Promise<Json> => dataOf(await scene.admin.get(`/messages/${id}`));

/** Advances the clock and runs what is due. */
async function pass(ms: number): Promise<void> {
  clock.advance(ms);
  await world.node.clock?.look();
}

test('a stream stops after 60 seconds of silence and keeps its text; an append restarts the timeout', async () => {
  const user = await world.user();
  const reader = await world.client(scene.server, ['canEditData'], user);
  const { id } = await begin();
  const { id: empty } = await begin();
  dataOf(await append(id, 0, `Yes, @${user.username}`));
  await pass(40_000);
  const { length } = (await messageOf(id)).content;
  // Without text, an append keeps the stream open.
  dataOf(await append(id, length, ''));
  await pass(40_000);
  assert.equal((await messageOf(id)).stream, 'open');
  assertRefused(await scene.admin.get(`/messages/${empty}`), 'NOT_FOUND');
  assert.equal((await reader.get('/notifications')).data.length, 0);
  await pass(21_000);
  const { stream, content } = await messageOf(id);
  assert.deepEqual([stream, content], ['stopped', `Yes, @${user.username}`]);
  assert.equal((await reader.get('/notifications')).data.length, 1);
  const [{ type, actor, data }] = (await scene.admin.get('/events?limit=100')).data.filter(
    (event: Json) => event.data.id === id && event.type === 'message.updated',
  );
  assert.deepEqual([type, actor, data.finished], ['message.updated', 'system', true]);
  const [{ reason }] = (await append(id, length, 'more')).body.error.details;
  assert.equal(reason, 'ended');
  await pass(120_000);
});

test('a webhook gets a streamed message once, when it is complete, as a new message', async () => {
  for (const types of [['message.created'], ['message.*'], undefined])
    await scene.webhook({ url: receiver.url, ...(types && { types }) });
  await scene.webhook({ url: receiver.url, types: ['message.updated'] });
  receiver.clear();
  const { id } = await begin();
  dataOf(await append(id, 0, 'Hello'));
  dataOf(await scene.admin.post('/reactions', { messageId: id, emoji: '👍' }));
  dataOf(await append(id, 5, ' there', true));
  const { id: gone } = await begin();
  dataOf(await append(gone, 0, '', true));
  const edited = await scene.message({ channelId, content: 'Plain' });
  dataOf(await scene.admin.patch(`/messages/${edited.id}`, { content: 'Changed' }));
  const told = () =>
    receiver.deliveries
      .map(({ text }) => JSON.parse(text))
      .filter(({ type, data }) => type.startsWith('message.') && [id, gone, edited.id].includes(data.id));
  await until(() => told().filter(({ type }) => type === 'message.updated').length === 3);
  await until(() => told().filter(({ data }) => data.id === id).length === 3);
  for (const { type, data } of told().filter(({ data }) => data.id === id)) {
    assert.deepEqual([type, data.content, data.stream], ['message.created', 'Hello there', 'done']);
    assert.ok(!('finished' in data));
  }
  assert.deepEqual(
    told().filter(({ data }) => data.id === gone),
    [],
  );
});
