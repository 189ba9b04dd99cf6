import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fixed } from '../../server/src/db/postgres/compile.ts';
import { PostgresConnection } from '../../server/src/db/postgres/connection.ts';
import { ask } from '../support/databases.ts';
import { type PostgresServer, startPostgres } from '../support/postgresServer.ts';

let server: PostgresServer;

before(async () => {
  server = await startPostgres({ durable: false });
});
after(() => server.close());

test('each connection has its timeouts, and both sides send keepalives', async () => {
  const connection = await PostgresConnection.open(server.url);
  const { rows } = await connection.query(
    fixed(
      `select name, setting from pg_settings where name like 'tcp%' or name like '%timeout' or name = 'plan_cache_mode'`,
    ),
  );
  const found = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  assert.equal(found.idle_in_transaction_session_timeout, '2000');
  assert.equal(found.lock_timeout, '3000');
  assert.equal(found.statement_timeout, '30000');
  assert.equal(found.tcp_user_timeout, '3000');
  assert.equal(found.tcp_keepalives_idle, '10');
  assert.equal(found.plan_cache_mode, 'force_custom_plan');
  await connection.close();
});

test('a database that forbids the functions that identify it is usable', async () => {
  const database = await server.createDatabase();
  await ask(database, 'create role limited login');
  await ask(database, 'revoke execute on function pg_control_system(), pg_walfile_name(pg_lsn) from public');
  const limited = Object.assign(new URL(database), { username: 'limited' }).href;
  const connection = await PostgresConnection.open(limited);
  assert.match(connection.place, /^system -, timeline -, database \d+$/);
  assert.equal(connection.isPooled, false);
  await connection.close();
});
