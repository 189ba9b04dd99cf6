import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Journal, MAX_UNSTORED_EVENTS } from '../../server/src/webhooks/journal.ts';
import { Slots } from '../../server/src/webhooks/slots.ts';
import { dataOf } from '../support/expect.ts';
import { Post } from '../support/post.ts';
import { until } from '../support/process.ts';
import { find, q } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

const EVENTS = 100;

const post = await Post.shared();
const channel = await post.scene.channel();

/** Creates a disabled webhook with `EVENTS` pending events. */
async function behind(): Promise<Json> {
  const webhook = await post.webhook();
  dataOf(await post.scene.admin.patch(`/webhooks/${webhook.id}`, { enabled: false }));
  await post.say(channel.id, ...Array.from({ length: EVENTS }, (_, index) => `message ${index}`));
  return webhook;
}

const enable = async ({ id }: Json) =>
  dataOf(await post.scene.admin.patch(`/webhooks/${id}`, { enabled: true }));

test('the progress after several events is stored in one write, and each event is listed', async () => {
  const webhook = await behind();
  const before = post.world.data.db.figures.works;
  await enable(webhook);
  await post.receiver.got(EVENTS, 30_000);
  const last = post.receiver.deliveries.at(-1)?.headers['webhook-id'];
  await until(async () => (await post.attempts(webhook))[0]?.eventId === last);
  const attempts = await post.attempts(webhook);
  const writes = post.world.data.db.figures.works - before;
  assert.ok(writes < EVENTS / 2, `${writes} writes for ${EVENTS} events`);
  assert.deepEqual(
    post.receiver.contents,
    Array.from({ length: EVENTS }, (_, index) => `message ${index}`),
  );
  const ids = post.receiver.deliveries.map(({ headers }) => headers['webhook-id']);
  assert.deepEqual(
    attempts.map(({ eventId }) => eventId),
    ids.toReversed().slice(0, attempts.length),
  );
});

test('events accepted before a failed one are stored, and not sent again', async () => {
  const webhook = await behind();
  const failing = 30;
  post.receiver.answers.push(...Array.from({ length: failing }, () => 200), 500);
  await enable(webhook);
  await post.receiver.got(failing + 1, 30_000);
  const [failed, last] = await post.settled(webhook, failing + 1);
  assert.deepEqual([failed.status, failed.attempt, last.status], [500, 1, 200]);
  await post.pass(5_600);
  await post.receiver.got(EVENTS + 1, 30_000);
  const counts = Map.groupBy(post.receiver.contents, (content) => content);
  for (const [content, times] of counts) assert.equal(times.length, content === `message ${failing}` ? 2 : 1);
  assert.equal(counts.size, EVENTS);
});

const attempt = (eventId: string) =>
  ({ eventId, type: 'message.created', attempt: 1, status: 200, error: null, ms: 1, nextAt: null }) as const;

/** A store whose writes wait for the test. */
class SlowStore {
  readonly writes: { cursor: string; size: number; done: PromiseWithResolvers<boolean> }[] = [];
  advance = (_webhook: unknown, { cursor }: { cursor: string }, attempts: readonly unknown[]) => {
    const done = Promise.withResolvers<boolean>();
    this.writes.push({ cursor, size: attempts.length, done });
    return done.promise;
  };
}

test(`at most ${MAX_UNSTORED_EVENTS} accepted events are unstored; then sending waits for the write`, async () => {
  const store = new SlowStore();
  const journal = new Journal(store, {} as never);
  let noted = 0;
  const sending = (async () => {
    while (noted < 2 * MAX_UNSTORED_EVENTS) {
      const isOwner = await journal.note(attempt(`event ${noted}`), `after ${noted}`);
      noted++;
      if (noted === 1) journal.begin();
      assert.ok(isOwner);
    }
  })();
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  assert.equal(noted, MAX_UNSTORED_EVENTS - 1, 'the next note waits');
  assert.deepEqual([store.writes.length, store.writes[0]?.size], [1, 1]);
  store.writes[0]?.done.resolve(true);
  await turn();
  assert.deepEqual([store.writes[1]?.size, store.writes[1]?.cursor], [MAX_UNSTORED_EVENTS - 1, 'after 19']);
  store.writes[1]?.done.resolve(true);
  await turn();
  assert.equal(noted, 2 * MAX_UNSTORED_EVENTS - 1);
  store.writes[2]?.done.resolve(true);
  await sending;
  assert.equal(await journal.flush(), true);
  assert.equal(
    store.writes.reduce((sum, { size }) => sum + size, 0),
    2 * MAX_UNSTORED_EVENTS,
  );
});

test('a node notices at the next event that another node has claimed a webhook', async () => {
  const store = new SlowStore();
  const journal = new Journal(store, {} as never);
  await journal.note(attempt('one'), 'after one');
  journal.begin();
  store.writes[0]?.done.resolve(false);
  assert.equal(await journal.flush(), false);
  assert.equal(await journal.note(attempt('two'), 'after two'), false);
});

test('a stalled node leaves a webhook to the node that claimed it in the meantime', async () => {
  const held: ServerResponse[] = [];
  post.receiver.otherwise = (response) => held.push(response);
  const [taken, kept] = [await post.webhook(), await post.webhook()];
  await post.say(channel.id, 'first', 'second');
  await post.receiver.got(2);
  const { db } = post.world.data;
  const other = { owner: 'another', ownedUntil: post.clock.at + 60_000 };
  await db.write((tx) => tx.run(q.updateTable('webhookState').set(other).where('id', '=', taken.id)));
  // The leases are renewed.
  const state = async () =>
    (await db.read.first(find('webhookState', { id: kept.id })))?.ownedUntil as number;
  const before = await state();
  post.clock.advance(1_000);
  await until(async () => (await state()) > before);
  for (const response of held.splice(0)) response.writeHead(200).end();
  await post.receiver.got(3);
  await sleep(200);
  assert.deepEqual(post.receiver.contents, ['first', 'first', 'second'], 'the other node sends the rest');
});

test('a failed write loses nothing: the next one includes its events', async () => {
  const store = new SlowStore();
  const journal = new Journal(store, {} as never);
  await journal.note(attempt('one'), 'after one');
  journal.begin();
  store.writes[0]?.done.reject(new Error('no space'));
  await assert.rejects(journal.flush(), /no space/);
  await journal.note(attempt('two'), 'after two');
  const flushed = journal.flush();
  store.writes[1]?.done.resolve(true);
  assert.equal(await flushed, true);
  assert.deepEqual([store.writes[1]?.size, store.writes[1]?.cursor], [2, 'after two']);
});

test('each server has one immediate slot, shared slots are assigned round-robin, and the limits hold', async () => {
  const slots = new Slots({ shared: 4, perKey: 4 });
  const ends = new Map<string, (() => void)[]>();
  const started: string[] = [];
  const running: Promise<void>[] = [];
  const run = (server: string) => {
    const work = async () => {
      started.push(server);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.set(server, [...(ends.get(server) ?? []), resolve]);
      await promise;
    };
    running.push(slots.use(server, work));
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (server: string) => {
    ends.get(server)?.shift()?.();
    await turn();
  };
  for (let count = 0; count < 10; count++) run('slow');
  await turn();
  assert.equal(started.length, 4, 'the slot of its server and three shared ones');
  for (const server of ['b', 'b', 'b', 'c', 'c', 'd']) run(server);
  await turn();
  assert.deepEqual(
    started.slice(4),
    ['b', 'b', 'c', 'd'],
    'each server gets its own slot immediately, and one also the last shared slot',
  );
  await end('slow');
  assert.equal(started.at(-1), 'slow', 'the webhook that has waited the longest is next');
  await end('slow');
  assert.equal(started.at(-1), 'b', 'the others follow, round-robin');
  await end('slow');
  assert.equal(started.at(-1), 'c');
  await end('d');
  assert.equal(started.length, 11, 'one server’s own slot is not given to others');
  for (let count = 0; count < 20; count++) for (const server of ends.keys()) await end(server);
  await Promise.all(running);
  assert.equal(started.length, 16);
  run('late');
  await turn();
  assert.equal(started.at(-1), 'late');
  await end('late');
});
