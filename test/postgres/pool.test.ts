// @run waits: waits most of its time
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Client } from 'pg';
import { noFigures, Unavailable } from '../../server/src/db/contract.ts';
import { type Bound, fixed } from '../../server/src/db/postgres/compile.ts';
import { PostgresConnection } from '../../server/src/db/postgres/connection.ts';
import { openPostgres, type PostgresDb } from '../../server/src/db/postgres/index.ts';
import { Pool } from '../../server/src/db/postgres/pool.ts';
import { Reads } from '../../server/src/db/postgres/reads.ts';
import { find, insert, q, update } from '../../server/src/db/statements.ts';
import { createDeps, newRow } from '../../server/src/lib/deps.ts';
import { ask, type Database, nameOf, newDatabase } from '../support/databases.ts';
import { until } from '../support/process.ts';

/** A connection without a response for this long counts as silent, and reads use another one. */
const SILENT_MS = 2_200;
const PATIENCE_MS = 20_000;

const deps = createDeps();
let database: Database;
let db: PostgresDb;
before(async () => {
  database = await newDatabase('migrated');
  db = await openPostgres({ url: database.url, connections: 2 });
});
after(async () => {
  // Dropped first, so nothing still waits for a connection.
  await database.drop();
  await db.close();
});

/** A read that takes this many seconds. The name distinguishes it from others. */
const slowRead = (seconds: number, name: string) =>
  q
    .selectFrom('setting')
    .select(sql<string>`pg_sleep(${sql.lit(seconds)})::text`.as('slept'))
    .where('name', '=', 'place')
    .where('value', '<>', name);

/** Changes the permissions in a server as another node would: in one statement, so no poll sees half of it. */
const changePermissions = (url: string, serverId: string): Promise<unknown> =>
  ask(
    url,
    `with raised as (update authority set version = version + 1, named = named + 1 returning version)
      insert into "authorityChange" (id, version) select $1, version from raised`,
    [serverId],
  );

test('connections that replaced slow ones serve writes again', async () => {
  const first = db.read.all(slowRead(3, 'first'));
  await sleep(SILENT_MS);
  // The shared connection is silent, so this read uses the other connection.
  assert.equal((await Promise.all([first, db.read.all(slowRead(1, 'second'))])).length, 2);
  const write = db.write((tx) => tx.first(find('setting', { name: 'place' })));
  write.catch(() => {});
  const late = sleep(PATIENCE_MS, 'late', { ref: false });
  assert.notEqual(await Promise.race([write, late]), 'late', 'no connection was left for a write');
});

test('permissions are not trusted while transactions keep the node from polling for changes', async () => {
  const node = await openPostgres({ url: database.url, connections: 1 });
  const serverId = deps.newId();
  const sleeping = `from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
    and datname = current_database() and pid <> pg_backend_pid()`;
  let isDone = false;
  const write = node.write((tx) => tx.all(slowRead(PATIENCE_MS / 1_000, 'write')));
  const done = Promise.allSettled([write]).then(() => {
    isDone = true;
  });
  await until(async () => (await ask(database.url, `select pid ${sleeping}`)).length === 1);
  const version = node.authorityVersion();
  await changePermissions(database.url, serverId);
  await until(async () => isDone || node.authorityHasChanged(version, { serverId, userId: null }));
  assert.equal(isDone, false, 'the node noticed the change only after the transaction');
  await ask(database.url, `select pg_cancel_backend(pid) ${sleeping}`);
  await done;
  await node.close();
});

/** The number of concurrent reads: more than one shared connection handles. */
const MANY_READS = 12;

test('a read never returns data from before its call', async () => {
  const pool = new Pool(database.url, 6, noFigures());
  const reads = new Reads(pool);
  const others = Array.from({ length: MANY_READS }, (_, number) => fixed(`select ${number}`));
  const [one, two, three] = others as [Bound, Bound, Bound];
  const value = fixed(`select value from setting where name = 'made up'`);
  const writer = new Client({ connectionString: database.url });
  await writer.connect();
  /** Reads the value in one turn of the event loop and again in the next, with a change in between. */
  const readTwice = async (to: string, before: Bound[], after: Bound[]): Promise<string> => {
    const changing = writer.query(
      `select pg_sleep(0.3); update setting set value = '${to}' where name = 'made up'`,
    );
    // The response to `changing` arrives in the turn in which the value is read again.
    const asked = changing.then(() => reads.run(value));
    await sleep(10);
    for (const bound of before) void reads.run(bound);
    setImmediate(() => void reads.run(value));
    for (const bound of after) void reads.run(bound);
    // Runs the reads' microtasks, then blocks this thread until everything sent has a response and the change
    // is committed.
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000));
    return (await asked).rows[0].value;
  };
  try {
    await writer.query(`insert into setting values ('made up', 'before')`);
    await reads.run(one);
    assert.equal(await readTwice('once', [one], []), 'once');
    // Reads share two connections from here on.
    await Promise.all(others.map((bound) => reads.run(bound)));
    await until(async () => pool.state.open === 2);
    assert.equal(await readTwice('twice', [one], [two, three]), 'twice');
  } finally {
    await Promise.all([pool.close(), writer.end()]);
  }
});

test('a connection that is lost before a listener is added still reports the loss', async () => {
  const connection = await PostgresConnection.open(database.url);
  connection.drop();
  let isTold = false;
  connection.onLost(() => {
    isTold = true;
  });
  assert.equal(isTold, true, 'its slot in the pool is never released');
});

/**
 * A proxy to a database. `change` can modify what clients send; if it returns undefined, the connection falls silent.
 */
async function startProxy(url: string, change: (chunk: Buffer) => Buffer | undefined) {
  const ends = new Set<Socket>();
  const { hostname, port } = new URL(url);
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const end of [near, far]) ends.add(end.on('error', () => {}));
    near.on('data', (chunk: Buffer) => {
      const changed = change(chunk);
      if (changed) far.write(changed);
      else near.pause();
    });
    far.pipe(near);
    near.on('close', () => far.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port: own } = server.address() as { port: number };
  const cut = () => {
    for (const end of ends) end.destroy();
  };
  const close = () => {
    server.close();
    cut();
  };
  return { url: Object.assign(new URL(url), { port: String(own) }).href, cut, close };
}

test("a connection that falls silent while it reads the data's location does not make others wait", async () => {
  const proxy = await startProxy(database.url, (chunk) =>
    chunk.includes('insert into setting') ? undefined : chunk,
  );
  const pool = new Pool(proxy.url, 1, noFigures());
  try {
    const late = sleep(PATIENCE_MS, undefined, { ref: false });
    const lease = Promise.race([pool.lease(), late]);
    await assert.rejects(lease, (error: Error) => error instanceof Unavailable);
  } finally {
    proxy.close();
    await pool.close();
  }
});

/** The part of a client's messages up to the first end of a statement: `Sync` in PostgreSQL's protocol. */
function upToSync(messages: Buffer): Buffer {
  let at = 0;
  while (messages[at] !== 'S'.charCodeAt(0)) at += 1 + messages.readUInt32BE(at + 1);
  return messages.subarray(0, at + 1 + messages.readUInt32BE(at + 1));
}

test('a permission change is distinguished from an earlier one whose commit was lost', async () => {
  const proxy = await startProxy(database.url, (chunk) =>
    chunk.includes('raised') ? upToSync(chunk) : chunk,
  );
  const node = await openPostgres({ url: proxy.url, connections: 3 });
  try {
    const serverId = deps.newId();
    const words = {
      name: 'made up',
      welcome: null,
      description: null,
      icon: null,
      banner: null,
      domain: null,
    };
    const row = { ...newRow(deps), ...words, id: serverId, private: false, tint: null, memberCount: 0 };
    await node.write((tx) => tx.run(insert('server', { ...row, creatorId: serverId })));
    const [before] = await ask<{ version: string }>(database.url, 'select version from authority');
    const change = update('server', serverId, { creatorId: deps.newId() });
    // The commit never reaches the database, which has already returned the version it would have had.
    await assert.rejects(
      node.write((tx) => tx.run(change), serverId),
      /may or may not have been committed/,
    );
    const version = node.authorityVersion();
    await changePermissions(database.url, serverId);
    const [after] = await ask<{ version: string }>(database.url, 'select version from authority');
    assert.equal(Number(after?.version), Number(before?.version) + 1);
    await until(async () => node.authorityHasChanged(version, { serverId, userId: null }));
  } finally {
    await node.close();
    proxy.close();
  }
});

test('permissions are read again after another database has replaced the previous one', async () => {
  const [one, other] = [await newDatabase('migrated'), await newDatabase('migrated')];
  const name = nameOf(one.url);
  let target = name;
  const proxy = await startProxy(one.url, (chunk) =>
    chunk.includes(name) ? Buffer.from(chunk.toString('latin1').replaceAll(name, target), 'latin1') : chunk,
  );
  const node = await openPostgres({ url: proxy.url, connections: 3 });
  try {
    const [lost, made] = [deps.newId(), deps.newId()];
    const hasChanged = (serverId: string) => node.authorityHasChanged(version, { serverId, userId: null });
    let version = node.authorityVersion();
    // Both databases have the same version after different changes.
    await changePermissions(one.url, lost);
    await changePermissions(other.url, made);
    await until(async () => hasChanged(lost));
    version = node.authorityVersion();
    target = nameOf(other.url);
    proxy.cut();
    await until(async () => hasChanged(made));
  } finally {
    await node.close();
    proxy.close();
    await Promise.all([one.drop(), other.drop()]);
  }
});
