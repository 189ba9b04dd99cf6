// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStream } from '../support/eventStream.ts';
import { makeServers, type OneServer } from '../support/manyServers.ts';
import { type Answer, KeptClient, Site, skip } from '../support/nodes.ts';
import { until } from '../support/process.ts';
import { type ProxyServer, proxyNames, skipProxy, startProxy } from '../support/proxies.ts';
import { listOf } from '../support/remote.ts';
import { seeded } from '../support/seeded.ts';
import { freePort } from '../support/valkeyServer.ts';

const random = seeded();

const NODES = 2;
const ROUNDS = 2;
/** Clients of each proxy, each with a server of its own. */
const CLIENTS = 3;
/** A client's longest delay between two requests, in milliseconds. */
const PAUSE_MS = 400;
/**
 * At debug, the log has a line for each request. The drain takes longer than the proxies' polling interval
 * for /readyz.
 */
const environment = { PALAVER_DRAIN: '3', PALAVER_PROXIES: '1', PALAVER_LOG_LEVEL: 'debug' };

/** Clients behind one proxy that write and read continuously, and never retry. */
class Crowd {
  readonly #proxy: ProxyServer;
  readonly #name: string;
  readonly #servers: readonly OneServer[];
  /** Requests whose response was not 2xx. */
  readonly failures: string[] = [];
  /** The ids of each client's messages, in the order they were sent. */
  readonly sent: string[][] = [];
  /** The ids of the first client's messages in the event stream. */
  readonly told: string[] = [];
  streams = 0;
  requests = 0;
  #isOver = false;
  #isSent = false;
  #isAbandoned = false;
  #working: Promise<unknown> = Promise.resolve();
  #following: Promise<void> = Promise.resolve();

  constructor(name: string, proxy: ProxyServer, servers: readonly OneServer[]) {
    this.#name = name;
    this.#proxy = proxy;
    this.#servers = servers;
  }

  /** Starts the clients once a stream follows the first client's server. */
  async start(): Promise<void> {
    this.#following = this.#follow(this.#servers[0] as OneServer);
    // `stop` reports this failure, like the others.
    this.#following.catch(() => {});
    await until(() => this.streams > 0);
    this.#working = Promise.all(this.#servers.map((server) => this.#work(server)));
    this.#working.catch(() => {});
  }

  /** Stops the clients, and then the stream once it has delivered everything. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#working;
    this.#isSent = true;
    await this.#following;
  }

  /** Aborts the clients and the stream. */
  abandon(): void {
    this.#isOver = true;
    this.#isAbandoned = true;
  }

  /** Asserts that the lists of messages contain all acknowledged ones, once and in order. */
  async assertKept(site: Site): Promise<void> {
    for (const [client, { key, channelId }] of this.#servers.entries()) {
      const listed = await listOf(site.inTurn, key, `/api/v1/channels/${channelId}/messages`);
      assert.deepEqual(listed.map(({ id }) => id).reverse(), this.sent[client]);
    }
  }

  async #work({ key, channelId }: OneServer): Promise<void> {
    const client = new KeptClient(key);
    const sent: string[] = [];
    this.sent.push(sent);
    const body = { channelId, content: 'over and out' };
    while (!this.#isOver) {
      const answer = await this.#ask(client, 'POST', '/api/v1/messages', body);
      if (answer) sent.push(answer.body.data.id);
      await sleep(random.next() * PAUSE_MS);
      await this.#ask(client, 'GET', `/api/v1/channels/${channelId}/messages?limit=1`);
      await sleep(random.next() * PAUSE_MS);
    }
    client.close();
  }

  /** The id of each request starts with the proxy's name, so a node's log shows which proxy sent it. */
  async #ask(client: KeptClient, method: string, path: string, body?: object): Promise<Answer | undefined> {
    const headers = { 'x-request-id': `${this.#name}.${++this.requests}` };
    const from = performance.now();
    const answer = await client.call(this.#proxy, method, path, body, headers).catch((error: Error) => error);
    if ('status' in answer && answer.status === 200) return answer;
    const outcome = 'status' in answer ? `${answer.status} ${answer.text}` : answer.message;
    this.failures.push(`${method} after ${Math.round(performance.now() - from)} ms: ${outcome}`);
    return undefined;
  }

  /** Follows a server, and opens a new stream whenever one ends. */
  async #follow({ key }: OneServer): Promise<void> {
    let cursor = '';
    const isComplete = () =>
      this.#isAbandoned || (this.#isSent && this.told.length >= (this.sent[0]?.length ?? 0));
    while (!isComplete()) {
      const stream = await EventStream.open(this.#proxy, key, {}, cursor ? { 'last-event-id': cursor } : {});
      this.streams++;
      if (stream.status !== 200) {
        this.failures.push(`a stream was answered with ${stream.status}`);
        await sleep(PAUSE_MS);
        continue;
      }
      cursor ||= stream.headers['last-event-id'] as string;
      let taken = 0;
      await until(() => {
        for (const { id, event, data } of stream.blocks.slice(taken)) {
          taken++;
          cursor = id ?? cursor;
          if (!event && data?.type === 'message.created') this.told.push(data.data.id);
        }
        return stream.isOver || isComplete();
      }, 60_000);
      stream.close();
    }
  }
}

describe('nodes that are restarted in turn under load', { skip }, () => {
  let site: Site;
  const proxies = new Map<string, ProxyServer>();
  const crowds = new Map<string, Crowd>();

  before(async () => {
    const ports = [await freePort(), await freePort()];
    site = await Site.open(NODES, environment, ports);
    const here = proxyNames.filter((name) => !skipProxy(name));
    const servers = await makeServers(site.database, here.length * CLIENTS);
    for (const name of here) {
      const proxy = await startProxy(name, site.nodes);
      proxies.set(name, proxy);
      crowds.set(name, new Crowd(name, proxy, servers.splice(0, CLIENTS)));
    }
    for (const crowd of crowds.values()) await crowd.start();
    await Promise.all(site.nodes.map((_, node) => isServing(node)));
    for (let restart = 0; restart < ROUNDS * NODES; restart++) {
      const node = restart % NODES;
      assert.equal(await site.at(node).end(), 0);
      site.nodes[node] = await site.start(environment, ports[node]);
      await isServing(node);
    }
    await Promise.all([...crowds.values()].map((crowd) => crowd.stop()));
  });
  after(async () => {
    for (const crowd of crowds.values()) crowd.abandon();
    for (const proxy of proxies.values()) await proxy.close();
    await site?.close();
  });

  /** Waits until requests reach a node through every proxy. */
  const isServing = (node: number) =>
    until(() => [...crowds.keys()].every((name) => site.at(node).log().includes(`"${name}.`)), 60_000, 100);

  for (const name of proxyNames) {
    test(`lose no request behind ${name}`, { skip: skipProxy(name) }, async (t) => {
      const crowd = crowds.get(name) as Crowd;
      const { failures, sent, told, requests, streams } = crowd;
      t.diagnostic(`${requests} requests, ${streams} streams, ${failures.length} failures`);
      if (failures.length > 0) t.diagnostic(proxies.get(name)?.log().slice(-2_000) ?? '');
      assert.deepEqual(failures.slice(0, 10), []);
      assert.ok(sent.every((ids) => ids.length > ROUNDS * NODES));
      assert.ok(streams > 1, 'no stream was ended');
      assert.deepEqual(told, sent[0]);
    });
  }

  test('store every acknowledged message exactly once', async () => {
    for (const crowd of crowds.values()) await crowd.assertKept(site);
  });
});
