import assert from 'node:assert/strict';
import { PostgresConnection } from '../../server/src/db/postgres/connection.ts';
import { servingNodes } from '../../server/src/db/postgres/membership.ts';
import { make } from '../../server/src/db/postgres/migrate.ts';
import { waitForOlderNodes } from '../../server/src/db/upgrade.ts';
import { schemaVersion } from '../../server/src/db/version.ts';
import { nextVersion } from '../support/nextVersion.ts';
import { after, before, Site, test } from '../support/nodes.ts';
import { call, collect, gone, type Running, until } from '../support/process.ts';

// Nodes of this version next to one of the next version, which has one more migration.

/** How long a start may take on a busy machine. */
const START_MS = 60_000;

let site: Site;

before(async () => {
  site = await Site.open(0);
});
after(() => site?.close());

/** Two nodes of this version on a database of their own. */
async function openNodes(): Promise<{
  database: string;
  nodes: [Running, Running];
  isServing(node: Running): Promise<number[]>;
}> {
  const database = await site.postgres.createDatabase();
  const environment = { DATABASE_URL: database, PALAVER_DRAIN: '2' };
  const first = await site.start(environment);
  const { key, channelId } = first;
  const isServing = async (node: Running) => {
    const answers = await Promise.all([
      call(node, 'GET', '/readyz'),
      call(node, 'POST', '/api/v1/messages', { key, body: { channelId, content: 'hi' } }),
      call(node, 'GET', `/api/v1/channels/${channelId}/messages`, { key }),
    ]);
    return answers.map(({ status }) => status);
  };
  return { database, nodes: [first, await site.start(environment)], isServing };
}

const serving = [200, 200, 200];

test('a migration that would break older nodes waits, reports these nodes, and starts once they have stopped', async () => {
  const { database, nodes, isServing } = await openNodes();
  const connection = await PostgresConnection.open(database);
  const waiting = waitForOlderNodes(schemaVersion + 1, () => servingNodes(connection), { waitMs: 600 });
  const refusal = String(await waiting.catch((error) => error));
  await connection.close();
  assert.match(refusal, /stop them, then start again/);
  for (const { child } of nodes)
    assert.match(
      refusal,
      new RegExp(`palaver ${child.pid} on \\S+ \\(PostgreSQL backend \\d+\\), schema ${schemaVersion}`),
    );

  const child = await site.spawn({ DATABASE_URL: database, ...nextVersion('breaking') });
  const log = collect(child, 'stderr');
  const starting = site.listening(child);
  await until(() => log().includes('for nodes of an older version to stop'), START_MS);
  const [first, second] = nodes;
  for (const node of nodes) assert.deepEqual(await isServing(node), serving);
  assert.equal(await first.end(), 0);
  assert.deepEqual(await isServing(second), serving);
  assert.equal(await second.end(), 0);
  const newer = await starting;
  assert.deepEqual(await isServing(newer), serving);

  const late = await site.spawn({ DATABASE_URL: database });
  const lateLog = collect(late, 'stderr');
  assert.equal(await gone(late), 1);
  assert.match(lateLog(), /written by a newer Palaver/);
  assert.equal(await newer.end(), 0);
});

test('nodes keep serving during a migration that they survive', async () => {
  const { database, nodes, isServing } = await openNodes();
  const newer = await site.start({ DATABASE_URL: database, ...nextVersion('compatible') });
  assert.doesNotMatch(newer.log(), /older version/);
  for (const node of [...nodes, newer]) assert.deepEqual(await isServing(node), serving);
  assert.deepEqual(await Promise.all([...nodes, newer].map((node) => node.end())), [0, 0, 0]);
});

test('a node that finds a schema newer than it supports is not ready, refuses writes, and stops', async () => {
  const { database, nodes, isServing } = await openNodes();
  const madeUp = {
    version: schemaVersion + 1,
    name: 'made up',
    isBackwardCompatible: false,
    statements: () => [],
  };
  const connection = await PostgresConnection.open(database);
  await make(connection, madeUp);
  await connection.close();
  const needed = `needs schema ${schemaVersion + 1}; this version supports up to ${schemaVersion}`;
  await Promise.all(
    nodes.map(async (node) => {
      await until(() => node.log().includes('"level":60'));
      assert.deepEqual(await isServing(node), [503, 503, 200]);
      assert.equal(await gone(node.child), 1);
      assert.match(
        node.log(),
        new RegExp(`stopping: a newer version of Palaver has migrated the database.*${needed}`),
      );
    }),
  );
});
