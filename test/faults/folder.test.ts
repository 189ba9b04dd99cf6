// @run sqlite: tests the permissions of the data folder
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unprivileged } from '../support/postgresServer.ts';
import { inherited, type Outcome, Stage } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';

const program = join(import.meta.dirname, '..', '..', 'server', 'bin', 'palaver.js');
const stage = new Stage();
after(() => stage.close());

const other = unprivileged();
/** Drops root's capabilities, because root can write regardless of permissions. */
const asOthers = other ? ['setpriv', '--inh-caps=-all', '--bounding-set=-all'] : [];

/** Runs `palaver start` until it exits, as a user who is subject to permissions. */
function start(folder: string): Promise<Outcome> {
  const [file = '', ...args] = [
    ...asOthers,
    process.execPath,
    program,
    'start',
    '--data',
    folder,
    '--port',
    '0',
  ];
  return new Promise((resolve) => {
    execFile(file, args, { env: inherited(), timeout: 30_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? (error.code as unknown as number) : 0, stdout, stderr }),
    );
  });
}

test('a read-only data folder makes the start fail with a line that names it, and is not changed', async () => {
  const folder = stage.folder();
  chmodSync(folder, 0o555);
  assertFailed(
    await start(folder),
    new RegExp(`^the data file cannot be opened: .*\\(${folder}/palaver.db\\)`),
  );
  assert.deepEqual(readdirSync(folder), []);
  chmodSync(folder, 0o700);

  assert.equal(await (await stage.start(folder)).end(), 0);
  const files = readdirSync(folder).map((name) => join(folder, name));
  for (const file of files) chmodSync(file, 0o444);
  chmodSync(folder, 0o555);
  assertFailed(
    await start(folder),
    new RegExp(`^the data file cannot be written: .*\\(${folder}/palaver.db\\)`),
  );
  assert.deepEqual(
    readdirSync(folder).map((name) => join(folder, name)),
    files,
  );
  chmodSync(folder, 0o700);
  for (const file of files) chmodSync(file, 0o600);
  assert.equal(await (await stage.start(folder)).end(), 0);
});

// Only root can change the owner of a file.
if (other)
  test('data owned by another user is rejected with a line that says so, because others can read it', async () => {
    const folder = stage.folder();
    assert.equal(await (await stage.start(folder)).end(), 0);
    const file = join(folder, 'palaver.db');
    chmodSync(file, 0o666);
    chownSync(file, other.uid, other.gid);
    assertFailed(await start(folder), new RegExp(`^the data file belongs to another user: .*\\(${file}\\)`));
    assert.equal(statSync(file).mode & 0o777, 0o666);
  });
