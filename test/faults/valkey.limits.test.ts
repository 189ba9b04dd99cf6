// @run sqlite, waits: uses no database; waits for time to pass
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Valkey } from '../../server/src/lib/valkey.ts';
import { SharedLimiter } from '../../server/src/limits/sharedLimiter.ts';
import type { Verdict } from '../../server/src/limits/slidingWindow.ts';
import { until } from '../support/process.ts';
import { testsUnless } from '../support/skipping.ts';
import { startValkey, type ValkeyServer, valkeyBinary } from '../support/valkeyServer.ts';

const WINDOW_MS = 6_000;
/** The timeout for a command, and the extra time that a busy machine may need. */
const TIMEOUT_MS = 150;
const SLACK_MS = 600;
/** Exceeds the time that nodes allow each other to report after an outage. */
const REPORTED_MS = 3_200;

interface Node {
  valkey: Valkey;
  limiter: SharedLimiter;
}

let server: ValkeyServer;
let nodes: Node[];
let open: { close(): void }[];

/** Adds a node that assumes that there are `count` nodes. */
function addNode(count: number): Node {
  const valkey = new Valkey({ url: server.url, timeout: TIMEOUT_MS });
  open.push(valkey);
  const options = { prefix: 'limit:', window: WINDOW_MS, nodes: () => count, now: Date.now };
  const node = { valkey, limiter: new SharedLimiter(valkey, options) };
  nodes.push(node);
  return node;
}

async function startNodes(count: number): Promise<void> {
  for (let number = 0; number < count; number++) addNode(count);
  await allUp();
}

const allUp = () => until(() => nodes.every(({ valkey }) => valkey.up));

/** Takes `times` slots concurrently at each node, and returns each node's verdicts. */
async function ask(times: number, limit: number, subject = 'one'): Promise<Verdict[][]> {
  const asked = nodes.map(({ limiter }) =>
    Promise.all(Array.from({ length: times }, () => limiter.take(subject, limit))),
  );
  return Promise.all(asked);
}

/** Takes `times` slots concurrently at one node, and returns how many it granted. */
const takeAt = async ({ limiter }: Node, times: number, limit = 10): Promise<number> =>
  accepted(await Promise.all(Array.from({ length: times }, () => limiter.take('one', limit))));

const accepted = (verdicts: Verdict[]): number => verdicts.filter((verdict) => verdict.accepted).length;
const perNode = (verdicts: Verdict[][]): number[] => verdicts.map(accepted);

const skip = valkeyBinary() ? false : 'no valkey-server or redis-server here';
const { afterEach, beforeEach, test } = testsUnless(skip);

beforeEach(async () => {
  server = await startValkey();
  nodes = [];
  open = [];
});
afterEach(async () => {
  for (const one of open) one.close();
  await server.stop();
});

test('Valkey frozen: requests wait once until the command times out, then not at all; each node grants its share', async () => {
  await startNodes(3);
  assert.equal(accepted((await ask(1, 100, 'other')).flat()), 3);
  server.freeze();
  const asked = performance.now();
  assert.deepEqual(perNode(await ask(20, 10)), [4, 4, 4]);
  const waited = performance.now() - asked;
  assert.ok(waited >= TIMEOUT_MS - 5 && waited < TIMEOUT_MS + SLACK_MS, `${waited} ms`);
  for (const { valkey, limiter } of nodes) {
    assert.equal(valkey.up, false);
    const verdict = limiter.take('one', 10);
    assert.ok(!(verdict instanceof Promise));
    assert.deepEqual([verdict.accepted, verdict.remaining], [false, 0]);
    assert.ok(verdict.resetMs > WINDOW_MS - SLACK_MS - 500 && verdict.resetMs <= WINDOW_MS);
  }
});

test('Valkey thawed: slots granted in the meantime count, and late replies are not mixed up', async () => {
  await startNodes(2);
  await ask(1, 100, 'other');
  server.freeze();
  assert.deepEqual(perNode(await ask(20, 10)), [5, 5]);
  server.thaw();
  await allUp();
  for (const verdict of (await ask(20, 10)).flat()) {
    assert.equal(verdict.accepted, false);
    assert.ok(verdict.resetMs >= 1 && verdict.resetMs <= WINDOW_MS);
  }
  // Users without requests during the outage have their full limit.
  const fresh = await Promise.all(
    Array.from({ length: 60 }, (_, index) => {
      const { limiter } = nodes[index % 2] as Node;
      return limiter.take(`user ${index % 6}`, 7);
    }),
  );
  for (let user = 0; user < 6; user++) {
    assert.equal(accepted(fresh.filter((_, index) => index % 6 === user)), 7);
  }
  const [[verdict]] = (await ask(1, 10)) as [[Verdict], [Verdict]];
  await sleep(verdict.resetMs + 5);
  assert.ok(accepted((await ask(1, 10)).flat()) > 0);
});

test('Valkey killed and restarted: slots granted in the meantime also count at a node that joined since, without further requests', async () => {
  await startNodes(2);
  await server.kill();
  await until(() => nodes.every(({ valkey }) => !valkey.up));
  const subjects = Array.from({ length: 700 }, (_, index) => `user ${index}`);
  for (const subject of subjects) assert.deepEqual(perNode(await ask(2, 2, subject)), [1, 1]);
  const { limiter, valkey } = addNode(3);
  nodes.pop();
  assert.equal(valkey.up, false);
  await server.restart();
  await until(() => nodes.every((node) => node.valkey.up) && valkey.up);
  const admin = new Redis(server.url);
  open.push({ close: () => admin.disconnect() });
  // Both nodes report everything, in more than one call.
  await until(async () => (await admin.llen('limit:user 699')) === 2);
  const verdicts = await Promise.all(subjects.map((subject) => limiter.take(subject, 2)));
  assert.equal(accepted(verdicts), 0);
  for (const { resetMs } of verdicts) assert.ok(resetMs >= 1 && resetMs <= WINDOW_MS);
});

test('several outages in one window: each node grants its share once, and nothing if it was used before', async () => {
  await startNodes(2);
  assert.equal(accepted((await ask(20, 10)).flat()), 10);
  let given = 0;
  const start = performance.now();
  for (let outage = 0; outage < 3; outage++) {
    server.freeze();
    given += accepted((await ask(20, 10)).flat());
    assert.deepEqual(perNode(await ask(20, 10, 'later')), outage === 0 ? [5, 5] : [0, 0]);
    server.thaw();
    await allUp();
    given += accepted((await ask(20, 10)).flat());
  }
  assert.ok(performance.now() - start < WINDOW_MS, 'the machine is too slow for this test');
  assert.equal(given, 0);
});

test('Valkey lost mid-window and empty afterwards: slots taken before still count, however unevenly across nodes', async () => {
  await startNodes(3);
  const limit = 30;
  const [busy, other, last] = nodes as [Node, Node, Node];
  const start = performance.now();
  const taken = [await takeAt(busy, 24, limit), await takeAt(other, 3, limit), await takeAt(last, 4, limit)];
  assert.deepEqual(taken, [24, 3, 3]);
  await server.kill();
  await until(() => nodes.every(({ valkey }) => !valkey.up));
  // The second node last knew of 27 taken slots: its share of these is 9.
  assert.deepEqual(perNode(await ask(40, limit)), [0, 1, 0]);
  await server.restart();
  await allUp();
  assert.deepEqual(perNode(await ask(40, limit)), [0, 0, 0]);
  assert.equal(accepted((await ask(40, limit, 'another')).flat()), limit);
  await sleep(REPORTED_MS);
  assert.deepEqual(perNode(await ask(40, limit)), [0, 0, 0]);
  assert.ok(performance.now() - start < WINDOW_MS, 'the machine is too slow for this test');
});

test('Valkey empty afterwards: until a missing node reports again, the other nodes keep to their shares', async () => {
  await startNodes(2);
  const [one, absent] = nodes as [Node, Node];
  const start = performance.now();
  assert.deepEqual([await takeAt(one, 5), await takeAt(absent, 5)], [5, 5]);
  absent.valkey.close();
  await server.restart();
  await until(() => one.valkey.up);
  const again = await takeAt(one, 20);
  assert.ok(performance.now() - start < WINDOW_MS, 'the machine is too slow for this test');
  assert.equal(again, 0);
});

test('slots that could not be reported immediately are reported later', async () => {
  await startNodes(2);
  const [{ limiter }, other] = nodes as [Node, Node];
  const admin = new Redis(server.url);
  open.push({ close: () => admin.disconnect() });
  await admin.set('limit:one', 'no list');
  server.freeze();
  await until(() => nodes.every(({ valkey }) => !valkey.up));
  assert.equal((await limiter.take('one', 2)).accepted, true);
  server.thaw();
  await allUp();
  await until(() => nodes.some(({ valkey }) => valkey.figures.failures > 0));
  await admin.del('limit:one');
  assert.equal((await limiter.take('one', 2)).remaining, 0);
  assert.equal((await other.limiter.take('one', 2)).accepted, false);
});

test('Valkey absent at startup: each node grants its share, and these slots count once Valkey is up', async () => {
  await server.kill();
  addNode(2);
  addNode(2);
  assert.deepEqual(perNode(await ask(5, 4)), [2, 2]);
  await server.restart();
  await allUp();
  const admin = new Redis(server.url);
  open.push({ close: () => admin.disconnect() });
  // Each node reports its own slots once it is connected.
  await until(async () => (await admin.llen('limit:one')) === 4);
  assert.deepEqual(perNode(await ask(5, 4)), [0, 0]);
  assert.deepEqual(accepted((await ask(5, 6, 'another')).flat()), 6);
});
