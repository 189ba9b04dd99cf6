import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '../support/databases.ts';
import { type Answer, KeptClient, Site, skip } from '../support/nodes.ts';
import { until } from '../support/process.ts';
import { listOf } from '../support/remote.ts';

const NODES = 3;
const SENDERS = 64;
/** Each sender waits up to this between two messages, in milliseconds, so that all of them fit into the time. */
const PAUSE_MS = 100;
/** After so many messages a sender looks for its last one at another node. */
const LOOK_EVERY = 8;
/** How long after the database is back everything may take to be as before, in milliseconds. */
const RECOVERY_MS = 10_000;
/** How long a message may take until it is acknowledged, whatever happens, in milliseconds. */
const PATIENCE_MS = 40_000;

/** A request without a good answer. */
interface Trouble {
  at: number;
  /** Milliseconds since it was sent. */
  took: number;
  node: number;
  /** 0 where there was no answer at all. */
  status: number;
  retryAfter: string | undefined;
  text: string;
}

/** A span of time in which requests may fail: of a node, or else of the database. */
interface Absence {
  node?: number;
  from: number;
  to: number;
}

/** Those who send without end, to one node after the other, each message until it is acknowledged. */
class Crowd {
  readonly #site: Site;
  readonly #channelId: string;
  readonly troubles: Trouble[] = [];
  /** By sender, the messages that were acknowledged, in the order in which they were sent. */
  readonly sent: { id: string; content: string }[][] = [];
  /** By sender, when it first had a good answer since `forget`. */
  #since: (number | undefined)[] = [];
  #working: Promise<void>[] = [];
  #isOver = false;
  #isAbandoned = false;
  /** How long a request took, at most, until it had a good answer, in milliseconds. */
  slowest = 0;

  constructor(site: Site, channelId: string) {
    this.#site = site;
    this.#channelId = channelId;
  }

  start(keys: readonly string[]): void {
    this.#working = keys.map((key, sender) => this.#work(sender, key));
    // Reported by `stop`.
    for (const working of this.#working) working.catch(() => {});
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
  }

  /** Lets nobody go on, whether they are done or not. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  /** Waits until all senders have good answers and nothing has failed for a second; gives when that began. */
  async steady(): Promise<number> {
    this.#since = [];
    await until(
      () =>
        Object.keys(this.#since).length === this.#working.length &&
        performance.now() - (this.troubles.at(-1)?.at ?? 0) > 1_000,
      PATIENCE_MS,
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
        if (number % LOOK_EVERY === 0) {
          const get = (node: number) => client.call(this.#site.at(node), 'GET', `/api/v1/messages/${id}`);
          await this.#insist(sender, sender + number + 1, get);
        }
        await sleep(Math.random() * PAUSE_MS);
      }
    } finally {
      client.close();
    }
  }

  /** Asks one node after the other, from `first` on, until one answers with 200. */
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
      assert.ok(at - begun < PATIENCE_MS, `no node has answered with 200 for ${PATIENCE_MS} ms: ${text}`);
      await sleep(50 + Math.random() * 200);
    }
  }
}

let site: Site;
let crowd: Crowd;
const absences: Absence[] = [];

/** Holds that all is as it was soon after the database has come back, and notes how long it was away. */
async function assertRecovers(from: number, say: (text: string) => void): Promise<void> {
  const back = performance.now();
  const steady = await crowd.steady();
  const took = Math.round(steady - back);
  say(`all ${SENDERS} senders had good answers ${took} ms after the database was back`);
  absences.push({ from, to: steady });
  assert.ok(took <= RECOVERY_MS, `it took ${took} ms`);
}

describe(`${SENDERS} senders over ${NODES} nodes`, { skip }, () => {
  before(async () => {
    // Limits that nobody meets: every request is counted all the same.
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

  test('go on after the database has crashed', async (t) => {
    const from = performance.now();
    await site.postgres.stop('kill');
    // Longer than a node waits for a connection.
    await sleep(4_000);
    await site.postgres.start();
    await assertRecovers(from, (text) => t.diagnostic(text));
    assert.ok(
      crowd.troubles.some(({ status }) => status === 503),
      'nobody was told to come back later',
    );
  });

  test('go on after the database was restarted', async (t) => {
    const from = performance.now();
    await site.postgres.stop('fast');
    await site.postgres.start();
    await assertRecovers(from, (text) => t.diagnostic(text));
  });

  test('go on at the others while a node that was killed starts again', async () => {
    const from = performance.now();
    await site.at(1).end('SIGKILL');
    await sleep(1_000);
    site.nodes[1] = await site.start({ PALAVER_LIMITS: '{"*":1000000}' });
    absences.push({ node: 1, from, to: performance.now() });
    await crowd.steady();
  });

  test('notice nothing of an absence of Valkey', async (t) => {
    const before = crowd.troubles.length;
    crowd.slowest = 0;
    site.valkey.kill();
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

  test('were refused only while something was away', async (t) => {
    await crowd.stop();
    const refused = crowd.troubles.filter(({ status }) => status === 503);
    const longest = Math.round(Math.max(...refused.map(({ took }) => took)));
    t.diagnostic(`${refused.length} answers were 503, after up to ${longest} ms`);
    const unexcused = crowd.troubles.filter(({ at, took, node, status, retryAfter }) => {
      const during = absences.filter(({ from, to }) => at >= from && at - took <= to);
      return status === 503
        ? retryAfter === undefined || !during.some((absence) => absence.node === undefined)
        : status !== 0 || !during.some((absence) => absence.node === node);
    });
    assert.deepEqual(unexcused.slice(0, 10), []);
  });

  test('find every acknowledged message once, in the order of its sender and of the commits', async (t) => {
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

    const events = await ask<{ seq: string; type: string; data: string; tx: string }>(
      site.database,
      'select seq, type, data, xmin::text as tx from event order by "logId", seq',
    );
    assert.deepEqual(
      events.map(({ seq }) => Number(seq)),
      events.map((_, index) => index + 1),
    );
    const created = events
      .filter(({ type }) => type === 'message.created')
      .map(({ data, tx }) => ({ id: JSON.parse(data).id as string, tx }));
    assert.deepEqual(
      created.map(({ id }) => id).sort(),
      listed.map(({ id }) => id),
    );
    // Who has read a channel to its end finds what is committed later behind that.
    let end = '';
    for (const [, together] of Map.groupBy(created, ({ tx }) => tx)) {
      const ids = together.map(({ id }) => id).sort();
      assert.ok((ids[0] as string) > end, `${ids[0]} was committed after ${end}`);
      end = ids.at(-1) as string;
    }
  });
});
