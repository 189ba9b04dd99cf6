import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { migrationFiles } from '../../server/src/db/migrations/index.ts';
import { type TableName, tableNames, tables } from '../../server/src/db/schema.ts';
import type { Bond, Facts } from '../../server/src/db/tables/facts.ts';
import { schemaVersion } from '../../server/src/db/version.ts';
import { tablesOfServer } from '../../server/src/removal/serverSweep.ts';
import { type FoundTable, schemaOf } from '../support/foundSchema.ts';
import { typedColumns } from '../support/rowTypes.ts';
import { World } from '../support/world.ts';

/** Columns whose name differs from the name of the table they reference. */
const aliases: Record<string, TableName> = {
  accountId: 'user',
  deleterId: 'user',
  agentId: 'user',
  replyId: 'message',
  actorId: 'user',
  failedRunId: 'flowRun',
  authorId: 'user',
  blockedId: 'user',
  closerId: 'user',
  creatorId: 'user',
  homeServerId: 'server',
  latestId: 'message',
  // A log can also belong to a user; users are never removed.
  logId: 'server',
  makerId: 'user',
  ownerId: 'user',
  payerId: 'user',
  replyToId: 'message',
  runId: 'flowRun',
  sponsorId: 'serverMember',
  suspendedWithId: 'user',
};

/** References to users in rows that contain nothing else about them. */
const notAboutUser = [
  'event.userId',
  'event.actorId',
  'flow.userId',
  'notification.actorId',
  'sweep.actorId',
  'webhook.userId',
  'audit.actorId',
  // An export must not reveal a hold to the person, who may be its subject.
  'hold.userId',
  'hold.creatorId',
  'keptMessage.creatorId',
  // A sum over files, which are part of the export.
  'personUse.userId',
];

/** Columns that an engine maintains like ordinary ones: the row's number, and the search words of members. */
const keptByEngine = ['ord', 'words'];

let world: World;
let schema: Map<string, FoundTable>;

before(async () => {
  world = await World.open();
  schema = await schemaOf(world);
});
after(() => world.close());

test('migrations are listed in the order of their numbers, which have no gaps', () => {
  const folder = join(import.meta.dirname, '../../server/src/db/migrations');
  const files = readdirSync(folder).filter((name) => name !== 'index.ts');
  assert.deepEqual(
    migrationFiles.map(({ name }, index) => `${String(index + 1).padStart(4, '0')}-${name}.ts`),
    files.toSorted(),
  );
  assert.equal(schemaVersion, files.length);
});

const found = (table: TableName): FoundTable => schema.get(table) as FoundTable;
const bondsOf = ({ goesWith = {} }: Facts) => Object.entries(goesWith) as [string, Bond][];
const sorted = (values: Iterable<unknown>) => [...values].map(String).sort();

/** The table that a column references by its name; undefined for other columns. */
function tableNamed(column: string): TableName | undefined {
  // Agents choose the ids of a message's blocks and of the blocks' elements.
  if (!/.Id$/.test(column) || /^(action|block)Id$/.test(column)) return undefined;
  const table = aliases[column] ?? (column.slice(0, -2) as TableName);
  assert.ok(tables[table], `${column} refers to no table: add an alias`);
  return table;
}

/** Columns that reference removable rows and have no fact that defines what happens to their own row on removal. */
function untold(columns: readonly string[], { goesWith = {}, outlives = {} }: Facts): string[] {
  return columns.filter((column) => {
    const table = tableNamed(column);
    return table && !tables[table].isPermanent && !(column in goesWith) && !(column in outlives);
  });
}

test('`tables` lists exactly the existing tables', () => {
  assert.deepEqual(sorted(tableNames), sorted(schema.keys()));
});

test('for each column, a table must declare the effect of deleting its channel on the rows', () => {
  const poll = ['id', 'serverId', 'channelId', 'creatorId', 'question'];
  assert.deepEqual(untold(poll, { key: ['id'] }), ['serverId', 'channelId']);
  const outlives = { serverId: 'why not', channelId: 'why not' };
  assert.deepEqual(untold(poll, { key: ['id'], outlives }), []);
});

test('a table comes after those that its foreign keys reference', () => {
  for (const [place, table] of tableNames.entries()) {
    for (const key of found(table).foreignKeys) {
      assert.ok(tableNames.indexOf(key.table as TableName) < place, `${table} needs ${key.table}`);
    }
  }
});

/** Defines one test per table. */
function testEach(name: string, check: (table: TableName, facts: Facts) => void): void {
  for (const table of tableNames) test(`${table}: ${name}`, () => check(table, tables[table]));
}

testEach('the columns are those of the row type', (table, facts) => {
  const names = found(table).columns.map(({ name }) => name);
  const elsewhere = (facts.byEngine ?? []).filter((name) => !names.includes(name));
  const untyped = names.filter((name) => name === 'words');
  assert.deepEqual(
    sorted([...names, ...elsewhere]),
    sorted(new Set([...typedColumns(table), ...untyped, ...elsewhere])),
  );
});

testEach('the key is the primary key', (table, facts) => {
  const { primaryKey, unique } = found(table);
  // In some SQLite tables, the primary key is a row number, and a unique index covers the key.
  if (String(primaryKey) === 'ord') assert.ok(unique.map(String).includes(String(facts.key)));
  else assert.deepEqual(primaryKey, facts.key);
});

testEach('the JSON columns and those maintained by an engine are listed', (table, facts) => {
  const { columns } = found(table);
  assert.deepEqual(
    sorted(columns.filter(({ isJson }) => isJson).map(({ name }) => name)),
    sorted(facts.json ?? []),
  );
  const kept = columns.filter(({ name, isGenerated }) => isGenerated || keptByEngine.includes(name));
  for (const { name } of kept) assert.ok(facts.byEngine?.includes(name), name);
  const others = columns.filter((column) => !kept.includes(column)).map(({ name }) => name);
  for (const name of facts.byEngine ?? []) assert.ok(!others.includes(name), name);
});

testEach('every reference declares what deletes the row', (table, facts) => {
  const { columns, foreignKeys, indexes, unique } = found(table);
  const names = columns.map(({ name }) => name);
  assert.deepEqual(untold(names, facts), []);
  const byKey = bondsOf(facts).filter(([, { by }]) => by === 'foreignKey');
  assert.deepEqual(
    sorted(byKey.map(([column, bond]) => `${column} ${bond.table}`)),
    sorted(foreignKeys.map((key) => `${key.column} ${key.table}`)),
  );
  assert.ok(foreignKeys.every(({ cascades }) => cascades));
  for (const [column, bond] of bondsOf(facts)) {
    assert.ok(names.includes(column), column);
    assert.ok(bond.table in tables, bond.table);
    assert.ok(bond.by !== 'release' || table === 'thread', 'only threads are released');
    assert.equal(tableNamed(column) ?? bond.table, bond.table);
    if (bond.by !== 'sweep' && bond.by !== 'release') continue;
    // Each batch of a sweep selects its rows by this column.
    assert.ok(
      [...indexes, ...unique].some(([first]) => first === column),
      `${column} has an index`,
    );
  }
  for (const [column, why] of Object.entries(facts.outlives ?? {})) {
    assert.ok(names.includes(column), column);
    assert.ok(why);
  }
});

/** The first column of `message_author`, which PostgreSQL uses only to find an author's channels. */
const ONLY_FOR_CHANNELS = 'message.creatorId';

testEach(
  "every reference to a user is part of the user's export, or is listed as an exception",
  (table, facts) => {
    const exported = Object.entries(facts.inExportOf ?? {});
    const references = typedColumns(table)
      .filter((column) => ['userId', 'creatorId', 'actorId'].includes(column))
      .filter((column) => !notAboutUser.includes(`${table}.${column}`));
    const names = exported.map(([column]) => column);
    assert.deepEqual(
      references.filter((column) => !names.includes(column)),
      [],
      'add `inExportOf`',
    );
    const { columns, indexes, unique, primaryKey } = found(table);
    for (const [column, { isScanned = false } = {}] of exported) {
      assert.ok(
        columns.some(({ name }) => name === column),
        column,
      );
      const isIndexed = [primaryKey, ...indexes, ...unique].some(
        ([first]) => first === column && `${table}.${column}` !== ONLY_FOR_CHANNELS,
      );
      assert.equal(isIndexed, !isScanned, `${column}: isScanned`);
    }
  },
);

test("a server's sweep finds the rows of each table with an index", () => {
  assert.ok(tablesOfServer.length > 5);
  for (const table of tablesOfServer) {
    assert.deepEqual(tables[table].key, ['id'], table);
    assert.ok(
      found(table).indexes.some(([first]) => first === 'serverId'),
      `${table}: add an index on serverId`,
    );
  }
});

testEach('every unique index has an error message, or a reason why it cannot conflict', (table, facts) => {
  const others = found(table)
    .unique.map(String)
    .filter((columns) => columns !== String(facts.key));
  const said = { ...facts.unique, ...facts.neverTaken };
  assert.deepEqual(sorted(new Set(others.filter((columns) => columns !== 'ord'))), sorted(Object.keys(said)));
  assert.ok(Object.values(said).every(Boolean));
});

testEach('a table whose rows expire has a key of one column, and an index by age', (table, facts) => {
  const { keptFor } = facts;
  if (!keptFor) return;
  assert.equal(facts.key.length, 1);
  assert.ok(found(table).indexes.some(([first]) => first === keptFor.since));
});

testEach('inserts are merged only where no other table depends on the order', (table, facts) => {
  if (!facts.insertsMerge) return;
  assert.deepEqual(found(table).foreignKeys, []);
  for (const [other, { foreignKeys }] of schema) {
    assert.ok(
      foreignKeys.every((key) => key.table !== table),
      other,
    );
  }
});
