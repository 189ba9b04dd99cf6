import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { assertRefused, dataOf } from '../support/expect.ts';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';
import { addDelivery } from '../support/rows.ts';
import { Scene } from '../support/scene.ts';
import { remove } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

const NOBODY = '0193a5f0-7b1c-7d2e-8f3a-4b5c6d7e8f90';

const post = await Post.shared();
const { receiver } = post;
const channel = await post.scene.channel();

const ping = ({ id }: Json) => post.scene.admin.post(`/webhooks/${id}/ping`);
const redeliver = (deliveryId: string) =>
  post.scene.admin.post(`/webhook-deliveries/${deliveryId}/redeliver`);

/** A webhook's delivery, once it has been sent. */
async function outcomeOf(webhook: Json, { id }: Json): Promise<Json> {
  const found = async () => (await post.attempts(webhook)).find((delivery) => delivery.id === id);
  await until(async () => (await found())?.attempt > 0);
  return found();
}

test('a ping is sent immediately and signed, and its delivery shows the outcome', async () => {
  const webhook = await post.webhook({ types: ['channel.created'] });
  const asked = dataOf(await ping(webhook));
  assert.deepEqual([asked.type, asked.attempt, asked.status, asked.error], ['ping', 0, null, null]);
  assert.equal(asked.webhookId, webhook.id);
  const [sent] = (await receiver.got(1)) as [Receiver['deliveries'][number]];
  assert.equal(sent.headers['webhook-id'], asked.eventId);
  // Standard Webhooks signs the id, the time in seconds and the body, separated by dots.
  const signer = new Webhook(webhook.secret);
  assert.equal(
    sent.headers['webhook-signature'],
    signer.sign(asked.eventId, new Date(post.clock.at), sent.text),
  );
  assert.deepEqual(sent.event, {
    id: asked.eventId,
    type: 'ping',
    serverId: post.scene.server.id,
    actorId: null,
    actor: 'system',
    at: post.clock.at,
    data: await post.now(webhook),
  });
  assert.ok(!sent.text.includes('sealed') && !sent.text.includes(webhook.secret));
  const { attempt, status, error, nextAt } = await outcomeOf(webhook, asked);
  assert.deepEqual([attempt, status, error, nextAt], [1, 200, null, null]);
  const again = dataOf(await redeliver(asked.id));
  await receiver.got(2);
  assert.equal(receiver.deliveries[1]?.headers['webhook-id'], asked.eventId);
  assert.equal((await outcomeOf(webhook, again)).type, 'ping');
  const log = await post.scene.admin.get('/events?limit=100');
  assert.ok(
    log.data.every(({ type }: Json) => type !== 'ping'),
    'the log does not contain it',
  );
});

test('a failed ping is not retried and disables nothing; a disabled webhook can be pinged', async () => {
  const webhook = await post.webhook();
  receiver.answers.push(410, 500);
  const gone = await outcomeOf(webhook, dataOf(await ping(webhook)));
  assert.deepEqual([gone.status, gone.error, gone.nextAt], [410, 'returned 410', null]);
  assert.equal((await post.now(webhook)).enabled, true);
  dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { enabled: false }));
  const failed = await outcomeOf(webhook, dataOf(await ping(webhook)));
  assert.equal(failed.status, 500);
  await post.pass(400_000);
  assert.equal(receiver.deliveries.length, 2);
  assert.equal((await outcomeOf(webhook, dataOf(await ping(webhook)))).status, 200);
});

test('one delivery can be sent again with its id, without changing the order of the later ones', async () => {
  const webhook = await post.webhook();
  await post.say(channel.id, 'one', 'two');
  await receiver.got(2);
  const [, first] = await post.settled(webhook, 2);
  receiver.answers.push(500);
  await post.say(channel.id, 'three');
  await receiver.got(3);
  const again = dataOf(await redeliver(first.id));
  assert.notEqual(again.id, first.id);
  assert.deepEqual([again.eventId, again.type, again.attempt], [first.eventId, first.type, 0]);
  await receiver.got(4);
  assert.deepEqual(receiver.contents, ['one', 'two', 'three', 'one']);
  assert.equal(receiver.deliveries[3]?.text, receiver.deliveries[0]?.text);
  assert.equal((await outcomeOf(webhook, again)).status, 200);
  await post.pass(6_000);
  await receiver.got(5);
  assert.equal(receiver.contents[4], 'three', 'the failed one is retried in its turn');
});

test('an event that the role can no longer see is not sent again', async () => {
  const role = await post.scene.role({ canEditApp: true });
  const maker = await post.world.clientWithRole(post.scene.server, role);
  const closed = await post.scene.channel({ private: true, roleIds: [role.id] });
  const made = dataOf(await maker.post('/webhooks', { url: receiver.url, types: ['message.created'] }));
  await post.say(closed.id, 'secret');
  await receiver.got(1);
  const [sent] = await post.settled(made, 1);
  dataOf(await post.scene.admin.patch(`/channels/${closed.id}`, { roleIds: [] }));
  await post.say(channel.id, 'seen');
  await receiver.got(2);
  const again = await outcomeOf(made, dataOf(await redeliver(sent.id)));
  assert.deepEqual([again.status, again.attempt], [null, 1]);
  assert.match(again.error, /can no longer see it$/);
  assert.deepEqual(receiver.contents, ['secret', 'seen']);
});

test('deliveries from other servers, gaps, expired events and incoming webhooks cannot be resent', async () => {
  const webhook = await post.webhook();
  const other = await Scene.open(post.world);
  const eventId = await other.cursor();
  const { id: elsewhere } = await addDelivery(post.world, (await other.webhook()).id, { eventId });
  assertRefused(await redeliver(elsewhere), 'FORBIDDEN');
  assertRefused(await redeliver(NOBODY), 'NOT_FOUND');
  const { id: gap } = await addDelivery(post.world, webhook.id, { type: 'gap', attempt: 0 });
  assertRefused(await redeliver(gap), 'INVALID_REQUEST', 'a gap', 'id');
  await post.say(channel.id, 'forgotten');
  await receiver.got(1);
  const [sent] = await post.settled(webhook, 2);
  await post.world.data.db.write((tx) =>
    tx.run(remove('event', { logId: post.scene.server.id, type: 'message.created' })),
  );
  const refused = await redeliver(sent.id);
  assertRefused(refused, 'INVALID_REQUEST', 'no longer kept', 'id');
  const into = await post.scene.webhook({ direction: 'in', url: undefined, channelId: channel.id });
  assertRefused(await ping(into), 'INVALID_REQUEST', 'receives', 'id');
  const keeper = await post.world.client(post.scene.server, ['canEditServer']);
  assertRefused(await keeper.post(`/webhooks/${webhook.id}/ping`, {}), 'FORBIDDEN');
});

test('at most ten requests can be queued for one webhook', async () => {
  const webhook = await post.webhook();
  receiver.otherwise = () => {};
  const answers = await Promise.all(Array.from({ length: 20 }, () => ping(webhook)));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 10);
  for (const answer of refused) {
    assertRefused(answer, 'INVALID_REQUEST');
    assert.match(answer.body.error.message, /^10 deliveries of this webhook are pending/);
  }
});

test('a delivery claimed by a node that died is sent by another node', async () => {
  const webhook = await post.webhook();
  const eventId = await post.scene.cursor();
  const waits = { eventId, attempt: 0, status: null, ms: 0, nextAt: post.clock.at + 30_000 };
  const row = await addDelivery(post.world, webhook.id, { ...waits, type: 'webhook.created' });
  // Requests from other webhooks may still arrive.
  const received = () =>
    receiver.deliveries.filter(({ headers }) => headers['webhook-id'] === eventId).length;
  await post.pass(29_000);
  assert.equal(received(), 0);
  await post.pass(1_000);
  await until(() => received() === 1);
  assert.equal((await outcomeOf(webhook, row)).status, 200);
});
