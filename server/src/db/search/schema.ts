import type { ColumnTypes } from '../migrate.ts';

const columns = ['content', 'creatorId', 'channelId', 'type', 'isThreadReply'];
/** Returns the statement that queues a message that was changed or deleted. */
const values = (id: string, serverId: string): string =>
  `insert into "searchQueue" ("serverId", "messageId", edits) values (${serverId}, ${id}, 1)
    on conflict ("serverId", "messageId") do update set edits = "searchQueue".edits + 1`;

const newestOrd = '(select coalesce(max(ord), 0) from message)';
const newestId = '(select id from message order by id desc limit 1)';

/** Returns the statements that create an empty message index, with all messages pending. */
export function messageIndexSchema(t: ColumnTypes): string[] {
  const isSqlite = t.dialect === 'sqlite';
  return [
    // Blocks of messages, and their pages (db/search/pages.ts). A block is stale if messages in it were
    // deleted or edited after it was built.
    `create table "searchBlock" (id ${isSqlite ? 'integer' : 'bigint'} primary key, "serverId" ${t.id}, first ${t.id}, last ${t.id},
      messages integer not null, level integer not null, stale ${t.bool} default false)`,
    'create index search_block on "searchBlock" ("serverId", last, first)',
    `create index search_level on "searchBlock" (level, "serverId") where level < 3`,
    'create index search_stale on "searchBlock" (id) where stale',
    `create table "searchPage" (id ${isSqlite ? 'integer' : 'bigint'} primary key, data ${isSqlite ? 'blob' : 'bytea'} not null)`,
    // Pending changes to the index: messages that were edited or deleted (`edits` > 0) and, on PostgreSQL,
    // new ones. On SQLite, new messages are found by their `ord`.
    `create table "searchQueue" ("serverId" ${t.id}, "messageId" ${t.id}, edits integer not null,
      primary key ("serverId", "messageId"))${t.clustered}`,
    // Messages up to the id `upTo` are not indexed yet. They are indexed from newest to oldest. `block` is
    // the number of the last block. `owner` is the process that indexes.
    `create table "searchProgress" (ord ${isSqlite ? 'integer' : 'bigint'} not null, "upTo" ${t.idOrNull}, block ${isSqlite ? 'integer' : 'bigint'} not null,
      owner ${t.idOrNull}, "ownedUntil" ${t.time})`,
    `insert into "searchProgress" values (${isSqlite ? newestOrd : 0}, ${newestId}, 0, null, 0)`,
    ...(isSqlite ? triggersOnSqlite : triggersOnPostgres),
  ];
}

const triggersOnSqlite = [
  // SQLite reuses the `ord` of a deleted last row; the next row with that `ord` must be treated as new.
  `create trigger search_deleted after delete on message begin ${values('old.id', 'old."serverId"')};
    update "searchProgress" set ord = ${newestOrd} where ord > ${newestOrd}; end`,
  `create trigger search_changed after update of ${columns.map((name) => `"${name}"`)} on message
    when ${columns.map((name) => `old."${name}" is not new."${name}"`).join(' or ')}
    begin ${values('new.id', 'new."serverId"')}; end`,
];

const onPostgres = (name: string, when: string, does: string): string[] => [
  `create function search_${name}() returns trigger language plpgsql as $$ begin ${does}; return null; end $$`,
  `create trigger search_${name} after ${when} execute function search_${name}()`,
];

const triggersOnPostgres = [
  ...onPostgres(
    'inserted',
    'insert on message referencing new table as fresh for each statement',
    `insert into "searchQueue" select "serverId", id, 0 from fresh on conflict do nothing`,
  ),
  ...onPostgres(
    'deleted',
    'delete on message referencing old table as gone for each statement',
    `insert into "searchQueue" select "serverId", id, 1 from gone
      on conflict ("serverId", "messageId") do update set edits = "searchQueue".edits + 1`,
  ),
  ...onPostgres(
    'changed',
    `update of ${columns.map((name) => `"${name}"`)} on message for each row
      when (${columns.map((name) => `old."${name}" is distinct from new."${name}"`).join(' or ')})`,
    values('new.id', 'new."serverId"'),
  ),
];

/** Returns the statements that reset the index: all messages are pending again. */
export const restartIndex = (dialect: ColumnTypes['dialect']): string[] => [
  'delete from "searchBlock"',
  'delete from "searchPage"',
  'delete from "searchQueue"',
  `update "searchProgress" set "upTo" = ${newestId}`,
  ...(dialect === 'sqlite' ? [`update "searchProgress" set ord = ${newestOrd}`] : []),
];

/** Returns the statements that create an empty index of names (`names.ts`), with all names in its queue. */
export function nameIndexSchema(t: ColumnTypes): string[] {
  const isSqlite = t.dialect === 'sqlite';
  const tables = { server: ['name', 'description'], serverMember: ['nickname'], user: ['name', 'username'] };
  return [
    `create table "searchName" (scope ${t.text}, text ${isSqlite ? t.text : 'text collate "C" not null'}, id ${t.id},
      primary key (scope, text, id))${t.clustered}`,
    'create index search_name on "searchName" (id)',
    `create table "searchNameQueue" (kind ${t.text}, id ${t.id}, changes integer not null, primary key (kind, id))${t.clustered}`,
    ...(isSqlite ? [] : [nameQueueOnPostgres]),
    ...Object.entries(tables).flatMap(([table, names]) => nameTriggers(t, table, names)),
    ...['server', 'serverMember'].map(
      (table) => `insert into "searchNameQueue" select '${table}', id, 0 from "${table}"`,
    ),
  ];
}

const nameQueue = (kind: string, id: string): string =>
  `insert into "searchNameQueue" (kind, id, changes) values (${kind}, ${id}, 1)
    on conflict (kind, id) do update set changes = "searchNameQueue".changes + 1`;

const nameQueueOnPostgres = `create function search_named() returns trigger language plpgsql as $$ begin
  ${nameQueue('tg_table_name', 'coalesce(new.id, old.id)')}; return null; end $$`;

function nameTriggers({ dialect }: ColumnTypes, table: string, names: readonly string[]): string[] {
  const changed = (operator: string) =>
    names.map((name) => `old."${name}" ${operator} new."${name}"`).join(' or ');
  const kinds = table === 'user' ? [] : (['insert', 'delete'] as const);
  const update = `update of ${names.map((name) => `"${name}"`)}`;
  const body = (id: string) => `begin ${nameQueue(`'${table}'`, id)}; end`;
  if (dialect === 'sqlite')
    return [
      ...kinds.map(
        (kind) =>
          `create trigger "search_${table}_${kind}" after ${kind} on "${table}" ${body(kind === 'insert' ? 'new.id' : 'old.id')}`,
      ),
      `create trigger "search_${table}_update" after ${update} on "${table}" when ${changed('is not')} ${body('new.id')}`,
    ];
  return [
    ...kinds.map(
      (kind) =>
        `create trigger "search_${table}_${kind}" after ${kind} on "${table}" for each row execute function search_named()`,
    ),
    `create trigger "search_${table}_update" after ${update} on "${table}" for each row
      when (${changed('is distinct from')}) execute function search_named()`,
  ];
}
