import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { makeServers, type OneServer } from '../support/manyServers.ts';
import { KeptClient, Site, skip } from '../support/nodes.ts';
import { type Running, until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { Route } from '../support/route.ts';
import { Stalls } from '../support/stalls.ts';

const SERVERS = 6;
/** The longest time for which a frozen node may affect others. */
const FELT_MS = 3_000;
/** How long the node is frozen. */
const STILL_MS = 4_500;
/**
 * The delay of the slow node's traffic to the database, which keeps it in the middle of transactions most of the
 * time.
 */
const DELAY_MS = 50;
/** The longest time until each message is acknowledged. */
const WRITE_WAIT_MS = 40_000;

interface Place extends OneServer {
  /** The acknowledged contents. */
  acknowledged: string[];
}

let site: Site;
const route = new Route(DELAY_MS);
const stalls = new Stalls();
let sick: Running;
let well: Running;
const places: Place[] = [];

/** Writes to a server through a node until `isOver`, retrying each message until it is acknowledged. */
class Sender {
  readonly #node: Running;
  readonly #place: Place;
  readonly #name: string;
  readonly working: Promise<void>;
  isOver = false;
  /** The status and the Retry-After header of each response other than 200, such as `503 1`. */
  readonly refusals: string[] = [];
  /** The longest time until a message was acknowledged. */
  slowest = 0;

  constructor(node: Running, place: Place, name: string) {
    this.#node = node;
    this.#place = place;
    this.#name = name;
    this.working = this.#work();
    this.working.catch(() => {});
  }

  async #work(): Promise<void> {
    const { key, channelId, acknowledged } = this.#place;
    const client = new KeptClient(key);
    try {
      for (let number = 0; !this.isOver; number++) {
        const content = `${this.#name} ${number}`;
        const from = performance.now();
        for (;;) {
          const { status, headers } = await client.call(
            this.#node,
            'POST',
            '/api/v1/messages',
            { channelId, content },
            { 'idempotency-key': content },
          );
          if (status === 200) break;
          this.refusals.push(`${status} ${headers['retry-after']}`);
          assert.ok(performance.now() - from < WRITE_WAIT_MS, `not acknowledged within ${WRITE_WAIT_MS} ms`);
          await sleep(100);
        }
        this.slowest = Math.max(this.slowest, performance.now() - from - stalls.since(from));
        acknowledged.push(content);
      }
    } finally {
      client.close();
    }
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.working;
  }
}

/** Returns the number of transactions that have been idle for longer than they would be on a healthy node. */
const held = async (): Promise<number> => {
  const rows = await ask<{ held: number }>(
    site.database,
    `select count(*)::int as held from pg_stat_activity where datname = current_database()
      and state = 'idle in transaction' and state_change < clock_timestamp() - interval '300 ms'`,
  );
  return rows[0]?.held ?? 0;
};

/** Freezes the node while it holds a lock. Retries until this succeeds. */
async function holdStill(stop: () => void, go: () => void | Promise<void>): Promise<number> {
  for (;;) {
    const from = performance.now();
    stop();
    await sleep(400);
    if ((await held()) > 0) return from;
    await go();
    // The node has recovered once its writes are acknowledged again.
    const before = acknowledged();
    await until(() => acknowledged() > before, WRITE_WAIT_MS);
    await sleep(300);
  }
}

const acknowledged = (): number => places.reduce((sum, place) => sum + place.acknowledged.length, 0);

async function assertFeltBriefly(
  name: string,
  stop: () => void,
  go: () => void,
  say: (text: string) => void,
): Promise<void> {
  const ofSick = places.map((place) => new Sender(sick, place, `${name}, sick`));
  await sleep(500);
  const from = await holdStill(stop, go);
  const ofWell = places.map((place) => new Sender(well, place, `${name}, well`));
  say(`${await held()} of the node's transactions were idle`);
  await sleep(STILL_MS - (performance.now() - from));
  for (const sender of ofSick) sender.isOver = true;
  go();
  const back = performance.now();
  await Promise.all(ofSick.map((sender) => sender.end()));
  say(`the node had responded to everything ${Math.round(performance.now() - back)} ms after it resumed`);
  await Promise.all(ofWell.map((sender) => sender.end()));
  const slowest = Math.max(...ofWell.map((sender) => sender.slowest));
  say(`the slowest write through the other node took ${Math.round(slowest)} ms`);
  assert.deepEqual(
    ofWell.flatMap(({ refusals }) => refusals),
    [],
  );
  assert.ok(slowest <= FELT_MS, `others were delayed by ${Math.round(slowest)} ms`);
  const refusals = ofSick.flatMap(({ refusals }) => refusals);
  say(`${refusals.length} requests were rejected`);
  assert.deepEqual(
    refusals.filter((refusal) => refusal !== '503 1'),
    [],
  );
}

describe('a node that freezes in the middle of writes', { skip }, () => {
  before(async () => {
    site = await Site.open(0);
    well = await site.start();
    sick = await site.start({ DATABASE_URL: await route.open(site.database) });
    for (const made of await makeServers(site.database, SERVERS)) places.push({ ...made, acknowledged: [] });
  });
  after(async () => {
    sick?.child.kill('SIGCONT');
    stalls.stop();
    await site?.close();
    route.close();
  });

  test('delays others by at most three seconds if its process is stopped', async (t) => {
    const { child } = sick;
    await assertFeltBriefly(
      'frozen',
      () => child.kill('SIGSTOP'),
      () => void child.kill('SIGCONT'),
      (text) => t.diagnostic(text),
    );
  });

  test('delays others by at most three seconds if its network is cut', async (t) => {
    await assertFeltBriefly(
      'cut off',
      () => route.cut(),
      () => route.mend(),
      (text) => t.diagnostic(text),
    );
  });

  test('loses no acknowledged write, and does nothing twice', async () => {
    for (const { key, channelId, acknowledged } of places) {
      const there = await listOf(well, key, `/api/v1/channels/${channelId}/messages`);
      assert.deepEqual(there.map(({ content }) => content).sort(), acknowledged.sort());
    }
  });
});
