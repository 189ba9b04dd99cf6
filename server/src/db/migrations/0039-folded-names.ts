import type { ColumnTypes } from '../migrate.ts';

/**
 * Adds the folded names of users and servers, for the platform's lists. Upkeep fills them in; until then, a
 * name is found by its lowercase form.
 */
export default (t: ColumnTypes): string[] => ['user', 'server'].flatMap((table) => foldedName(t, table));

export const isBackwardCompatible = true;

function foldedName({ dialect }: ColumnTypes, table: string): string[] {
  // The column is sorted in byte order, as `startsWith` in `db/search.ts` requires.
  const bytes = dialect === 'postgres' ? ' collate "C"' : '';
  return [
    `alter table "${table}" add column "nameFolded" text`,
    `drop index ${table}_name_beginning`,
    `create index ${table}_name_folded on "${table}" ((coalesce("nameFolded", lower(name))${bytes}), id)`,
    `create index ${table}_unfolded on "${table}" (id) where "nameFolded" is null`,
    ...(dialect === 'postgres' ? clearOnPostgres(table) : clearOnSqlite(table)),
  ];
}

// Nodes of the previous version don't update the column, and an erased name must not remain in it.
const clearOnSqlite = (table: string): string[] => [
  `create trigger ${table}_renamed after update of name on "${table}"
    when old.name is not new.name and old."nameFolded" is new."nameFolded"
    begin update "${table}" set "nameFolded" = null where id = new.id; end`,
];

const clearOnPostgres = (table: string): string[] => [
  `create function ${table}_renamed() returns trigger language plpgsql
    as $$ begin new."nameFolded" := null; return new; end $$`,
  `create trigger ${table}_renamed before update of name on "${table}" for each row
    when (old.name is distinct from new.name and old."nameFolded" is not distinct from new."nameFolded")
    execute function ${table}_renamed()`,
];
