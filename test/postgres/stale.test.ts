import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { bind } from '../../server/src/db/postgres/compile.ts';
import { openPostgres, type PostgresDb } from '../../server/src/db/postgres/index.ts';
import { ask, type Database, newDatabase } from '../support/databases.ts';
import { find, q } from '../support/sources.ts';

/** The number of connections: more than a write has attempts, and more than reads share. */
const CONNECTIONS = 40;
const AT_ONCE = 20;

let database: Database;
let db: PostgresDb;
const userId = '00000000-0000-7000-8000-000000000000';

before(async () => {
  database = await newDatabase('migrated');
  db = await openPostgres({ url: database.url, connections: CONNECTIONS });
});
after(async () => {
  await db.close();
  await database.drop();
});

const anyUser = find('user', { id: userId });
const read = () => db.read.first(anyUser);
const write = () => db.write((tx) => tx.first(anyUser));
const atOnce = (call: () => Promise<unknown>) => Promise.all(Array.from({ length: AT_ONCE }, call));

/** Prepares the statements on connections that reads share, and on others that writes lease. */
async function prepareEverywhere(): Promise<void> {
  await atOnce(write);
  for (let turn = 0; turn < AT_ONCE; turn++) {
    // The reads differ, because identical ones would share a response and use fewer connections.
    const slow = Array.from({ length: AT_ONCE }, (_, number) =>
      db.read.all(q.selectFrom('user').select('id').where('name', '=', `${turn} ${number}`)),
    );
    await Promise.all([read(), ...slow]);
  }
}

test('statements prepared before a column was added remain valid', async () => {
  await prepareEverywhere();
  await ask(database.url, 'alter table "user" add column "madeUp" bigint not null default 0');
  const before = db.figures.retries;
  await atOnce(write);
  await atOnce(read);
  assert.equal(db.figures.retries, before);
});

test("statements prepared before a column's type was changed are prepared again, and no call fails", async () => {
  await prepareEverywhere();
  await ask(database.url, 'alter table "user" alter column "homeServerId" type varchar(2048)');
  await Promise.all([read(), write()]);
  await atOnce(write);
  await atOnce(read);
});

test('queries name the columns that they read', () => {
  const ofMessage = q.selectFrom('message').selectAll();
  const queries = [
    find('webhook', { id: userId }),
    ofMessage,
    q.selectFrom('pin').innerJoin('message', 'message.id', 'pin.messageId').selectAll('message'),
    q.selectFrom('message as answer').selectAll('answer'),
    q.selectFrom('user').selectAll().where('id', 'in', ofMessage.clearSelect().select('creatorId')),
  ];
  for (const query of queries) assert.doesNotMatch(bind(query as never).compiled.text, /\*/);
  assert.match(bind(ofMessage).compiled.text, /"message"\."content".*"message"\."record"/);
  assert.doesNotMatch(bind(ofMessage).compiled.text, /"words"/);
});
