// @run sqlite: tests the copies of the data file that are kept before migrations
import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, test } from 'node:test';
import { keepCopy, keptCopies, MAX_COPIES } from '../../server/src/db/sqlite/keptCopies.ts';
import { schemaVersion } from '../../server/src/db/version.ts';
import { rowsIn } from '../support/backups.ts';
import { nextVersion } from '../support/nextVersion.ts';
import { Stage, until } from '../support/process.ts';
import { assertFailed, jsonOf } from '../support/remote.ts';

const stage = new Stage();
after(() => stage.close());

/** A data folder that a server has created. Its names are indexed, so that no later command indexes them. */
async function made(): Promise<string> {
  const folder = stage.folder();
  const server = await stage.start(folder);
  await until(() => rowsIn(folder).searchNameQueue?.length === 0);
  await server.end();
  return folder;
}

const backups = (folder: string) => readdirSync(folder).filter((name) => name.includes('backup'));

test('a copy is kept before a migration, listed and restored', async () => {
  const folder = await made();
  const before = rowsIn(folder);
  const name = `before-schema-${schemaVersion + 1}`;
  assertFailed(await stage.run(['restore', '--data', folder]), /no copies.*pass the file of a backup/);
  const migrating = await stage.run(['user', 'list', '--data', folder], nextVersion('breaking'));
  assert.equal(migrating.code, 0);
  assert.match(
    migrating.stderr,
    new RegExp(`^kept a copy before the migration: \\S+/${name}\\.backup \\(\\d+ MB\\)\n$`),
  );
  assertFailed(await stage.run(['user', 'list', '--data', folder]), /newer Palaver/);

  const [copy, ...others] = jsonOf(await stage.run(['restore', '--data', folder, '--json']));
  const path = join(folder, `${name}.backup`);
  assert.deepEqual([copy.name, copy.path, copy.schema, others], [name, path, schemaVersion, []]);
  assert.equal(statSync(path).mode & 0o077, 0);
  assertFailed(await stage.run(['restore', name, '--data', folder]), /already has data.*--force/);
  assertFailed(await stage.run(['restore', 'before-schema-1', '--data', folder]), /does not exist/);
  assert.equal((await stage.run(['restore', name, '--data', folder, '--force'])).code, 0);
  assert.deepEqual(rowsIn(folder), before);
  const { ok } = jsonOf(await stage.run(['doctor', '--data', folder, '--json']));
  assert.equal(ok, true, 'the secret key fits the data');
});

test('only the latest copies are kept, and none if the disk lacks space', async () => {
  const folder = await made();
  const file = join(folder, 'palaver.db');
  const lines: string[] = [];
  const report = (line: string) => lines.push(line);
  await keepCopy(file, 7, report, () => statSync(file).size);
  assert.deepEqual(keptCopies(folder), []);
  assert.match(String(lines), /no copy was made before the migration: it needs \d+ MB of free disk space/);
  for (const next of [8, 9, 10]) await keepCopy(file, next);
  assert.deepEqual(
    keptCopies(folder).map(({ schema }) => schema),
    [9, 8],
  );
  assert.equal(backups(folder).length, MAX_COPIES);
});

test('a failed copy leaves nothing behind, and the migration continues', async () => {
  const folder = await made();
  const file = join(folder, 'palaver.db');
  const database = new DatabaseSync(file);
  database.exec('drop table setting');
  database.close();
  const lines: string[] = [];
  await keepCopy(file, 7, (line) => lines.push(line));
  assert.match(String(lines), /^no copy was made before the migration: no such table/);
  assert.deepEqual(backups(folder), []);
});
