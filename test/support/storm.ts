import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { ask } from './databases.ts';
import { type Answer, KeptClient, type Site } from './nodes.ts';
import { call, type Environment, type Running, until } from './process.ts';
import { jsonOf, listOf } from './remote.ts';
import { seeded } from './seeded.ts';
import type { Json } from './world.ts';

const random = seeded();

/** A server to write to, with the keys of its writers. */
export interface Place {
  serverId: string;
  /** The key of the server's creator, who can see everything. */
  key: string;
  /** Keys of agents with the default role. */
  memberKeys: readonly string[];
  openId: string;
  /** A channel that the creator can see and the members cannot. */
  closedId: string;
}

/**
 * The faults. `pause` is the longest time until the next one and `lasts` the longest duration, both in milliseconds.
 * `part` is the fraction of connections that are cut, and `rollback` that of transactions that are rolled back.
 */
const kill = { pause: 2_500, lasts: 1_500 };
const cut = { pause: 2_500, part: 0.4 };
const lateCommit = { pause: 1_000, lasts: 1_000, rollback: 0.3 };
const silence = { pause: 6_000, lasts: 3_000 };

/** The longest time that a sender waits between two writes. */
const PAUSE_MS = 320;
/** The longest time until a write is acknowledged, despite all faults. */
const WRITE_WAIT_MS = 60_000;
/** The shortest time that a storm lasts, and the longest time that it may take to reach ENOUGH. */
const LEAST_MS = 10_000;
const MOST_MS = 180_000;
/** The counts that a storm must reach before it ends, so every kind of fault occurs. */
const ENOUGH = { acknowledged: 300, kills: 4, cuts: 12, late: 10, rolledBack: 3, silences: 1 };

const cutSome = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and random() < $1`;
const lockServer = 'select 1 from server where id = $1 for no key update';
const appendEvent = `insert into event ("logId", seq, type, "actorId", "channelId", at, data, epoch)
  select $1, coalesce(max(seq), 0) + 1, 'server.updated', null, null, $2, '{}',
    (select value from setting where name = 'epoch')
  from event where "logId" = $1`;

/** Creates a place in the server from the first run, and places in further servers that it creates with commands. */
export async function makePlaces(site: Site, count: number, members: number): Promise<Place[]> {
  const [{ id: serverId, creatorId: userId }] = (await listOf(site.at(0), site.key, '/api/v1/servers')) as [
    Json,
  ];
  const places = [await makePlace(site, serverId, site.key, members)];
  for (let number = 1; number < count; number++) {
    const server = jsonOf(
      await site.run(['server', 'create', '--name', `Server ${number}`, '--owner', userId, '--json']),
    );
    const minted = jsonOf(
      await site.run([
        'key',
        'create',
        '--server',
        server.id,
        '--user',
        userId,
        '--flags',
        'canAdmin',
        '--json',
      ]),
    );
    places.push(await makePlace(site, server.id, minted.key, members));
  }
  return places;
}

async function makePlace(site: Site, serverId: string, key: string, members: number): Promise<Place> {
  const make = async (path: string, body: object) => {
    const answer = await call(site.at(0), 'POST', `/api/v1${path}`, { key, body });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const { id: openId } = await make('/channels', { name: 'open' });
  const { id: closedId } = await make('/channels', { name: 'closed', private: true });
  const memberKeys: string[] = [];
  for (let number = 0; number < members; number++) {
    memberKeys.push((await make('/secrets', { kind: 'apiKey', name: `Member ${number}` })).key);
  }
  return { serverId, key, memberKeys, openId, closedId };
}

/**
 * Writes in all places through all nodes while faults happen: nodes are killed, database connections are cut,
 * transactions stay open and commit late or roll back, and Valkey is killed and restarted.
 */
export class Storm {
  readonly counts = { acknowledged: 0, repeated: 0, kills: 0, cuts: 0, late: 0, rolledBack: 0, silences: 0 };
  /** The contents of all acknowledged messages. */
  readonly sent: string[] = [];
  readonly killed: Running[] = [];
  readonly #site: Site;
  readonly #places: readonly Place[];
  readonly #senders: number;
  readonly #environment: Environment;
  #working: Promise<void>[] = [];
  #isOver = false;

  /** `senders` is the number of writers in each place; `environment` is the nodes' environment. */
  constructor(site: Site, places: readonly Place[], senders: number, environment: Environment = {}) {
    this.#site = site;
    this.#places = places;
    this.#senders = senders;
    this.#environment = environment;
  }

  start(): void {
    this.#working = [this.#killNodes(), this.#cutConnections(), this.#silenceValkey()];
    for (const [number, place] of this.#places.entries()) {
      this.#working.push(this.#commitLate(place));
      for (let sender = 0; sender < this.#senders; sender++) {
        this.#working.push(this.#send(place, `${number}.${sender}`));
      }
    }
    // `stop` reports any failure.
    for (const working of this.#working) working.catch(() => {});
  }

  /** Waits until the storm has lasted LEAST_MS and reached ENOUGH. */
  async rage(): Promise<void> {
    await sleep(LEAST_MS);
    const names = Object.keys(ENOUGH) as (keyof typeof ENOUGH)[];
    await until(() => names.every((name) => this.counts[name] >= ENOUGH[name]), MOST_MS).catch(() =>
      assert.fail(`after ${MOST_MS} ms the storm has only reached ${JSON.stringify(this.counts)}`),
    );
  }

  /** Ends the storm, with all nodes running. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#working);
  }

  async #send(place: Place, name: string): Promise<void> {
    const client = new KeptClient(place.key);
    try {
      for (let number = 0; !this.#isOver; number++) {
        const content = `${name}.${number}`;
        const channelId = random.next() < 0.7 ? place.openId : place.closedId;
        const insist = (method: string, path: string, what: string, body: object) =>
          this.#insist((node) =>
            client.call(this.#site.at(node), method, path, body, { 'idempotency-key': `${content} ${what}` }),
          );
        const message = await insist('POST', '/api/v1/messages', 'send', { channelId, content });
        this.sent.push(content);
        const { id: messageId } = message.body.data;
        const choice = random.next();
        if (choice < 0.2) await insist('POST', '/api/v1/reactions', 'react', { messageId, emoji: '👍' });
        else if (choice < 0.3) await insist('PATCH', `/api/v1/messages/${messageId}`, 'edit', { content });
        await sleep(random.next() * PAUSE_MS);
      }
    } finally {
      client.close();
    }
  }

  /** Tries the nodes in turn until one responds with 200. */
  async #insist(ask: (node: number) => Promise<Answer>): Promise<Answer> {
    const begun = performance.now();
    for (let attempt = Math.floor(random.next() * 100); ; attempt++) {
      const answer = await ask(attempt).catch(() => undefined);
      if (answer?.status === 200) {
        this.counts.acknowledged++;
        if (answer.headers['idempotency-replayed']) this.counts.repeated++;
        return answer;
      }
      if (answer) assert.equal(answer.status, 503, answer.text);
      assert.ok(performance.now() - begun < WRITE_WAIT_MS, `not acknowledged within ${WRITE_WAIT_MS} ms`);
      await sleep(50 + random.next() * 200);
    }
  }

  async #killNodes(): Promise<void> {
    const { nodes } = this.#site;
    while (await this.#rest(kill.pause)) {
      const number = Math.floor(random.next() * nodes.length);
      const node = this.#site.at(number);
      await node.end('SIGKILL');
      this.killed.push(node);
      this.counts.kills++;
      await sleep(random.next() * kill.lasts);
      nodes[number] = await this.#startNode();
    }
  }

  /**
   * Starts a node, and restarts it, as a supervisor would, if it loses its database connection before it is ready.
   */
  async #startNode(): Promise<Running> {
    for (;;) {
      const node = await this.#site.start(this.#environment).catch((error: Error) => error);
      if (!(node instanceof Error)) return node;
      assert.match(node.message, /ended with 1: .*(PostgreSQL cannot be reached|the connection was lost)/s);
    }
  }

  async #cutConnections(): Promise<void> {
    while (await this.#rest(cut.pause)) {
      this.counts.cuts += (await ask(this.#site.database, cutSome, [cut.part])).length;
    }
  }

  async #silenceValkey(): Promise<void> {
    const { valkey } = this.#site;
    while (await this.#rest(silence.pause)) {
      await valkey.kill();
      await sleep(random.next() * silence.lasts);
      await valkey.restart();
      this.counts.silences++;
    }
  }

  /** Appends events as nodes do, in transactions that stay open for a while. */
  async #commitLate({ serverId }: Place): Promise<void> {
    while (await this.#rest(lateCommit.pause)) {
      const client = new Client(this.#site.database);
      client.on('error', () => {});
      try {
        await client.connect();
        await client.query('begin');
        await client.query(lockServer, [serverId]);
        await client.query(appendEvent, [serverId, Date.now()]);
        await sleep(random.next() * lateCommit.lasts);
        const isCommitted = random.next() >= lateCommit.rollback;
        await client.query(isCommitted ? 'commit' : 'rollback');
        this.counts[isCommitted ? 'late' : 'rolledBack']++;
      } catch {
        // The connection was cut. Only the log shows whether the commit took effect.
      } finally {
        await client.end().catch(() => {});
      }
    }
  }

  /** Waits for a random time of at most `longest` milliseconds. Returns false if the storm has ended. */
  async #rest(longest: number): Promise<boolean> {
    const until = performance.now() + longest * (0.3 + 0.7 * random.next());
    while (!this.#isOver && performance.now() < until) await sleep(50);
    return !this.#isOver;
  }
}
