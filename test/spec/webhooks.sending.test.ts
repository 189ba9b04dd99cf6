import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { dataOf } from '../support/expect.ts';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import type { Receiver } from '../support/receiver.ts';
import type { Json } from '../support/world.ts';

const post = await Post.shared();
const { receiver } = post;
const channel = await post.scene.channel();

/**
 * The library rejects signatures that are more than five minutes old by the real clock, but the server uses the test
 * clock.
 */
function verified(secret: string, { text, headers }: Receiver['deliveries'][number]): Json {
  const real = Date.now;
  Date.now = () => post.clock.at;
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>);
  } finally {
    Date.now = real;
  }
}

test('an event is sent as it is in the feed, signed according to Standard Webhooks', async () => {
  const webhook = await post.webhook();
  assert.match(webhook.secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const message = await post.scene.message({ channelId: channel.id, content: 'Grüße 👋' });
  const [delivery] = (await receiver.got(1)) as [Receiver['deliveries'][number]];
  assert.equal(delivery.method, 'POST');
  assert.equal(delivery.headers['content-type'], 'application/json');
  assert.equal(delivery.headers['user-agent'], 'Palaver');
  assert.equal(delivery.headers['webhook-timestamp'], String(Math.floor(post.clock.at / 1000)));
  const event = verified(webhook.secret, delivery);
  assert.equal(delivery.headers['webhook-id'], event.id);
  assert.deepEqual(Object.keys(event), ['id', 'seq', 'type', 'serverId', 'actorId', 'actor', 'at', 'data']);
  assert.equal(event.type, 'message.created');
  assert.equal(event.actorId, post.scene.owner.id);
  assert.equal(event.data.id, message.id);
  assert.equal(event.data.content, 'Grüße 👋');
  assert.throws(() => verified(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, delivery));

  const [attempt, ...others] = await post.settled(webhook, 1);
  assert.deepEqual(others, []);
  const { eventId, type, status, error, nextAt, attempt: number } = attempt;
  assert.deepEqual(
    { eventId, type, status, error, nextAt, number },
    {
      eventId: event.id,
      type: 'message.created',
      status: 200,
      error: null,
      nextAt: null,
      number: 1,
    },
  );
});

test('events arrive in order, each once', async () => {
  await post.webhook();
  const contents = Array.from({ length: 120 }, (_, index) => `message ${index}`);
  await post.say(channel.id, ...contents);
  await receiver.got(120);
  assert.deepEqual(receiver.contents, contents);
});

test('types and channelId select events; a new webhook starts with the next event', async () => {
  const other = await post.scene.channel();
  await post.say(channel.id, 'before');
  await post.webhook({ types: ['channel.*', 'message.deleted'], name: 'types' });
  await post.webhook({ types: null, channelId: other.id, url: `${receiver.url}/channel`, name: 'channel' });
  const message = await post.scene.message({ channelId: channel.id, content: 'here' });
  await post.scene.message({ channelId: other.id, content: 'there' });
  dataOf(await post.scene.admin.delete(`/messages/${message.id}`));
  dataOf(await post.scene.admin.patch(`/channels/${other.id}`, { description: 'changed' }));
  await receiver.got(5);
  const typesAt = (path: string) =>
    receiver.deliveries.filter((delivery) => delivery.path === path).map(({ event }) => event.type);
  assert.deepEqual(typesAt('/'), ['message.deleted', 'channel.updated']);
  assert.deepEqual(typesAt('/channel'), ['webhook.created', 'message.created', 'channel.updated']);
});

test('a webhook sees what its role sees at the time of sending', async () => {
  const role = await post.scene.role({ canEditApp: true });
  const maker = await post.world.clientWithRole(post.scene.server, role);
  const closed = await post.scene.channel({ private: true });
  const letIn = await post.scene.channel({ private: true, roleIds: [role.id] });
  const made = dataOf(
    await maker.post('/webhooks', { url: receiver.url, types: ['message.created', 'secret.*'] }),
  );
  assert.equal(made.roleId, role.id);
  await post.say(closed.id, 'hidden');
  await post.say(letIn.id, 'shown');
  await receiver.got(1);
  dataOf(await post.scene.admin.patch(`/channels/${letIn.id}`, { roleIds: [] }));
  await post.say(letIn.id, 'hidden now');
  await post.scene.secret();
  await receiver.got(2);
  dataOf(await post.scene.admin.patch(`/roles/${role.id}`, { canEditApp: false }));
  await post.scene.secret();
  await post.say(channel.id, 'last');
  await receiver.got(3);
  assert.deepEqual(
    receiver.deliveries.map(({ event }) => event.data.content ?? event.type),
    ['shown', 'secret.created', 'last'],
  );
});

test('webhooks get no notifications, because notifications are for users', async () => {
  await post.webhook({ types: null });
  const user = await post.world.user();
  await post.world.member(post.scene.server, user);
  await post.say(channel.id, `Hello @${user.username}`, 'end');
  await until(() => receiver.contents.includes('end'));
  assert.ok(receiver.deliveries.every(({ event }) => !event.type.startsWith('notification')));
});

test('a new secret is shown once, and both secrets sign for 24 hours', async () => {
  const webhook = await post.webhook();
  const rotated = dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { rotateSecret: true }));
  assert.notEqual(rotated.secret, webhook.secret);
  assert.equal('secret' in (await post.now(webhook)), false);
  await post.say(channel.id, 'both');
  const [both] = (await receiver.got(1)) as [Receiver['deliveries'][number]];
  assert.equal(String(both.headers['webhook-signature']).split(' ').length, 2);
  assert.equal(verified(webhook.secret, both).data.content, 'both');
  assert.equal(verified(rotated.secret, both).data.content, 'both');
  post.clock.advance(24 * 3_600_000);
  await post.say(channel.id, 'one');
  const [, one] = (await receiver.got(2)) as [unknown, Receiver['deliveries'][number]];
  assert.equal(verified(rotated.secret, one).data.content, 'one');
  assert.throws(() => verified(webhook.secret, one));
});

test('after a rotation, the four previous secrets still sign', async () => {
  const webhook = await post.webhook();
  const rotate = async () =>
    dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { rotateSecret: true })).secret;
  const secrets = [webhook.secret, await rotate(), await rotate(), await rotate()];
  await post.say(channel.id, 'all');
  const [all] = (await receiver.got(1)) as [Receiver['deliveries'][number]];
  for (const secret of secrets) assert.equal(verified(secret, all).data.content, 'all');
  // Waits, because changing the webhook resends accepted events whose delivery is not stored yet.
  await post.settled(webhook, 1);
  secrets.push(await rotate(), await rotate());
  await post.say(channel.id, 'five');
  const [, five] = (await receiver.got(2)) as [unknown, Receiver['deliveries'][number]];
  for (const secret of secrets.slice(1)) assert.equal(verified(secret, five).data.content, 'five');
  assert.throws(() => verified(webhook.secret, five));
});

test('replay resends all events after the cursor with the same ids', async () => {
  const webhook = await post.webhook();
  const start = await post.scene.cursor();
  await post.say(channel.id, 'one', 'two');
  await receiver.got(2);
  const replayed = dataOf(await post.scene.admin.post(`/webhooks/${webhook.id}/replay`, { after: start }));
  assert.equal(replayed.id, webhook.id);
  await receiver.got(4);
  assert.deepEqual(receiver.contents, ['one', 'two', 'one', 'two']);
  const ids = receiver.deliveries.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(ids.slice(2), ids.slice(0, 2));
  dataOf(await post.scene.admin.post(`/webhooks/${webhook.id}/replay`, { after: ids[0] }));
  await receiver.got(5);
  assert.equal(receiver.contents.at(-1), 'two');
});

test('a disabled or deleted webhook sends nothing; a re-enabled one continues', async () => {
  const webhook = await post.webhook();
  const disabled = dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { enabled: false }));
  assert.deepEqual([disabled.enabled, disabled.disabledReason], [false, null]);
  await post.say(channel.id, 'kept');
  await post.pass(10_000);
  assert.equal(receiver.deliveries.length, 0);
  dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { enabled: true }));
  await receiver.got(1);
  dataOf(await post.scene.admin.delete(`/webhooks/${webhook.id}`));
  await post.say(channel.id, 'lost');
  await post.pass(10_000);
  assert.deepEqual(receiver.contents, ['kept']);
});
