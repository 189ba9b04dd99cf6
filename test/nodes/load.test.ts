import assert from 'node:assert/strict';

import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { type Answer, after, before, KeptClient, Site, test } from '../support/nodes.ts';
import { until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';

const random = seeded();

const NODES = 3;
const SENDERS = 40;
/**
 * Each sender's longest delay between two messages. It is long enough that the machine can handle all
 * senders.
 */
const PAUSE_MS = 500;
/** A sender reads its message from another node after this many messages. */
const READ_EVERY = 8;
/** The longest time that recovery may take after the database is back. */
const RECOVERY_MS = 10_000;
/** The longest time until a message is acknowledged, including all outages. */
const WRITE_WAIT_MS = 40_000;

/** A failed request. */
interface Trouble {
  at: number;
  /** Milliseconds since the request was sent. */
  took: number;
  node: number;
  /** 0 if there was no response. */
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** A period in which requests may fail: requests to one node, or all requests while the database is down. */
interface Absence {
  node?: number;
  from: number;
  to: number;
}

/** Senders that write continuously to the nodes in turn, retrying each message until it is acknowledged. */
class Crowd {
  readonly #site: Site;
  readonly #channelId: string;
  readonly troubles: Trouble[] = [];
  /** Each sender's acknowledged messages, in the order they were sent. */
  readonly sent: { id: string; content: string }[][] = [];
  /** For each sender, the time of its first successful response since `steady` was called. */
  #since: (number | undefined)[] = [];
  #working: Promise<void>[] = [];
  #isOver = false;
  #isAbandoned = false;
  /** The longest time until a request succeeded, in milliseconds. */
  slowest = 0;

  constructor(site: Site, channelId: string) {
    this.#site = site;
    this.#channelId = channelId;
  }

  start(keys: readonly string[]): void {
    this.#working = keys.map((key, sender) => this.#work(sender, key));
    // `stop` reports failures.
    for (const working of this.#working) working.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
  }

  /** Ends all senders, including those that wait for a response. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  /**
   * Waits until all senders succeed and nothing has failed for a second. Returns the time since which this has been
   * true.
   */
  async steady(): Promise<number> {
    this.#since = [];
    await until(
      () =>
        Object.keys(this.#since).length === this.#working.length &&
        performance.now() - (this.troubles.at(-1)?.at ?? 0) > 1_000,
      WRITE_WAIT_MS,
    );
    return Math.max(...(this.#since as number[]), this.troubles.at(-1)?.at ?? 0);
  }

  async #work(sender: number, key: string): Promise<void> {
    const client = new KeptClient(key);
    const acknowledged: { id: string; content: string }[] = [];
    this.sent[sender] = acknowledged;
    try {
      for (let number = 0; !this.#isOver; number++) {
        const content = `${sender}.${number}`;
        const body = { channelId: this.#channelId, content };
        const headers = { 'idempotency-key': content };
        const post = (node: number) =>
          client.call(this.#site.at(node), 'POST', '/api/v1/messages', body, headers);
        const { id } = (await this.#insist(sender, sender + number, post)).body.data;
        acknowledged.push({ id, content });
        if (number % READ_EVERY === 0) {
          const get = (node: number) => client.call(this.#site.at(node), 'GET', `/api/v1/messages/${id}`);
          await this.#insist(sender, sender + number + 1, get);
        }
        await sleep(random.next() * PAUSE_MS);
      }
    } finally {
      client.close();
    }
  }

  /** Tries the nodes in turn, starting with `first`, until one returns 200. */
  async #insist(sender: number, first: number, ask: (node: number) => Promise<Answer>): Promise<Answer> {
    const begun = performance.now();
    for (let attempt = first; ; attempt++) {
      const from = performance.now();
      const answer = await ask(attempt).catch(() => undefined);
      const at = performance.now();
      if (answer?.status === 200) {
        this.#since[sender] ??= at;
        this.slowest = Math.max(this.slowest, at - begun);
        return answer;
      }
      const { status = 0, headers, text = '' } = answer ?? {};
      const retryAfter = headers?.['retry-after'];
      this.troubles.push({ at, took: at - from, node: attempt % NODES, status, retryAfter, text });
      assert.ok(!this.#isAbandoned);
      assert.ok(at - begun < WRITE_WAIT_MS, `no node returned 200 within ${WRITE_WAIT_MS} ms: ${text}`);
      await sleep(50 + random.next() * 200);
    }
  }
}

let site: Site;
let crowd: Crowd;
const absences: Absence[] = [];

/** Asserts that all requests succeed soon after the database has come back, and records the outage. */
async function assertRecovers(from: number, say: (text: string) => void): Promise<void> {
  const back = performance.now();
  const steady = await crowd.steady();
  const took = Math.round(steady - back);
  say(`all ${SENDERS} senders succeeded ${took} ms after the database was back`);
  absences.push({ from, to: steady });
  assert.ok(took <= RECOVERY_MS, `it took ${took} ms`);
}

before(async () => {
  // Limits that are never reached. Without limits, requests would not be counted.
  site = await Site.open(NODES, { PALAVER_LIMITS: '{"*":1000000}' });
  const keys: string[] = [];
  for (let sender = 0; sender < SENDERS; sender++) keys.push((await site.mint({}, sender)).key);
  crowd = new Crowd(site, site.channelId);
  crowd.start(keys);
  await sleep(2_000);
  await crowd.steady();
  assert.deepEqual(crowd.troubles, []);
});
after(async () => {
  crowd?.abandon();
  await site?.close();
});

test('requests succeed again after the database has crashed', async (t) => {
  const from = performance.now();
  await site.postgres.stop('kill');
  // The outage lasts longer than a node waits for a connection.
  await sleep(4_000);
  await site.postgres.start();
  await assertRecovers(from, (text) => t.diagnostic(text));
  assert.ok(
    crowd.troubles.some(({ status }) => status === 503),
    'no response had a Retry-After',
  );
});

test('requests succeed again after the database was restarted', async (t) => {
  const from = performance.now();
  await site.postgres.stop('fast');
  await site.postgres.start();
  await assertRecovers(from, (text) => t.diagnostic(text));
});

test('the other nodes serve while a killed one restarts', async () => {
  const from = performance.now();
  await site.at(1).end('SIGKILL');
  await sleep(1_000);
  site.nodes[1] = await site.start({ PALAVER_LIMITS: '{"*":1000000}' });
  absences.push({ node: 1, from, to: performance.now() });
  await crowd.steady();
});

test('no request fails while Valkey is down', async (t) => {
  const before = crowd.troubles.length;
  crowd.slowest = 0;
  await site.valkey.kill();
  await sleep(2_000);
  await site.valkey.restart();
  await sleep(1_500);
  site.valkey.freeze();
  await sleep(2_000);
  site.valkey.thaw();
  await sleep(1_500);
  t.diagnostic(`the slowest request took ${Math.round(crowd.slowest)} ms`);
  assert.deepEqual(crowd.troubles.slice(before), []);
});

test('requests are rejected only during an outage', async (t) => {
  await crowd.stop();
  const refused = crowd.troubles.filter(({ status }) => status === 503);
  const longest = Math.round(Math.max(...refused.map(({ took }) => took)));
  t.diagnostic(`${refused.length} responses were 503, after up to ${longest} ms`);
  const unexcused = crowd.troubles.filter(({ at, took, node, status, retryAfter }) => {
    const during = absences.filter(({ from, to }) => at >= from && at - took <= to);
    return status === 503
      ? retryAfter === undefined || !during.some((absence) => absence.node === undefined)
      : status !== 0 || !during.some((absence) => absence.node === node);
  });
  assert.deepEqual(unexcused.slice(0, 10), []);
});

test('every acknowledged message exists once, in the order in which it was sent and committed', async (t) => {
  const listed = await listOf(site.inTurn, site.key, `/api/v1/channels/${site.channelId}/messages`);
  listed.reverse();
  t.diagnostic(`${listed.length} messages`);
  for (const [sender, acknowledged] of crowd.sent.entries()) {
    const there = listed.filter(({ content }) => content.startsWith(`${sender}.`));
    assert.deepEqual(
      there.map(({ id, content }) => ({ id, content })),
      acknowledged,
    );
  }
  assert.equal(listed.length, crowd.sent.flat().length);

  const events = await ask<{ seq: string; type: string; id: string; tx: string }>(
    site.database,
    'select seq, type, "contentOf" as id, xmin::text as tx from event order by "logId", seq',
  );
  assert.deepEqual(
    events.map(({ seq }) => Number(seq)),
    events.map((_, index) => index + 1),
  );
  const created = events.filter(({ type }) => type === 'message.created').map(({ id, tx }) => ({ id, tx }));
  assert.deepEqual(
    created.map(({ id }) => id).sort(),
    listed.map(({ id }) => id),
  );
  // A client that has read a channel to its end must find all later commits after that position.
  let end = '';
  for (const [, together] of Map.groupBy(created, ({ tx }) => tx)) {
    const ids = together.map(({ id }) => id).sort();
    assert.ok((ids[0] as string) > end, `${ids[0]} was committed after ${end}`);
    end = ids.at(-1) as string;
  }
});
