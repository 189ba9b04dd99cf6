import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresConnection } from '../../server/src/db/postgres/connection.ts';
import { make } from '../../server/src/db/postgres/migrate.ts';
import { ask } from '../support/databases.ts';
import { fiveTables } from '../support/fiveTables.ts';
import { makeServers, type OneServer } from '../support/manyServers.ts';
import { KeptClient, Site, skip } from '../support/nodes.ts';
import { until } from '../support/process.ts';

const NODES = 2;
const SERVERS = 6;
/** The number of clients per server. They are spread evenly over the nodes. */
const CLIENTS = 4;
/** The longest time that the migration may take. */
const MIGRATION_MS = 10_000;
/** Responses that each client gets before and after the migration. */
const ANSWERS = 10;

let site: Site;
let servers: OneServer[];

/** A client that writes and reads until stopped. */
class Busy {
  answers = 0;
  readonly refusals: string[] = [];
  readonly working: Promise<void>;
  #isOver = false;

  constructor(number: number) {
    this.working = this.#work(number, servers[number % SERVERS] as OneServer);
    this.working.catch(() => {});
  }

  async #work(number: number, { key, serverId, channelId }: OneServer): Promise<void> {
    const client = new KeptClient(key);
    const node = site.at(Math.floor(number / SERVERS));
    const messages = `/api/v1/channels/${channelId}/messages`;
    try {
      for (let turn = 0; !this.#isOver; turn++) {
        const content = `message ${turn}`;
        const calls: [string, string, unknown?][] = [
          ['POST', '/api/v1/messages', { channelId, content }],
          ['GET', messages],
          ['GET', `${messages}?q=${turn}`],
          ['PATCH', `/api/v1/channels/${channelId}`, { description: content }],
          ['GET', `/api/v1/servers/${serverId}`],
          ['GET', `/api/v1/servers/${serverId}/members`],
          ['GET', `/api/v1/servers/${serverId}/channels`],
          ['GET', '/api/v1/events?limit=5'],
        ];
        const [method, path, body] = calls[turn % calls.length] as (typeof calls)[number];
        const answer = await client.call(node, method, path, body);
        if (answer.status === 200) this.answers++;
        else this.refusals.push(`${method} ${path} ${answer.status} ${answer.text}`);
      }
    } finally {
      client.close();
    }
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.working;
  }
}

describe(`a migration of five tables while ${NODES} nodes serve`, { skip }, () => {
  before(async () => {
    site = await Site.open(NODES);
    servers = await makeServers(site.database, SERVERS);
  });
  after(() => site?.close());

  test('causes no failed request, and ends soon', async (t) => {
    const clients = Array.from({ length: SERVERS * CLIENTS }, (_, number) => new Busy(number));
    const goOn = async () => {
      const counts = clients.map(({ answers }) => answers);
      const isOn = () => clients.every((client, index) => client.answers >= (counts[index] ?? 0) + ANSWERS);
      await until(isOn, 60_000);
    };
    await goOn();
    const connection = await PostgresConnection.open(site.database);
    await connection.exec('set statement_timeout = 0');
    const from = performance.now();
    await make(connection, fiveTables);
    const took = Math.round(performance.now() - from);
    await connection.close();
    await goOn();
    await sleep(1_000);
    await Promise.all(clients.map((client) => client.stop()));
    t.diagnostic(
      `it took ${took} ms, with ${clients.reduce((sum, { answers }) => sum + answers, 0)} responses`,
    );
    assert.deepEqual(
      clients.flatMap(({ refusals }) => refusals),
      [],
    );
    assert.ok(took <= MIGRATION_MS, `it took ${took} ms`);
    const [row] = await ask<{ deadlocks: number }>(
      site.database,
      'select deadlocks::int from pg_stat_database where datname = current_database()',
    );
    assert.equal(row?.deadlocks, 0);
    for (const node of site.nodes) assert.doesNotMatch(node.log(), /"level":(50|60)/);
  });
});
