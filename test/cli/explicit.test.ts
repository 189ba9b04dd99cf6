// @run sqlite: compares a data folder with a database that nobody can reach
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Stage } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';

// Explicit options win over the environment, and are rejected if they make no sense.

const stage = new Stage();
after(() => stage.close());

/** The environment of an operator who has exported the production database. */
const production = { DATABASE_URL: 'postgres://palaver@127.0.0.1:1/production' };
const folder = stage.folder();
const at = ['--data', folder];

before(async () => {
  jsonOf(await stage.run(['user', 'create', '--username', 'ada', ...at, '--json'], production));
});

test('--data wins over DATABASE_URL in every command', async () => {
  const listed = jsonOf(await stage.run(['user', 'list', ...at, '--json'], production));
  assert.deepEqual(
    listed.map(({ username }: { username: string }) => username),
    ['ada'],
  );
  assert.deepEqual(jsonOf(await stage.run(['key', 'list', ...at, '--json'], production)), []);
  jsonOf(await stage.run(['secret', 'rotate', ...at, '--json'], production));
  const { findings } = jsonOf(await stage.run(['doctor', ...at, '--json'], production));
  assert.ok(findings.some(({ check }: { check: string }) => check === 'integrity'));
  const file = join(stage.folder(), 'one.backup');
  jsonOf(await stage.run(['backup', file, ...at, '--json'], production));
  const copy = join(stage.folder(), 'copy');
  jsonOf(await stage.run(['restore', file, '--data', copy, '--json'], production));
  const erase = ['user', 'erase', '--username', 'ada', '--messages', 'keep', '--yes', '--json'];
  await stage.run([...erase, '--data', copy], production);
  assert.equal(jsonOf(await stage.run(['user', 'list', ...at, '--json'], production)).length, 1);
  const shown = jsonOf(await stage.run(['config', ...at, '--json'], production));
  const database = shown.find(({ name }: { name: string }) => name === 'database');
  assert.deepEqual([database.value, database.source], ['', 'flag']);
  const server = await stage.start(folder, { args: ['--data', folder], environment: production });
  assert.equal(await server.end(), 0);
});

test('--data wins over a database in another config file, but not over the one in its own', async () => {
  const other = stage.folder();
  const file = join(other, 'palaver.json');
  writeFileSync(file, JSON.stringify({ database: production.DATABASE_URL }));
  assert.equal(jsonOf(await stage.run(['user', 'list', ...at, '--config', file, '--json'])).length, 1);
  assertFailed(await stage.run(['user', 'list', '--data', other]), /ECONNREFUSED|PostgreSQL/);
});

test('DATABASE_URL wins over PALAVER_DATA', async () => {
  assertFailed(
    await stage.run(['user', 'list'], { ...production, PALAVER_DATA: folder }),
    /ECONNREFUSED|PostgreSQL/,
  );
});

test('--data together with --database is rejected', async () => {
  assertFailed(
    await stage.run(['user', 'list', ...at, '--database', production.DATABASE_URL]),
    /^--data and --database both set the data's location: pass only one\n/,
  );
});

test('backup creates no folders', async () => {
  const missing = join(stage.folder(), 'typo', 'deep');
  const outcome = await stage.run(['backup', join(missing, 'one.backup'), ...at]);
  assertFailed(outcome, new RegExp(`^the folder ${missing} does not exist`));
  assert.equal(existsSync(join(missing, '..')), false);
});

test('start --redis without PostgreSQL is rejected', async () => {
  assertFailed(
    await stage.run(['start', ...at, '--port', '0', '--redis', 'redis://127.0.0.1:1']),
    /^--redis is for several nodes on one PostgreSQL database: set DATABASE_URL or --database/,
  );
});
