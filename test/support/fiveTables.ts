import type { Migration } from '../../server/src/db/migrate.ts';

/**
 * A fictitious migration of five tables that nodes constantly read and write, in an order that no write uses. It adds
 * columns, rewrites tables, creates an index, and changes the type of a column that reads return.
 */
export const fiveTables: Migration = {
  version: 9_999,
  name: 'five tables',
  isBackwardCompatible: true,
  statements: () => [
    'alter table event add column "madeUp" bigint not null default 0',
    'alter table message add column "madeUp" text',
    'update message set "madeUp" = content',
    'create index message_made_up on message ("madeUp")',
    'alter table channel alter column description type varchar(4000)',
    'alter table channel add column "madeUp" jsonb',
    'alter table "serverMember" add column "madeUp" boolean not null default true',
    'alter table server alter column welcome type varchar(4000)',
    'alter table server add column "madeUp" bigint not null default 0',
  ],
};
