// @run postgres: tests PostgreSQL
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { schemaVersion } from '../../server/src/db/version.ts';
import { ask, createDatabase, nameOf } from '../support/databases.ts';
import { assertFinds, type Doctor, messagesOf } from '../support/findings.ts';
import { Moves } from '../support/moves.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';
import type { Environment } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';
import { Scene } from '../support/scene.ts';
import { freePort } from '../support/valkeyServer.ts';

const stage = new Moves();
/** A durable server, as in production, and a database whose data the tests copy. */
let postgres: PostgresServer;
let server: string;
let filled: string;
let url: string;

before(async () => {
  postgres = await startPostgres();
  server = postgres.url;
  filled = await createDatabase(server);
  await stage.serving(filled, async (world) => {
    const scene = await Scene.open(world);
    const { id: appId } = await scene.app();
    await scene.make('/secrets', { kind: 'appSecret', name: 'Token', appId, value: 'a value' });
    await scene.message();
  });
});
beforeEach(async () => {
  url = await createDatabase(server, nameOf(filled));
});
after(async () => {
  await stage.close();
  await postgres.close();
});

const doctorOn =
  (database: string, environment: Environment = {}): Doctor =>
  (...more) =>
    stage.run(['doctor', '--database', database, ...more], environment);
const doctor: Doctor = (...more) => doctorOn(url)(...more);

test('healthy data passes, even while a node serves it', async () => {
  const rows = () => ask(url, 'select * from setting order by name');
  const before = await rows();
  const told = await messagesOf(doctor);
  assert.match(told.database as string, /^PostgreSQL \d+.* ms, without TLS$/);
  assert.equal(told.encoding, 'UTF8');
  assert.equal(told.data, `schema ${schemaVersion}`);
  assert.match(told.nodes as string, /^no node/);
  assert.match(told.secrets as string, /can be decrypted, with a key in the database/);
  for (const check of ['program', 'settings', 'clock', 'durability', 'connections', 'references'])
    assert.ok(told[check], check);
  assert.deepEqual(await rows(), before);

  const node = await stage.listening(await stage.spawn(['start', '--database', url, '--port', '0']));
  assert.match((await messagesOf(doctor)).nodes as string, /^1 node is running.*REDIS_URL/);
  assert.equal(await node.end(), 0);
});

test('a secret key from the environment passes', async () => {
  const [row] = await ask<{ value: string }>(url, `select value from setting where name = 'secretKey'`);
  await ask(url, `delete from setting where name = 'secretKey'`);
  await assertFinds(doctor, 'secrets', /no key.*PALAVER_SECRET_KEY/);
  const told = await messagesOf(doctorOn(url, { PALAVER_SECRET_KEY: row?.value as string }));
  assert.match(told.secrets as string, /with PALAVER_SECRET_KEY$/);
  const wrong = { PALAVER_SECRET_KEY: Buffer.alloc(32, 3).toString('base64url') };
  await assertFinds(doctorOn(url, wrong), 'secrets', /PALAVER_SECRET_KEY does not decrypt/);
});

test('an unreachable server, a missing database and a database without data are reported', async () => {
  const nobody = `postgres://127.0.0.1:${await freePort()}/none`;
  await assertFinds(doctorOn(nobody), 'database', /cannot be reached/);
  const none = Object.assign(new URL(server), { pathname: '/palaver_test_none' }).href;
  await assertFinds(doctorOn(none), 'database', /does not exist/);
  const empty = await createDatabase(server);
  await assertFinds(doctorOn(empty), 'data', /no data in/);
  const made = await ask(empty, `select 1 from information_schema.tables where table_schema = 'public'`);
  assert.deepEqual(made, [], 'the doctor creates nothing');
});

test('an encoding that cannot store every text is reported', async () => {
  const name = `${nameOf(url)}_ascii`;
  await ask(
    server,
    `create database ${name} encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0`,
  );
  const ascii = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  await assertFinds(doctorOn(ascii), 'encoding', /SQL_ASCII/);
});

test('commits that a crash may undo are reported', async () => {
  await ask(server, `alter database ${nameOf(url)} set synchronous_commit = off`);
  await assertFinds(doctor, 'durability', /synchronous_commit/);
});

test('too few connections are reported', async () => {
  await assertFinds(doctorOn(url, { PALAVER_CONNECTIONS: '1000' }), 'connections', /max_connections/);
  await ask(server, `alter database ${nameOf(url)} connection limit 5`);
  await assertFinds(doctor, 'connections', /^(?!.*\b[6-9] of)/);
});

test('a row that refers to a missing row is reported', async () => {
  await ask(url, `alter table channel disable trigger all`);
  await ask(url, `update channel set "serverId" = gen_random_uuid()`);
  await assertFinds(doctor, 'references', /channel.*server.*do not exist/);
});

test('data with a newer schema and an unfinished move are reported', async () => {
  await ask(url, `insert into migration values (999, 'of the future', 0)`);
  await assertFinds(doctor, 'data', /newer Palaver/);
  await ask(url, `create table "moveProgress" (part text primary key, note text not null)`);
  await ask(url, `insert into "moveProgress" values ('origin', '{"id": "1", "name": "/old/place"}')`);
  await assertFinds(doctor, 'data', /a move from \/old\/place is unfinished/);
});

test("backup and restore point to PostgreSQL's own tools", async () => {
  const file = `${stage.folder()}/backup`;
  assertFailed(await stage.run(['backup', file, '--database', url]), /pg_dump.*docs\//);
  assertFailed(await stage.run(['restore', file, '--database', url, '--force']), /pg_restore.*docs\//);
});
