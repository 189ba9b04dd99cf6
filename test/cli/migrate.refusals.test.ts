// @run postgres: moves data between both engines
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { openData } from '../../server/src/node/data.ts';
import { rowsIn } from '../support/backups.ts';
import { ask } from '../support/databases.ts';
import { change, Moves, NO_URL } from '../support/moves.ts';
import { until } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';
import { Scene } from '../support/scene.ts';

const moves = new Moves();
/** A folder with data, and the same data in PostgreSQL. */
let folder: string;
let url: string;
/** An empty target. */
let target: string;

before(async () => {
  folder = moves.folder();
  await moves.serving(folder, async (world) => {
    const scene = await Scene.open(world);
    const { id: appId } = await scene.app();
    await scene.make('/secrets', { kind: 'appSecret', name: 'Token', appId, value: 'a value' });
    await scene.message();
    await scene.flow();
  });
  url = await moves.database();
  await moves.move(folder, url);
});
beforeEach(async () => {
  target = await moves.database();
});
after(() => moves.close());

const tablesIn = (database: string) =>
  ask(database, `select 1 from information_schema.tables where table_schema = 'public'`);

test('a location that does not exist is rejected', async () => {
  const file = join(moves.folder(), 'file');
  writeFileSync(file, '');
  const nowhere = join(moves.folder(), 'none');
  assertFailed(await moves.run(['migrate']), /--to/);
  assertFailed(await moves.migrate(folder, 'mysql://localhost/x'), /--to.*postgres:\/\//);
  assertFailed(await moves.migrate(folder, file), /is not a folder/);
  assertFailed(await moves.migrate(folder, `sqlite:${folder}`), /the data is already at --to/);
  assertFailed(await moves.migrate(url, url), /the data is already at --to/);
  assertFailed(await moves.migrate(nowhere, target), /no data in/);
  assertFailed(await moves.migrate(target, nowhere), /no data in/);
  assert.ok(!existsSync(nowhere), 'nothing is created');
  assert.deepEqual(await tablesIn(target), []);
});

test('a target that contains data is rejected, and the data stays', async () => {
  const filled = moves.folder();
  assert.equal((await moves.run(['user', 'create', '--username', 'ada', '--data', filled], NO_URL)).code, 0);
  const before = rowsIn(filled);
  assertFailed(await moves.migrate(url, filled), /has data: the target must be empty/);
  assertFailed(await moves.migrate(url, filled, '--restart'), /has data/);
  assert.deepEqual(rowsIn(filled), before);
  const { copied } = await moves.move(folder, url);
  assert.equal(copied, 0, 'rows that were moved before are only compared');
  const counted = () => ask(url, 'select count(*) as users from "user"');
  const users = await counted();
  assertFailed(await moves.migrate(filled, url, '--restart'), /has data/);
  assert.deepEqual(await counted(), users);
});

test("a target with another program's tables is rejected", async () => {
  for (const name of ['message', 'migration', 'authority']) {
    const strange = await moves.database();
    await ask(strange, `create table ${name} (text text)`);
    await ask(strange, `insert into ${name} values ('theirs')`);
    for (const more of [[], ['--restart']])
      assertFailed(await moves.migrate(folder, strange, ...more), /tables of another program/);
    assert.deepEqual(await ask(strange, `select text from ${name}`), [{ text: 'theirs' }]);
    assert.equal((await tablesIn(strange)).length, 1, 'nothing is created');
    const into = moves.folder();
    change(into, `create table ${name} (text)`);
    assertFailed(await moves.migrate(url, into), /tables of another program/);
  }
});

test('an empty target that has tables already is accepted', async () => {
  await (await openData({ data: moves.folder(), database: target })).db.close();
  await moves.move(folder, target);
  const keys = await ask(target, `select value from setting where name = 'secretKey'`);
  const file = readFileSync(join(folder, 'secret.key'), 'utf8').trim();
  assert.deepEqual(keys, [{ value: file }]);
});

describe('data that is being served is rejected', () => {
  test('in a folder', async () => {
    const own = moves.folder();
    const server = await moves.start(own, { environment: NO_URL });
    for (const outcome of await Promise.all([moves.migrate(own, target), moves.migrate(url, own)]))
      assertFailed(outcome, /another process has .* open: stop the server/);
    assert.equal(await server.end(), 0);
    assert.deepEqual(await tablesIn(target), []);
    await moves.move(own, target);
  });

  test('in PostgreSQL', async () => {
    const empty = moves.folder();
    const server = await moves.listening(
      await moves.spawn(['start', '--database', target, '--port', '0'], {}),
    );
    for (const outcome of await Promise.all([moves.migrate(target, empty), moves.migrate(folder, target)]))
      assertFailed(outcome, /a node is using postgres:.*: stop it first/);
    assert.equal(await server.end(), 0);
    assert.deepEqual(readdirSync(empty), []);
    await moves.move(target, empty);
  });
});

test('nobody can write to the source during a move', async () => {
  // The lock that a move waits for after it has locked the source. It normally waits there for an interrupted move's
  // last statements.
  const holder = new Client({ connectionString: target });
  await holder.connect();
  await holder.query('select pg_advisory_lock(31632379671078260)');
  const moving = moves.migrate(folder, target);
  const isWaiting = async () =>
    (await ask(target, `select 1 from pg_locks where locktype = 'advisory' and not granted`)).length > 0;
  await until(isWaiting, 20_000);
  const add = ['user', 'create', '--username', 'late'];
  assertFailed(await moves.run([...add, '--data', folder], NO_URL), /another process/);
  assertFailed(await moves.run(['start', '--data', folder, '--port', '0'], NO_URL), /another process/);
  await holder.end();
  assert.equal((await moving).code, 0);
  assert.ok(!JSON.stringify(rowsIn(folder).user).includes('late'));
});

describe('the secret key', () => {
  test('a key that does not decrypt the app secrets is rejected', async () => {
    const PALAVER_SECRET_KEY = randomBytes(32).toString('base64url');
    for (const [from, to] of [
      [folder, target],
      [url, moves.folder()],
    ] as const) {
      const outcome = await moves.run(['migrate', '--from', from, '--to', to], { PALAVER_SECRET_KEY });
      assertFailed(outcome, /PALAVER_SECRET_KEY does not decrypt/);
    }
  });

  test('an existing key in the target folder is not replaced', async () => {
    const into = moves.folder();
    const text = `${randomBytes(32).toString('base64url')}\n`;
    writeFileSync(join(into, 'secret.key'), text);
    assertFailed(await moves.migrate(url, into), /secret\.key belongs to other data/);
    assert.equal(readFileSync(join(into, 'secret.key'), 'utf8'), text);
  });

  test('a key from the environment is not written anywhere', async () => {
    const PALAVER_SECRET_KEY = readFileSync(join(folder, 'secret.key'), 'utf8').trim();
    const environment = { PALAVER_SECRET_KEY };
    const into = moves.folder();
    assert.equal((await moves.run(['migrate', '--from', folder, '--to', target], environment)).code, 0);
    assert.deepEqual(await ask(target, `select 1 from setting where name = 'secretKey'`), []);
    assert.equal((await moves.run(['migrate', '--from', target, '--to', into], environment)).code, 0);
    assert.ok(!existsSync(join(into, 'secret.key')));
  });
});
