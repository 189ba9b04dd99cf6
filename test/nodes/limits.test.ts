// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { WINDOW_MS } from '../../server/src/limits/table.ts';
import { type Answer, after, before, KeptClient, Site, test } from '../support/nodes.ts';
import { call, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';

const random = seeded();

const NODES = 3;
const LIMIT = 10;
const PART = Math.ceil(LIMIT / NODES);
/** Concurrent requests sent to each node. */
const BURST = 20;
/** How long the nodes take to learn how many of them there are, with extra time for a busy machine. */
const COUNTING_MS = 4_000;
/** How long to keep sending requests after the window, in ms, if every slot has been taken again. */
const AFTER_RETAKEN_MS = 1_000;
/** How long to keep sending requests after the window, in ms, if some slots are still free. */
const RETAKEN_WAIT_MS = 15_000;

/** An accepted request. The limiter counted it at some time between `sent` and `answered`. */
interface Taken {
  node: number;
  sent: number;
  answered: number;
}

/** A user who sends to all nodes, and the accepted requests. */
class User {
  readonly client: KeptClient;
  readonly taken: Taken[] = [];
  readonly statuses = new Map<number, number>();

  constructor(key: string) {
    this.client = new KeptClient(key);
  }

  async ask(node: number): Promise<Answer> {
    const sent = performance.now();
    const answer = await this.client.call(site.at(node), 'GET', path);
    const { status } = answer;
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    if (status === 200) this.taken.push({ node, sent, answered: performance.now() });
    if (status === 429) assert.ok(Number(answer.headers['retry-after']) <= WINDOW_MS / 1_000);
    return answer;
  }

  /** Sends to all nodes at the same time, and returns how many requests each has accepted. */
  async burst(): Promise<number[]> {
    const before = this.taken.length;
    await Promise.all(Array.from({ length: BURST * NODES }, (_, number) => this.ask(number % NODES)));
    const fresh = this.taken.slice(before);
    return Array.from({ length: NODES }, (_, node) => fresh.filter((taken) => taken.node === node).length);
  }

  /** Sends to all nodes repeatedly. */
  async hammer(goesOn: () => boolean, pause: number): Promise<void> {
    const at = async (node: number) => {
      while (goesOn()) {
        await this.ask(node);
        await sleep(pause * (0.5 + random.next()));
      }
    };
    await Promise.all(Array.from({ length: NODES }, (_, node) => at(node)));
  }

  /**
   * The maximum number of requests that were certainly accepted in one window, among windows that end with a request
   * sent after `since`.
   */
  mostInWindow(since = 0): number {
    const before = (end: number) =>
      this.taken.filter(({ sent, answered }) => sent > end - WINDOW_MS && answered <= end);
    const ends = this.taken.filter(({ sent }) => sent > since).map(({ answered }) => answered);
    return Math.max(0, ...ends.map((end) => before(end).length));
  }
}

let site: Site;
let path: string;
const users: User[] = [];

async function newUser(): Promise<User> {
  const user = new User((await site.mint()).key);
  users.push(user);
  return user;
}

const checks = () =>
  Promise.all(
    site.nodes.map(async (node) => {
      const { status, body } = await call(node, 'GET', '/readyz');
      assert.equal(status, 200);
      return body.checks.valkey as string;
    }),
  );
const allSay = (words: RegExp) => until(async () => (await checks()).every((text) => words.test(text)));

const sum = (counts: number[]): number => counts.reduce((all, count) => all + count, 0);

before(async () => {
  site = await Site.open(NODES, { PALAVER_LIMITS: `{"*":0,"query":${LIMIT}}` });
  const counted = sleep(COUNTING_MS);
  const [server] = await listOf(site.at(0), site.key, '/api/v1/servers');
  path = `/api/v1/servers/${server.id}`;
  for (let user = 0; user < 5; user++) await newUser();
  await Promise.all([allSay(/^ok$/), counted]);
});
after(async () => {
  for (const { client } of users) client.close();
  await site?.close();
});

test('while Valkey is down, each node accepts its share; afterwards these slots count, and other users keep their full limit', async () => {
  const [killed, frozen, hasty, steady, late] = users as [User, User, User, User, User];

  await site.valkey.kill();
  await allSay(/^not ok/);
  assert.deepEqual(await killed.burst(), [PART, PART, PART]);
  const down = performance.now();
  await killed.hammer(() => performance.now() < down + 500, 20);
  assert.equal(killed.taken.length, PART * NODES);
  await site.valkey.restart();
  await allSay(/^ok$/);
  const back = performance.now();
  assert.equal(sum(await killed.burst()), 0);
  assert.equal(sum(await hasty.burst()), LIMIT);

  site.valkey.freeze();
  // The nodes have not noticed yet: these requests wait for Valkey until they time out, and then use the
  // node's share.
  const parts = await frozen.burst();
  assert.deepEqual(parts, [PART, PART, PART]);
  await allSay(/^not ok/);
  assert.equal(sum(await frozen.burst()), 0);
  site.valkey.thaw();
  await allSay(/^ok$/);
  const thawed = performance.now();
  assert.equal(sum(await frozen.burst()), 0);
  assert.equal(sum(await hasty.burst()), 0);
  assert.equal(sum(await late.burst()), LIMIT);

  const again = () => hasty.taken.slice(LIMIT).length;
  const goesOn = () =>
    performance.now() < back + WINDOW_MS + (again() < LIMIT ? RETAKEN_WAIT_MS : AFTER_RETAKEN_MS);
  await Promise.all([
    killed.hammer(goesOn, 600),
    frozen.hammer(goesOn, 600),
    hasty.hammer(goesOn, 250),
    steady.hammer(goesOn, 4_000),
    late.hammer(goesOn, 600),
  ]);
  assert.equal(again(), LIMIT, 'all slots are taken as soon as they are free again');
  for (const user of [hasty, steady, late]) assert.ok(user.mostInWindow() <= LIMIT);
  // Slots accepted while Valkey was down count like all other slots.
  assert.ok(killed.mostInWindow(back) <= LIMIT);
  assert.ok(frozen.mostInWindow(thawed) <= LIMIT);
  for (const { statuses } of users) assert.deepEqual([...statuses.keys()].sort(), [200, 429]);
});
