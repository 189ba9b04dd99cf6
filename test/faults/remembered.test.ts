import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { createServer } from '../../server/src/cli/records/server.ts';
import { createUser } from '../../server/src/cli/records/user.ts';
import type { Tx } from '../../server/src/db/contract.ts';
import { openDatabase } from '../../server/src/db/open.ts';
import { type TableName, tables } from '../../server/src/db/schema.ts';
import type { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import { findPart, insert, q, remove, update } from '../../server/src/db/statements.ts';
import { createDeps, newRow } from '../../server/src/lib/deps.ts';
import { type Data, openData } from '../../server/src/node/data.ts';
import { change } from '../../server/src/resources/change.ts';
import { addChannel } from '../../server/src/resources/channel/change.ts';
import { keywordVersion } from '../../server/src/resources/keywords/keywords.ts';
import { wordRulesVersion } from '../../server/src/resources/wordRule/rules.ts';

let folder: string;
let data: Data;
let db: SqliteDb;
/** Another process on the same file. */
let other: SqliteDb;
let serverId: string;
let userId: string;
let channelId: string;
const deps = createDeps();
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'palaver-remembered-'));
  data = await openData({ data: folder });
  db = data.db as SqliteDb;
  other = await openDatabase({ file: join(folder, 'palaver.db') });
  const made = await change(data, async (work) => {
    const user = await createUser(work, { username: 'ada' });
    const server = await createServer(work, { name: 'Tea', owner: user.id });
    userId = user.id;
    const room = { serverId: server.id, name: 'kitchen', creatorId: user.id, roleIds: [] };
    return addChannel(work, room);
  });
  ({ id: channelId, serverId } = made);
});
afterEach(async () => {
  await other.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

const part = () => findPart('channel', channelId, ['id', 'private', 'roleIds']);
const isPrivate = async (tx: Tx) => (await tx.first(part()))?.private;
const readHere = () => db.write(isPrivate);
const close = (to = true) => update('channel', channelId, { private: to });
const isRemembered = () => db.connection.remembered.get(part()) !== undefined;

test('a transaction caches a channel for the next one, and cached rows are immutable', async () => {
  assert.equal(await readHere(), false);
  assert.ok(isRemembered());
  const row = await db.write((tx) => tx.first(part()));
  assert.ok(row);
  assert.throws(() => Object.assign(row, { private: true }), TypeError);
  assert.throws(() => (row.roleIds as string[]).push('x'), TypeError);
});

test('changes by this process are visible immediately', async () => {
  await readHere();
  const seen = await db.write(async (tx) => {
    const before = await isPrivate(tx);
    await tx.run(close());
    return [before, await isPrivate(tx)];
  });
  assert.deepEqual(seen, [false, true]);
  assert.equal(await readHere(), true);
});

test('changes by an unprepared query are visible too', async () => {
  await readHere();
  await db.write((tx) => tx.run(q.updateTable('channel').set({ private: true }).where('id', '=', channelId)));
  assert.equal(await readHere(), true);
});

test('changes by another process are visible in the next transaction', async () => {
  await readHere();
  await other.write((tx) => tx.run(close()));
  assert.equal(await readHere(), true);
  // Here, a permission check between transactions notices the other process first.
  await other.write((tx) => tx.run(close(false)));
  await new Promise((resolve) => setImmediate(resolve));
  db.authorityVersion();
  assert.equal(await readHere(), false);
});

test('a change that is rolled back is never cached, alone or batched with other writes', async () => {
  await readHere();
  const failing = async (tx: Tx) => {
    await tx.run(close());
    assert.equal(await isPrivate(tx), true);
    throw new Error('undo');
  };
  await assert.rejects(db.write(failing), /undo/);
  assert.equal(await readHere(), false);
  const all = await Promise.allSettled([
    readHere(),
    db.write(failing),
    readHere(),
    db.write(failing),
    readHere(),
  ]);
  assert.deepEqual(
    all.map((one) => (one.status === 'fulfilled' ? one.value : 'undone')),
    [false, 'undone', false, 'undone', false],
  );
  assert.equal(await readHere(), false);
});

test('versions of word rules and keywords are cached until one changes, here or in another process', async () => {
  const versions = () =>
    db.write(async (tx) => [await wordRulesVersion(tx, serverId), await keywordVersion(tx)]);
  const rule = { ...newRow(deps), serverId, creatorId: userId, pattern: 'tea', action: 'hold' as const };
  const list = { ...newRow(deps), id: userId, keywords: ['tea'] };
  assert.deepEqual(await versions(), [undefined, 0]);
  await other.write((tx) => tx.run(insert('wordRule', { ...rule, version: 3 })));
  await other.write((tx) => tx.run(insert('keywordList', { ...list, version: 4 })));
  assert.deepEqual(await versions(), ['1 3', 4]);
  await db.write((tx) => tx.run(update('wordRule', rule.id, { version: 5 })));
  await db.write((tx) => tx.run(update('keywordList', userId, { version: 6 })));
  assert.deepEqual(await versions(), ['1 5', 6]);
  const get = mock.method(StatementSync.prototype, 'get');
  assert.deepEqual(await versions(), ['1 5', 6]);
  const read = get.mock.calls.map((call) => (call.this as StatementSync).sourceSQL);
  get.mock.restore();
  assert.deepEqual(
    read.filter((sql) => /wordRule|keywordList/.test(sql)),
    [],
  );
  await db.write((tx) => tx.run(remove('server', { id: serverId })));
  assert.equal(await db.write((tx) => wordRulesVersion(tx, serverId)), undefined);
});

test('a channel deleted with its server is no longer cached', async () => {
  await readHere();
  await db.write((tx) => tx.run(remove('server', { id: serverId })));
  assert.equal(await readHere(), undefined);
});

test('no trigger changes a table whose rows are cached', () => {
  const names = (Object.keys(tables) as TableName[]).filter((table) => tables[table].isCached);
  assert.deepEqual(names, ['channel', 'wordRule', 'keywordList']);
  const triggers = db.connection.db.prepare("select sql from sqlite_master where type = 'trigger'").all();
  assert.ok(triggers.length > 0);
  for (const { sql } of triggers)
    for (const name of names)
      assert.doesNotMatch(
        String(sql),
        new RegExp(`\\b(update|into|from)\\s+"?${name}"?\\b(?!\\s+after)`, 'i'),
      );
});
