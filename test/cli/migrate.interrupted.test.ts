// @run postgres: moves data between both engines
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ask } from '../support/databases.ts';
import { change, Moves, NO_URL, sumsOf } from '../support/moves.ts';
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

let source: string;
let unfinished: string;
const refused = `update message set content = 'no' || char(0) where ord = 1`;
const allowed = `update message set content = 'yes' where ord = 1`;

beforeEach(async () => {
  source = moves.folder();
  unfinished = target;
  await moves.move(url, source);
  // PostgreSQL cannot store this character, so the copy stops here.
  change(source, refused);
  assertFailed(await moves.migrate(source, unfinished), /refused a row of message/);
});

test('the target of an interrupted move cannot be served, changed or moved until the move is finished', async () => {
  const on = ['--database', unfinished];
  for (const command of [
    ['start', '--port', '0'],
    ['user', 'list'],
    ['key', 'list'],
  ])
    assertFailed(await moves.run([...command, ...on]), /a move from .* is unfinished: run the same/);
  assertFailed(await moves.migrate(unfinished, moves.folder()), /target of an unfinished move/);
  change(source, allowed);
  const { copied, tables } = await moves.move(source, unfinished);
  const all = tables.reduce((sum: number, { source }: { source: { rows: number } }) => sum + source.rows, 0);
  assert.ok(copied < all, 'existing rows were not copied again');
  assert.equal((await moves.run(['user', 'list', ...on])).code, 0);
});

test('an interrupted move can only be finished from the same data, or restarted', async () => {
  const other = moves.folder();
  assert.equal((await moves.run(['user', 'create', '--username', 'ada', '--data', other], NO_URL)).code, 0);
  assertFailed(await moves.migrate(other, unfinished), /unfinished copy of other data.*--restart/);
  const { tables } = await moves.move(other, unfinished, '--restart');
  assert.equal(sumsOf({ tables }).user.rows, 1);
});

test('finishing a move detects changes in the source', async () => {
  change(source, allowed);
  change(source, `update "user" set name = 'Changed' where rowid = 1`);
  const { code, stdout, stderr } = await moves.migrate(source, unfinished);
  assert.equal(code, 1);
  assert.match(stderr, /^[^\n]+ differs in user and cannot be used\. [^\n]*--restart\n$/);
  assert.match(stdout, /^user .*differs/m);
  const told = await moves.migrate(source, unfinished, '--json');
  assert.equal(told.code, 1);
  assert.equal(JSON.parse(told.stdout).ok, false);
  assertFailed(
    await moves.run(['start', '--database', unfinished, '--port', '0']),
    /move from .* is unfinished/,
  );
  await moves.move(source, unfinished, '--restart');
});

test('an interrupted move into a folder is not served if the data differs', async () => {
  const into = moves.folder();
  await moves.clear(unfinished);
  change(source, allowed);
  await moves.move(source, unfinished);
  // Without the constraint, two rows can have the same key.
  await ask(unfinished, 'alter table flow drop constraint flow_pkey cascade');
  await ask(unfinished, 'insert into flow select * from flow');
  assert.match((await moves.migrate(unfinished, into)).stderr, /differs in flow/);
  assertFailed(
    await moves.run(['start', '--port', '0', '--data', into], NO_URL),
    /a move from .* is unfinished/,
  );
  await moves.move(url, into, '--restart');
});
