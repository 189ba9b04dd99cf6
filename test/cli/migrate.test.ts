// @run postgres: moves data between both engines
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { rowsIn, secretsIn } from '../support/backups.ts';
import { ask } from '../support/databases.ts';
import { idsOf } from '../support/expect.ts';
import { type Answers, answersOf, type Filled, fill } from '../support/filled.ts';
import { Moves, NO_URL, rowsOf, sumsOf } from '../support/moves.ts';
import { find } from '../support/sources.ts';

const moves = new Moves();
let folder: string;
let url: string;
let back: string;
let filled: Filled;
let answers: Answers;

before(async () => {
  folder = moves.folder();
  url = await moves.database();
  back = join(moves.folder(), 'back');
  await moves.serving(folder, async (world) => {
    filled = await fill(world);
    answers = await answersOf(world, filled);
  });
  // Runs a command, so the audit log is not empty.
  const add = ['user', 'create', '--username', 'grace', '--data', folder];
  assert.equal((await moves.run(add, NO_URL)).code, 0);
});
after(() => moves.close());

test('a move from the embedded database to PostgreSQL and back loses and changes nothing', async () => {
  const before = rowsIn(folder);
  const there = await moves.move(folder, url);
  assert.deepEqual(rowsIn(folder), before, 'the source is unchanged');
  const tables = await ask<{ name: string }>(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public'
      and table_name not in ('migration', 'authority', 'authorityChange')
        and table_name not like 'search%' order by 1`,
  );
  const sums = sumsOf(there);
  assert.deepEqual(Object.keys(sums).sort(), tables.map(({ name }) => name).sort(), 'every table is moved');
  for (const [table, { rows }] of Object.entries<{ rows: number }>(sums))
    assert.ok(rows > 0, `${table} has rows`);
  for (const table of Object.keys(sums).filter((name) => name !== 'setting')) {
    const [{ rows } = { rows: -1 }] = await ask<{ rows: number }>(
      url,
      `select count(*)::int as rows from "${table}"`,
    );
    assert.equal(rows, sums[table].rows, table);
  }

  const home = await moves.move(url, back);
  assert.deepEqual(sumsOf(home), sums);
  assert.deepEqual(rowsOf(back), rowsOf(folder));
  assert.deepEqual(secretsIn(back), [filled.secret]);
  assert.deepEqual(readFileSync(join(back, 'secret.key')), readFileSync(join(folder, 'secret.key')));
  for (const file of ['palaver.db', 'secret.key'])
    assert.equal(statSync(join(back, file)).mode & 0o077, 0, file);
  assert.equal(statSync(back).mode & 0o077, 0);
});

test('clients see no difference in reads, searches, cursors and repeated requests', async () => {
  for (const place of [url, back]) {
    await moves.serving(place, async (world) => {
      assert.deepEqual(await answersOf(world, filled), answers, place);
      const sealed = await world.data.db.read.first(find('secret', { kind: 'appSecret' }));
      const row = { table: 'secret', column: 'sealed', id: sealed?.id as string };
      assert.equal(world.data.seal.open(sealed?.sealed as string, row), filled.secret);
    });
  }
});

test('rows written after a move are part of the next move', async () => {
  const { key, channelId, serverId } = filled;
  const id = await moves.serving(url, async (world) => {
    const lastSeq = async () => {
      const events = await world.data.db.read.all(find('event', { logId: serverId }));
      return Math.max(...events.map(({ seq }) => seq));
    };
    const before = await lastSeq();
    const sent = await world.as(key).post('/messages', { channelId, content: 'written on PostgreSQL' });
    assert.equal(await lastSeq(), before + 1, 'the event log continues');
    return sent.data.id;
  });
  const next = moves.folder();
  await moves.move(url, next);
  await moves.serving(next, async (world) => {
    const client = world.as(key);
    assert.equal((await client.get(`/messages/${id}`)).data.content, 'written on PostgreSQL');
    const found = await client.get(`/channels/${channelId}/messages?q=written`);
    assert.deepEqual(idsOf(found.data), [id]);
  });
});

test('data can move between two locations of the same kind', async () => {
  const other = await moves.database();
  const copy = moves.folder();
  const sums = sumsOf(await moves.move(url, other));
  assert.deepEqual(sumsOf(await moves.move(other, copy)), sums);
  assert.deepEqual(sumsOf(await moves.move(copy, `sqlite:${moves.folder()}`)), sums);
});

test('a move from --data is not affected by a DATABASE_URL that names the target', async () => {
  const target = await moves.database();
  const move = ['migrate', '--data', folder, '--to', target, '--json'];
  const { code, stdout, stderr } = await moves.run(move, { DATABASE_URL: target });
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).ok, true);
});
