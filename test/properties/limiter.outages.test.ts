// @run sqlite: uses no database
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { SharedLimiter } from '../../server/src/limits/sharedLimiter.ts';
import type { Ceiling, Verdict } from '../../server/src/limits/slidingWindow.ts';
import { FakeValkey } from '../support/fakeValkey.ts';

// Outages to the millisecond, on a simulated Valkey. `faults/valkey.limits` tests them with a real one.

const WINDOW_MS = 60_000;
/** How long nodes have to report after Valkey has lost its data. */
const REPORT_MS = 3_000;
/** The delay until a node asks again whether Valkey has lost its data. */
const RETRY_MS = 250;
/** The most requests in one call. */
const MAX_CALL = 256;

/** Nodes that have connected to the same Valkey. */
async function clusterOf<const N extends number[]>(...numbers: N) {
  const valkey = new FakeValkey(WINDOW_MS);
  const nodes = numbers.map(
    () =>
      new SharedLimiter(valkey.client, {
        prefix: 'limit:',
        window: WINDOW_MS,
        nodes: () => numbers.length,
        now: () => valkey.now,
      }),
  ) as { [K in keyof N]: SharedLimiter };
  await valkey.return();
  return { valkey, nodes };
}

/** Takes slots one after another, and returns how many were granted. */
async function granted(
  node: SharedLimiter,
  times: number,
  limit: number,
  ceiling?: Ceiling,
): Promise<number> {
  let count = 0;
  for (let time = 0; time < times; time++) if ((await node.take('ada', limit, ceiling)).accepted) count++;
  return count;
}

test('nodes share one window: no slot for a refused request, and the wait until the first is free', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const verdicts: Verdict[] = [];
  for (const node of [nodes[0], nodes[1], nodes[0], nodes[1]]) {
    verdicts.push(await node.take('ada', 3));
    valkey.now += 10;
  }
  assert.deepEqual(verdicts, [
    { accepted: true, remaining: 2, resetMs: WINDOW_MS },
    { accepted: true, remaining: 1, resetMs: WINDOW_MS - 10 },
    { accepted: true, remaining: 0, resetMs: WINDOW_MS - 20 },
    { accepted: false, remaining: 0, resetMs: WINDOW_MS - 30 },
  ]);
  valkey.now += WINDOW_MS - 40;
  assert.deepEqual(await nodes[0].take('ada', 3), { accepted: true, remaining: 0, resetMs: 10 });
});

test('a full ceiling refuses the request with its own wait, and takes no slot of either window', async () => {
  const { valkey, nodes } = await clusterOf(1);
  const [node] = nodes;
  const ceiling = { subject: 'agents', limit: 2 };
  const under = { accepted: true, remaining: 4, resetMs: WINDOW_MS };
  assert.deepEqual(await node.take('bot', 5, ceiling), under);
  valkey.now += 10;
  assert.deepEqual(await node.take('app', 5, ceiling), under);
  valkey.now += 10;
  assert.deepEqual(await node.take('app', 5, ceiling), {
    accepted: false,
    remaining: 4,
    resetMs: WINDOW_MS - 10,
    ceilingMs: WINDOW_MS - 20,
  });
  assert.deepEqual([valkey.taken('limit:app'), valkey.taken('limit:agents')], [1, 2]);
  const full = await node.take('app', 1, { subject: 'others', limit: 2 });
  assert.deepEqual(full, { accepted: false, remaining: 0, resetMs: WINDOW_MS - 10 });
  assert.equal(valkey.taken('limit:others'), 0);
});

test('requests in one turn share a call of limited size, and those during a call share the next one', async () => {
  const { valkey, nodes } = await clusterOf(1);
  const [node] = nodes;
  const take = (count: number) => Array.from({ length: count }, () => node.take('ada', 1_000));
  const verdicts = take(2 * MAX_CALL);
  for (let count = 0; count < 2; count++) {
    await turn();
    verdicts.push(...take(1));
  }
  assert.equal((await Promise.all(verdicts)).at(-1)?.remaining, 1_000 - 2 * MAX_CALL - 2);
  assert.deepEqual(
    valkey.calls.map((keys) => keys.length),
    [MAX_CALL, MAX_CALL, 2],
  );
  await node.take('ada', 1_000);
  assert.equal(valkey.calls.length, 4);
});

test("while Valkey is down, each node's share includes what it has used and knows to be used", async () => {
  const { valkey, nodes } = await clusterOf(1, 2, 3);
  const [busy, other, fresh] = nodes;
  assert.equal(await granted(busy, 4, 10), 4);
  assert.equal(await granted(other, 1, 10), 1);
  valkey.up = false;
  // A share of 4. The second node knows of 5 requests, 2 of which count towards its share.
  assert.deepEqual(
    [await granted(busy, 9, 10), await granted(other, 9, 10), await granted(fresh, 9, 10)],
    [0, 2, 4],
  );
  assert.ok(!(other.take('ada', 10) instanceof Promise), 'decided immediately');
  await valkey.return();
  assert.equal(valkey.taken('limit:ada'), 4 + 1 + 2 + 4);
  assert.equal(await granted(fresh, 1, 10), 0);
});

test('a node that knows of a full window grants only the rest of its share', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const [one, other] = nodes;
  assert.equal(await granted(one, 9, 7), 7);
  assert.equal(await granted(other, 1, 7), 0);
  valkey.up = false;
  assert.equal(await granted(other, 1, 7), 0, 'four of the slots count as its own');
});

test('a share under a ceiling counts towards the ceiling as well, and both are reported', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const [one, other] = nodes;
  const ceiling = { subject: 'agents', limit: 5 };
  assert.equal(await granted(one, 1, 30, ceiling), 1);
  valkey.up = false;
  assert.deepEqual([await granted(one, 9, 30, ceiling), await granted(other, 9, 30, ceiling)], [2, 3]);
  await valkey.return();
  assert.deepEqual([valkey.taken('limit:ada'), valkey.taken('limit:agents')], [6, 6]);
  assert.equal(await granted(one, 1, 30, ceiling), 0);
});

test("a second outage starts with the slots taken since the first one's end", async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const [node] = nodes;
  valkey.up = false;
  assert.equal(await granted(node, 1, 8), 1);
  await valkey.return();
  assert.equal(await granted(node, 3, 8), 3);
  valkey.up = false;
  assert.equal(await granted(node, 1, 8), 0, 'its share of 4 is used up');
});

test('a call that fails is decided locally, and its reports are repeated', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const [node] = nodes;
  valkey.up = false;
  assert.equal(await granted(node, 2, 10), 2);
  valkey.failing = 'takes';
  await valkey.return();
  assert.equal(await granted(node, 9, 10), 3, 'the rest of its share');
  valkey.failing = 'nothing';
  assert.equal((await node.take('ada', 10)).remaining, 4, 'five are reported with the sixth request');
});

test('after an outage, every subject is reported, in calls of limited size', async () => {
  const { valkey, nodes } = await clusterOf(1);
  valkey.up = false;
  for (let user = 0; user < 2 * MAX_CALL + 1; user++) await nodes[0].take(`user ${user}`, 3);
  await valkey.return();
  assert.deepEqual(
    valkey.calls.map((keys) => keys.length),
    [MAX_CALL, MAX_CALL, 1],
  );
  assert.equal(valkey.taken(`limit:user ${2 * MAX_CALL}`), 1);
});

test('a report of requests that have expired takes no slot', async () => {
  const { valkey, nodes } = await clusterOf(1);
  valkey.up = false;
  assert.equal(await granted(nodes[0], 1, 3), 1);
  valkey.now += WINDOW_MS;
  await valkey.return();
  assert.equal(valkey.taken('limit:ada'), 0);
});

test('after Valkey has lost its data, a node keeps to its share for three seconds', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const [one, other] = nodes;
  assert.equal(await granted(one, 2, 10), 2);
  assert.equal(await granted(other, 5, 10), 5);
  valkey.up = false;
  valkey.forget();
  await valkey.return();
  assert.equal(valkey.taken('limit:ada'), 7, 'both reported everything');
  assert.equal(await granted(other, 1, 10), 0, 'its share is used up');
  assert.equal(await granted(one, 1, 10), 1);
  valkey.now += REPORT_MS - 1;
  assert.equal(await granted(other, 1, 10), 0);
  valkey.now += 1;
  assert.equal(await granted(other, 9, 10), 2, 'the shared window alone decides');
});

test('if Valkey returns with its data, the shared window alone decides', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  assert.equal(await granted(nodes[0], 5, 10), 5);
  valkey.up = false;
  await valkey.return();
  assert.equal(await granted(nodes[0], 9, 10), 5);
  assert.equal(valkey.taken('limit:ada'), 10, 'nothing was reported twice');
});

test('until a node knows whether Valkey has lost its data, it keeps to its share', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { valkey, nodes } = await clusterOf(1, 2);
  const [node] = nodes;
  assert.equal(await granted(node, 5, 10), 5);
  valkey.up = false;
  valkey.failing = 'everything';
  await valkey.return();
  valkey.failing = 'nothing';
  valkey.now += REPORT_MS;
  assert.equal(await granted(node, 1, 10), 0);
  t.mock.timers.tick(RETRY_MS - 1);
  for (let turns = 0; turns < 9; turns++) await turn();
  assert.equal(await granted(node, 1, 10), 0);
  t.mock.timers.tick(1);
  for (let turns = 0; turns < 9; turns++) await turn();
  assert.equal(await granted(node, 9, 10), 5);
});

test('requests wait for the mark, so none is granted before the requests during an outage are known', async () => {
  const { valkey, nodes } = await clusterOf(1, 2);
  const [one, other] = nodes;
  assert.equal(await granted(one, 5, 10), 5);
  valkey.up = false;
  valkey.forget();
  const returned = valkey.return();
  const verdict = one.take('ada', 10);
  assert.ok(verdict instanceof Promise);
  assert.equal((await verdict).accepted, false);
  await returned;
  assert.equal(await granted(other, 9, 10), 5);
});
