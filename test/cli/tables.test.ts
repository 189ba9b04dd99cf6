// @run sqlite: tests how lists are printed
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { tableOf } from '../../server/src/cli/table.ts';
import { onTerminal, Stage } from '../support/process.ts';
import { jsonOf } from '../support/remote.ts';
import type { Json } from '../support/world.ts';

const stage = new Stage();
const folder = stage.folder();
before(async () => {
  await stage.run(['user', 'create', '--username', 'ada', '--data', folder]);
  // Older data may have names that are now rejected.
  const data = new DatabaseSync(join(folder, 'palaver.db'));
  data.prepare('update "user" set name = ?').run('Ada\u001b[31m L.');
  data.close();
});
after(() => stage.close());

/** A time as a table shows it, in the time zone of this machine. */
function shownTime(ms: number): string {
  const date = new Date(ms);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()];
  const [year, month, day, hour, minute] = parts.map((part) => String(part).padStart(2, '0'));
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

test('on a terminal a list is a table with dates, without control characters', async () => {
  const [ada]: Json[] = jsonOf(await stage.run(['user', 'list', '--data', folder, '--json'], onTerminal));
  const { code, stdout } = await stage.run(['user', 'list', '--data', folder], onTerminal);
  assert.equal(code, 0);
  const [heading, row, ...others] = stdout.trimEnd().split('\n');
  assert.deepEqual(heading?.split(/ {2,}/), ['ID', 'USERNAME', 'NAME', 'TYPE', 'PLATFORM ADMIN', 'CREATED']);
  assert.deepEqual(row?.split(/ {2,}/), [
    ada.id,
    'ada',
    'Ada[31m L.',
    'person',
    'no',
    shownTime(ada.createdAt),
  ]);
  assert.deepEqual(others, []);
  const commands = await stage.run(['audit', '--data', folder], onTerminal);
  assert.match(
    commands.stdout,
    /^AT +ACCOUNT +ACTOR +COMMAND +ABOUT\n\d{4}-\d\d-\d\d \d\d:\d\d {2}.+ {2}– +user create {2}\{"id"/,
  );
});

test('on a terminal, a line says that a list is empty', async () => {
  const servers = await stage.run(['server', 'list', '--data', folder], onTerminal);
  assert.equal(servers.stdout, 'None.\n');
});

test('elsewhere, a list has one line per field, for scripts', async () => {
  const { stdout } = await stage.run(['user', 'list', '--data', folder]);
  assert.match(stdout, /^id: \S+\n(\w+: .*\n)*username: ada\n(\w+: .*\n)+\n$/);
  assert.match(stdout, /^createdAt: \d+$/m);
});

test('columns are as wide as their widest cell', () => {
  assert.deepEqual(
    tableOf(
      [
        { name: 'a', lastUsedAt: null },
        { name: 'longer', lastUsedAt: Date.UTC(2026, 0, 2) },
      ],
      ['name', 'lastUsedAt'],
    ),
    ['NAME    LAST USED', 'a       –', `longer  ${shownTime(Date.UTC(2026, 0, 2))}`],
  );
});
