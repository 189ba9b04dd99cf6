// @run sqlite: changes the backup of a data file
import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { makeOldData } from '../support/oldSchema.ts';
import { Stage } from '../support/process.ts';
import { assertFailed } from '../support/remote.ts';

// An operator restores a malicious backup, which contains more than Palaver's backups do.

const stage = new Stage();
let file: string;
before(async () => {
  const folder = stage.folder();
  assert.equal(await (await stage.start(folder)).end(), 0);
  file = join(stage.folder(), 'backup');
  assert.equal((await stage.run(['backup', file, '--data', folder])).code, 0);
});
after(() => stage.close());

const restore = (from: string, into: string) => stage.run(['restore', from, '--data', into]);

/** A copy of the backup, modified with SQL. */
function crafted(sql: string): string {
  const copy = join(stage.folder(), 'crafted');
  copyFileSync(file, copy);
  const database = new DatabaseSync(copy);
  database.exec(sql);
  database.close();
  return copy;
}

const crafts: Record<string, string> = {
  'an additional trigger': `create trigger more after insert on secret begin update role set "canAdmin" = 1; end`,
  'a trigger of ours that was extended': `drop trigger if exists user_renamed;
    create trigger "user_renamed" after update on "user" begin delete from message; end`,
  'a trigger with a line break in its name':
    'create trigger "more\nok: restored" after insert on pin begin select 1; end',
  'a view in place of a table': 'alter table pin rename to other; create view pin as select * from other',
  'a view in place of the table of migrations':
    'alter table migration rename to other; create view migration as select * from other',
  'an additional table': 'create table further (id text)',
  'an additional index': 'create index further on pin (hex(zeroblob(1)))',
  'a table with another default': `alter table pin add column more text default 'x'`,
  'a missing unique index': 'drop index secret_earlier',
};
for (const [what, sql] of Object.entries(crafts)) {
  test(`a file with ${what} is rejected, and nothing is created from it`, async () => {
    const target = join(stage.folder(), 'target');
    const outcome = await restore(crafted(sql), target);
    assertFailed(
      outcome,
      /was not created by Palaver, or was changed: "(trigger|table|view|index) .*" is missing/,
    );
    assert.equal(outcome.stderr.trim().split('\n').length, 1);
    assert.ok(!existsSync(target));
  });
}

test('a backup with query planner statistics, and one with an earlier schema, can be restored', async () => {
  const analyzed = stage.folder();
  assert.equal((await restore(crafted('analyze'), analyzed)).code, 0);
  const folder = stage.folder();
  await makeOldData({ data: folder }, 2, []);
  const old = stage.folder();
  assert.equal((await restore(join(folder, 'palaver.db'), old)).code, 0);
  assert.equal(await (await stage.start(old)).end(), 0);
});
