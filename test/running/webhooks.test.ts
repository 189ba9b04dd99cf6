// @run sqlite: tests files, which are the same on every engine
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import type { Db } from '../../server/src/db/contract.ts';
import { find } from '../../server/src/db/statements.ts';
import { toWebhook } from '../../server/src/resources/webhook/webhookRecord.ts';
import { Dispatcher } from '../../server/src/webhooks/dispatcher.ts';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';

let post: Post;
before(async () => {
  post = await Post.open();
});
after(() => post.close());

/** The value of a sample of `/metrics`; undefined if there is none. */
async function sample(name: string): Promise<number | undefined> {
  const { body } = await post.world.request('GET', `${post.world.url}/metrics`);
  const line = (body as string).split('\n').find((line) => line.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.slice(name.length));
}

test('/metrics counts attempts by outcome, the lag, and disabled webhooks', async () => {
  const attempts = (outcome: string) => sample(`palaver_webhook_attempts_total{outcome="${outcome}"}`);
  assert.deepEqual(
    [await attempts('accepted'), await attempts('rejected'), await attempts('unanswered')],
    [0, 0, 0],
  );
  const channel = await post.scene.channel();
  const webhook = await post.webhook();
  post.receiver.answers.push(200, 500);
  // On a reused connection, the request is retried immediately.
  post.receiver.otherwise = (response) => response.socket?.destroy();
  await post.say(channel.id, 'accepted', 'rejected, unanswered, then accepted', 'gone');
  await post.settled(webhook, 2);
  await post.pass(6_000);
  await post.settled(webhook, 3);
  post.receiver.answers.push(200, 410);
  await post.pass(400_000);
  await until(async () => (await post.now(webhook)).disabledReason === 'gone');
  // The metrics are updated once a second.
  await until(async () => (await attempts('accepted')) === 2);
  assert.equal(await attempts('rejected'), 2);
  assert.equal(await attempts('unanswered'), 1);
  assert.equal(await sample('palaver_webhooks_disabled_total{reason="gone"}'), 1);
  assert.equal(await sample('palaver_webhooks_disabled_total{reason="failing"}'), 0);
  assert.equal(await sample('palaver_webhook_lag_seconds_count'), 2);
  assert.ok(((await sample('palaver_webhook_lag_seconds_sum')) ?? 0) > 300, 'the lag of the retried event');
});

test('a node that stops leaves no webhook claimed, even by a late claim', async () => {
  const { data, feed } = post.world;
  const channel = await post.scene.channel();
  const webhook = await post.webhook();
  await post.webhooks.stop();
  await post.say(channel.id, 'for another node');
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  let claim: Promise<unknown> | undefined;
  let isClosed = false;
  const write = async (...args: Parameters<Db['write']>): Promise<unknown> => {
    if (isClosed) throw new Error('the database is closed');
    if (claim) return data.db.write(...args);
    claim = gate.then(() => data.db.write(...args));
    return claim;
  };
  const db = new Proxy(data.db, {
    get(_, name) {
      if (name === 'write') return write;
      const value = Reflect.get(data.db, name, data.db);
      return typeof value === 'function' ? value.bind(data.db) : value;
    },
  });
  const options = { ...data, db, feed, allowedHosts: { allowPrivate: true, hosts: [] }, toRecord: toWebhook };
  const node = new Dispatcher(options, pino({ level: 'silent' }));
  await until(() => claim !== undefined);
  const stopped = node.stop().then(() => {
    isClosed = true;
  });
  await Promise.race([stopped, sleep(200)]);
  open();
  await Promise.all([stopped, claim]);
  await sleep(100);
  assert.equal((await data.db.read.first(find('webhookState', { id: webhook.id })))?.owner, null);
});
