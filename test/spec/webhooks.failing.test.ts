// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dataOf } from '../support/expect.ts';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import { Receiver } from '../support/receiver.ts';
import { eventIdOf, positionOfEventId, update } from '../support/sources.ts';

const post = await Post.shared();
const { receiver } = post;
const channel = await post.scene.channel();

test('a failed event is retried with the same id, before later events', async () => {
  const webhook = await post.webhook();
  receiver.answers.push(500, 503);
  await post.say(channel.id, 'one', 'two');
  await receiver.got(1);
  const [first] = await post.settled(webhook, 1);
  assert.equal(first.status, 500);
  assert.equal(first.error, 'returned 500');
  // The schedule from Standard Webhooks, with 10% jitter: 5 s, then 5 min.
  assert.ok(Math.abs(first.nextAt - post.clock.at - 5_000) <= 500);
  await post.pass(4_400);
  assert.equal(receiver.deliveries.length, 1);
  await post.pass(1_200);
  await receiver.got(2);
  const [second] = await post.settled(webhook, 2);
  assert.equal(second.attempt, 2);
  assert.ok(Math.abs(second.nextAt - post.clock.at - 300_000) <= 30_000);
  await post.pass(331_000);
  await receiver.got(4);
  assert.deepEqual(receiver.contents, ['one', 'one', 'one', 'two']);
  const ids = receiver.deliveries.map(({ headers }) => headers['webhook-id']);
  assert.equal(new Set(ids.slice(0, 3)).size, 1);
  const stamps = receiver.deliveries.map(({ headers }) => Number(headers['webhook-timestamp']));
  assert.ok((stamps[2] as number) > (stamps[1] as number), 'each attempt is signed with its own time');
  const attempts = await post.settled(webhook, 4);
  assert.deepEqual(
    attempts.map(({ attempt, status }) => [attempt, status]),
    [
      [1, 200],
      [3, 200],
      [2, 503],
      [1, 500],
    ],
  );
});

test('Retry-After is honoured as seconds and as a date, up to a day', async () => {
  const webhook = await post.webhook();
  // An HTTP date has no milliseconds.
  post.clock.at = Math.ceil(post.clock.at / 1000) * 1000;
  const waits: [header: string, ms: number][] = [
    ['3600', 3_600_000],
    [new Date(post.clock.at + 7_200_000).toUTCString(), 7_200_000],
    ['999999999', 86_400_000],
  ];
  await post.say(channel.id, 'patience');
  // Waits, because changing the webhook resends accepted events whose delivery is not stored yet.
  await post.settled(webhook, 1);
  for (const [index, [header, ms]] of waits.entries()) {
    const at = post.clock.at;
    dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { enabled: true }));
    receiver.answers.push((response) => response.writeHead(429, { 'retry-after': header }).end());
    await post.say(channel.id, `wait ${index}`);
    await receiver.got(2 + index);
    const [{ nextAt }] = await post.settled(webhook, 2 + index);
    assert.equal(nextAt, at + ms, header);
    dataOf(
      await post.scene.admin.post(`/webhooks/${webhook.id}/replay`, { after: await post.scene.cursor() }),
    );
  }
});

test('a webhook whose attempts all fail is disabled after the last, and loses no event', async () => {
  const webhook = await post.webhook();
  receiver.otherwise = 500;
  await post.say(channel.id, 'kept', 'too');
  const days = [5e3, 3e5, 18e5, 72e5, 18e6, 36e6, 504e5, 72e6, 864e5];
  for (const [index, delay] of days.entries()) {
    const [latest] = await post.settled(webhook, index + 1);
    const wait = latest.nextAt - post.clock.at;
    assert.ok(Math.abs(wait - delay) <= delay / 10, `${wait} ms after failure ${index + 1}`);
    await post.pass(wait);
  }
  const [last] = await post.settled(webhook, 10);
  assert.equal(last.attempt, 10);
  assert.equal(last.nextAt, null);
  const disabled = await post.now(webhook);
  assert.equal(disabled.enabled, false);
  assert.equal(disabled.disabledReason, 'failing');
  assert.deepEqual(new Set(receiver.contents), new Set(['kept']));

  receiver.otherwise = 200;
  receiver.deliveries.length = 0;
  const again = dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { enabled: true }));
  assert.deepEqual([again.enabled, again.disabledReason], [true, null]);
  await receiver.got(2);
  assert.deepEqual(receiver.contents, ['kept', 'too']);
});

test('410 disables the webhook immediately, and the log shows it', async () => {
  const watcher = await post.webhook({ types: ['webhook.updated'], url: `${receiver.url}/watcher` });
  const webhook = await post.webhook();
  receiver.answers.push(410);
  await post.say(channel.id, 'gone');
  await until(() => receiver.deliveries.some(({ path }) => path === '/watcher'));
  const told = receiver.deliveries.find(({ path }) => path === '/watcher')?.event;
  assert.equal(told.actorId, null);
  assert.deepEqual(told.data, await post.now(webhook));
  assert.deepEqual([told.data.enabled, told.data.disabledReason], [false, 'gone']);
  assert.equal((await post.now(watcher)).enabled, true);
});

test('redirects are not followed and count as failures', async () => {
  const elsewhere = await Receiver.open();
  const webhook = await post.webhook();
  for (const status of [301, 302, 307, 308]) {
    receiver.answers.push((response) => response.writeHead(status, { location: elsewhere.url }).end());
    await post.say(channel.id, `redirected ${status}`);
    await until(async () => (await post.attempts(webhook))[0]?.status === status);
    const [{ error }] = await post.attempts(webhook);
    assert.equal(error, `returned ${status}: redirects are not followed`);
    dataOf(
      await post.scene.admin.post(`/webhooks/${webhook.id}/replay`, { after: await post.scene.cursor() }),
    );
  }
  assert.equal(elsewhere.deliveries.length, 0);
  await elsewhere.close();
});

test('an unresponsive receiver does not delay the others', async () => {
  const stuck = Array.from({ length: 60 }, (_, index) =>
    post.webhook({ url: `${receiver.url}/stuck/${index}` }),
  );
  await Promise.all(stuck);
  await post.webhook({ url: `${receiver.url}/well` });
  receiver.otherwise = (response, { path }) => {
    if (path === '/well') response.end();
  };
  await post.say(channel.id, 'one', 'two', 'three');
  const well = () => receiver.deliveries.filter(({ path }) => path === '/well').length;
  await until(() => well() === 3, 3_000);
});

test('the status of a response counts, regardless of its size, even if it never ends', async () => {
  const webhook = await post.webhook();
  receiver.answers.push((response) => response.writeHead(200).write('x'.repeat(300_000)));
  receiver.answers.push((response) => response.writeHead(200).write('x'));
  await post.say(channel.id, 'large', 'endless', 'last');
  await receiver.got(3);
  const attempts = await post.settled(webhook, 3);
  assert.ok(attempts.every(({ status }) => status === 200));
});

test('a broken connection and an unreachable receiver are failures', async () => {
  const webhook = await post.webhook();
  // On a reused connection, the request is retried immediately, once.
  receiver.otherwise = (response) => response.socket?.destroy();
  await post.say(channel.id, 'broken');
  const [broken] = await post.settled(webhook, 1);
  assert.deepEqual([broken.status, broken.error], [null, 'the connection was closed without a response']);
  assert.ok(receiver.deliveries.length <= 2);
  const gone = await Receiver.open();
  await gone.close();
  dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { url: gone.url }));
  const [refused] = await post.settled(webhook, 2);
  assert.deepEqual([refused.status, refused.error], [null, 'the connection was refused']);
  const url = receiver.url.replace('http:', 'https:');
  dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { url }));
  const [insecure] = await post.settled(webhook, 3);
  assert.equal(insecure.status, null);
  assert.equal(insecure.error, 'the TLS connection failed: check the certificate');
});

test('events removed from the log are listed as a gap, and the webhook continues with the next one', async () => {
  const webhook = await post.webhook();
  const { admin } = post.scene;
  dataOf(await admin.patch(`/webhooks/${webhook.id}`, { enabled: false }));
  await post.say(channel.id, 'forgotten');
  post.clock.advance(40 * 86_400_000);
  await post.say(channel.id, 'kept');
  await post.world.tidy();
  dataOf(await admin.patch(`/webhooks/${webhook.id}`, { enabled: true }));
  await receiver.got(1);
  assert.deepEqual(receiver.contents, ['kept']);
  const [sent, gap] = await post.settled(webhook, 2);
  assert.deepEqual([sent.status, gap.type, gap.status], [200, 'gap', null]);
  assert.match(gap.error, /no longer kept/);

  // Simulates a restored backup: the last event sent belongs to a history that no longer exists.
  const { serverId } = webhook;
  const { seq } = positionOfEventId(serverId, await post.scene.cursor()) as { seq: number };
  const cursor = eventIdOf(serverId, { epoch: 'abcdefabcdef', seq });
  const state = { cursor, seq, owner: null, ownedUntil: 0 };
  await post.world.data.db.write((tx) => tx.run(update('webhookState', webhook.id, state)));
  dataOf(await admin.patch(`/webhooks/${webhook.id}`, { name: 'Restored' }));
  await until(async () => (await post.attempts(webhook)).some(({ error }) => /no longer has/.test(error)));
  await post.say(channel.id, 'new');
  await receiver.got(2);
  assert.deepEqual(receiver.contents, ['kept', 'new']);
});
