// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Site, skip } from '../support/nodes.ts';
import { call, type Running, until } from '../support/process.ts';
import { Route } from '../support/route.ts';

/** The longest time until a node has abandoned silent connections. */
const GIVE_UP_MS = 60_000;
/** The key of the advisory lock that every node holds, and that a node without Valkey holds exclusively. */
const PLACE_LOCK = '31632379671078258';

const isReady = async (node: Running): Promise<boolean> =>
  (await call(node, 'GET', '/readyz')).status === 200;

describe('a node whose database connections', { skip, concurrency: true }, () => {
  let site: Site;
  const route = new Route();
  before(async () => {
    site = await Site.open(0);
  });
  after(async () => {
    route.close();
    await site?.close();
  });

  test('fall silent abandons them and serves on new ones', async (t) => {
    const address = await route.open(site.database);
    const node = await site.start({ DATABASE_URL: address });
    const { key, channelId } = node;
    const works = async (): Promise<boolean> => {
      const body = { channelId, content: 'still here' };
      const answers = Promise.all([
        call(node, 'POST', '/api/v1/messages', { key, body }),
        call(node, 'GET', `/api/v1/channels/${channelId}/messages`, { key }),
      ]);
      // A request that hangs is sent again: only new requests have to be served.
      answers.catch(() => {});
      const statuses = answers.then((all) => all.every(({ status }) => status === 200));
      return Promise.race([statuses, sleep(2_000, false)]);
    };
    await until(works, GIVE_UP_MS, 500);
    route.silence();
    const from = performance.now();
    await until(works, GIVE_UP_MS, 500);
    t.diagnostic(
      `the node served again ${Math.round(performance.now() - from)} ms after its connections fell silent`,
    );
  });

  test('break, and whose advisory lock is taken by another, takes it again once it is free', async () => {
    const database = await site.postgres.createDatabase();
    const node = await site.start({ DATABASE_URL: database, REDIS_URL: '' });
    const [other, operator] = [new Client(database), new Client(database)];
    await Promise.all([other.connect(), operator.connect()]);
    const taken = other.query(`select pg_advisory_lock(${PLACE_LOCK})`);
    await sleep(500);
    const { rowCount } = await operator.query(
      `select pg_terminate_backend(pid) from (select distinct pid from pg_locks where locktype = 'advisory' and granted
        and database = (select oid from pg_database where datname = current_database())) as node`,
    );
    assert.equal(rowCount, 1);
    await taken;
    await until(async () => !(await isReady(node)), 20_000);
    await Promise.all([other.end(), operator.end()]);
    await until(() => isReady(node), 20_000);
    assert.equal(await node.end(), 0);
  });
});
