import type { ColumnTypes } from './migrate.ts';
import { schema as postgresSchema } from './postgres/search.ts';
import { authorIndexSchema } from './sqlite/authorIndex.ts';
import { schema as sqliteSchema } from './sqlite/search.ts';

/**
 * Returns the statements that create the first search indexes of a database. Later migrations replace them.
 */
export const searchSchema = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? sqliteSchema() : postgresSchema();

/**
 * Returns the statements that replace the first message index on SQLite with one that is filled in the
 * background.
 */
export const laterSearchSchema = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite'
    ? [
        ...['delete', 'update'].map((event) => `drop trigger message_search_${event}`),
        'drop table message_search',
        'drop table "searchProgress"',
        `create virtual table message_search using fts5 (body, content='', contentless_delete=1, tokenize="ascii")`,
        `insert into message_search (message_search, rank) values ('deletemerge', 0)`,
        'create table "searchProgress" (ord integer not null, block integer not null, size integer not null)',
        'insert into "searchProgress" values (0, 0, 0)',
        `create table "searchBlock" ("channelId" text not null, block integer not null, primary key ("channelId", block)) without rowid`,
        'create index search_block on "searchBlock" (block)',
      ]
    : [];

/**
 * Returns the statements that remove the earlier message index. On PostgreSQL, this includes the column with
 * the words of messages.
 */
export const withoutEarlierIndex = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite'
    ? [
        ...['delete', 'update'].map((event) => `drop trigger if exists message_search_${event}`),
        'drop table message_search',
        'drop table "searchProgress"',
        'drop table "searchBlock"',
      ]
    : ['drop index message_search', 'alter table message drop column words'];

/** Returns the statements that remove the first indexes of names. */
export const withoutNameIndexes = (dialect: ColumnTypes['dialect']): string[] =>
  ['server', 'serverMember'].flatMap((table) =>
    dialect === 'sqlite'
      ? [
          ...['insert', 'delete', 'update'].map(
            (event) => `drop trigger if exists "${table}_search_${event}"`,
          ),
          `drop table "${table}_search"`,
        ]
      : [
          ...(table === 'serverMember'
            ? ['drop trigger member_words on "serverMember"', 'drop function member_words()']
            : []),
          `drop index "${table}_search"`,
          `alter table "${table}" drop column words`,
        ],
  );

/**
 * Returns the statements that turn off automatic merges of the message index from `laterSearchSchema`.
 * Background indexing then merges it in chunks.
 */
export const boundedMerges = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? [`insert into message_search (message_search, rank) values ('automerge', 0)`] : [];

/**
 * Returns the statements that replace the author index on SQLite with one that is filled in the background.
 * PostgreSQL keeps a regular index (docs/decisions/0057).
 */
export const laterAuthors = (dialect: ColumnTypes['dialect']): string[] =>
  dialect === 'sqlite' ? authorIndexSchema() : [];
