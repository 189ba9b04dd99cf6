// @run sqlite: kills backups and restores of the data file
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { onTerminal as running } from '../../server/src/cli/terminal.ts';
import { copyCompactly, isSound } from '../../server/src/db/sqlite/longStatement.ts';
import { rowsIn, secretsIn } from '../support/backups.ts';
import { call, gone, onTerminal, Stage, until } from '../support/process.ts';

const stage = new Stage();
/** The size of the settings in bytes, large enough that copies take a while. */
const BYTES = 60_000_000;
let folder: string;
let backup: string;

before(async () => {
  folder = stage.folder();
  const server = await stage.start(folder);
  const { key } = server;
  const post = (path: string, body: object) => call(server, 'POST', `/api/v1/${path}`, { key, body });
  const { data: app } = (await post('apps', { name: 'Weather' })).body;
  await post('secrets', { kind: 'appSecret', name: 'Token', appId: app.id, value: 'secret' });
  await server.end();
  const database = new DatabaseSync(join(folder, 'palaver.db'));
  database.prepare('insert into setting (name, value) values (?, ?)').run('large', 'x'.repeat(BYTES));
  database.close();
  backup = join(stage.folder(), 'palaver.backup');
  assert.equal((await stage.run(['backup', backup, '--data', folder])).code, 0);
});
after(() => stage.close());

const partials = (of: string) => readdirSync(of).filter((name) => name.includes('.partial'));

/** Starts a command and ends it with a signal while it writes to the folder. */
async function interrupt(args: string[], into: string, signal: NodeJS.Signals): Promise<void> {
  const child = await stage.spawn(args);
  await until(() => partials(into).length > 0 || child.exitCode !== null, 30_000, 1);
  child.kill(signal);
  await gone(child);
}

for (const signal of ['SIGKILL', 'SIGTERM', 'SIGINT'] as const) {
  test(`a backup ended by ${signal} leaves the previous one intact, and the next one removes the leftovers`, async () => {
    const target = stage.folder();
    const file = join(target, 'palaver.backup');
    assert.equal((await stage.run(['backup', file, '--data', folder])).code, 0);
    const previous = readFileSync(file);
    await interrupt(['backup', file, '--data', folder], target, signal);
    assert.ok(readFileSync(file).equals(previous));
    if (signal !== 'SIGKILL') assert.deepEqual(partials(target), []);
    assert.equal((await stage.run(['backup', file, '--data', folder])).code, 0);
    assert.deepEqual(readdirSync(target), ['palaver.backup']);
  });

  test(`a restore ended by ${signal} leaves the previous data usable`, async () => {
    const target = stage.folder();
    const server = await stage.start(target);
    const { key } = server;
    await server.end();
    const rows = rowsIn(target);
    await interrupt(['restore', backup, '--data', target, '--force'], target, signal);
    assert.deepEqual(rowsIn(target), rows);
    const again = await stage.start(target);
    assert.equal((await call(again, 'GET', '/api/v1/servers', { key })).status, 200);
    await again.end();
    assert.equal((await stage.run(['restore', backup, '--data', target, '--force'])).code, 0);
    assert.deepEqual(partials(target), []);
    assert.deepEqual(rowsIn(target), rowsIn(folder));
    assert.deepEqual(secretsIn(target), ['secret']);
    assert.ok(
      !readFileSync(join(target, 'palaver.db')).includes(
        readFileSync(join(target, 'secret.key'), 'utf8').trim(),
      ),
    );
  });
}

test('backup and restore show progress on a terminal, and elsewhere only if they take a long time', async () => {
  const file = join(stage.folder(), 'palaver.backup');
  const target = stage.folder();
  const shown = await stage.runAlone(['backup', file, '--data', folder], onTerminal);
  assert.match(shown.stderr, /Copying the database: \d+ % of \d+ MB/);
  const restored = await stage.runAlone(['restore', file, '--data', target], onTerminal);
  assert.match(restored.stderr, /Copying the database: \d+ % of \d+ MB/);
  assert.equal((await stage.run(['restore', file, '--data', join(target, 'other')])).stderr, '');
});

test('when the output is not a terminal, a long command prints a line every five seconds', async (t) => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  const lines: string[] = [];
  t.mock.method(process.stderr, 'write', (line: string) => lines.push(line) > 0);
  await running(async (tell) => {
    for (let step = 0; step <= 100; step++) {
      tell(`step ${step}`);
      t.mock.timers.tick(200);
    }
  });
  assert.deepEqual(lines, ['step 25\n', 'step 50\n', 'step 75\n', 'step 100\n']);
});

test('a copy reports its progress, passes the integrity check, and does not overwrite a file', async () => {
  const source = join(folder, 'palaver.db');
  const copy = join(stage.folder(), 'copy');
  const reported: number[] = [];
  await copyCompactly(source, copy, (done, total) => {
    assert.ok(done <= total && total === statSync(source).size);
    reported.push(done);
  });
  assert.ok((reported.at(-1) as number) > BYTES / 2);
  assert.equal(await isSound(copy), true);
  await assert.rejects(copyCompactly(source, copy), /not empty|already exists/);
});
