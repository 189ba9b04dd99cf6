import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Kysely } from 'kysely';
import { accountOf } from '../support/account.ts';
import { fill } from '../support/filled.ts';
import { schemaOf } from '../support/foundSchema.ts';
import { type MergeScene, openMergeScene } from '../support/mergeScene.ts';
import { q } from '../support/sources.ts';
import type { Json } from '../support/world.ts';

// Finds every column that contains a user's id by searching the data, independently of the tables' facts.

let on: MergeScene;
before(async () => {
  on = await openMergeScene();
});
after(() => on.close());

// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a parameter
const any = q as unknown as Kysely<any>;

/** Columns that reference agents, or that a merge leaves unchanged, with the reason. */
const stays: Record<string, string> = {
  'flow.userId': 'the agent of a flow is never a person',
  'webhook.userId': 'the agent that posts as an incoming webhook is never a person',
  'serverMember.lookAlike': 'the user whose name is resembled, who may have left',
  'sweep.actorId': 'the user who started the deletion; its last events name them',
  'groupMention.roleId': "only this test's data has a user id there",
  'groupMention.upTo': 'a position in the order of ids',
};

test('every column that referenced the person references the account after the merge', async () => {
  const { world } = on;
  const { db } = world.data;
  await fill(world);
  const userIds = new Set((await db.read.all(any.selectFrom('user').select('id'))).map(({ id }) => id));
  const placeholder = await world.user();
  const { user } = await accountOf(world);
  const given: string[] = [];
  for (const [table, { columns, primaryKey, foreignKeys }] of await schemaOf(world)) {
    // Logs keep references to the users at the time, and the claim references both users.
    if (['event', 'audit', 'idempotency', 'placeholder'].includes(table)) continue;
    const rows: Json[] = await db.read.all(any.selectFrom(table).selectAll().limit(300));
    for (const { name, isGenerated, isJson } of columns) {
      // A row whose id is the user's id belongs to an account.
      if (isGenerated || isJson || name === 'id') continue;
      if (foreignKeys.some((key) => key.column === name && key.table !== 'user')) continue;
      const row = rows.find((one) => userIds.has(one[name]));
      if (!row) continue;
      let change = any.updateTable(table).set({ [name]: placeholder.id });
      for (const key of primaryKey) change = change.where(key, '=', row[key]);
      await db.write((tx) => tx.run(change as never));
      for (const key of primaryKey) if (key === name) row[key] = placeholder.id;
      given.push(`${table}.${name}`);
    }
  }
  const found = (await on.left(placeholder.id)).filter((column) => given.includes(column));
  assert.deepEqual(found.sort(), [...given].sort());
  assert.ok(given.length > 60, `${given.length} columns`);
  for (const column of ['report.creatorId', 'report.authorId', 'hold.userId', 'grant.userId', 'flow.makerId'])
    assert.ok(given.includes(column), column);
  await on.claimedBy(placeholder.id, user.id);
  await on.merged();
  const left = await on.left(placeholder.id);
  assert.deepEqual(
    left.filter((column) => !Object.hasOwn(stays, column)),
    [],
  );
});
