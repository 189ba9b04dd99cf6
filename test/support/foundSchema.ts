import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ask } from './databases.ts';
import type { Json, World } from './world.ts';

/** A table as found in a migrated database. */
export interface FoundTable {
  columns: FoundColumn[];
  primaryKey: string[];
  /** The columns of each non-unique index. */
  indexes: string[][];
  unique: string[][];
  foreignKeys: { column: string; table: string; cascades: boolean }[];
}

interface FoundColumn {
  name: string;
  isJson: boolean;
  /** True if the engine generates the value. */
  isGenerated: boolean;
}

/** Internal tables: the migrations, the version of permissions, and the indexes for searches and authors. */
const own = new Set([
  'authority',
  'authorityChange',
  'migration',
  'searchProgress',
  'searchBlock',
  'searchName',
  'searchNameQueue',
  'searchPage',
  'searchQueue',
  'authorIndex',
  'authorProgress',
]);

/** Every data table of a world, by name. */
export async function schemaOf({ place, folder }: World): Promise<Map<string, FoundTable>> {
  const found = place.database ? await inPostgres(place.database) : inSqlite(join(folder, 'palaver.db'));
  return new Map([...found].filter(([name]) => !own.has(name)));
}

function inSqlite(file: string): Map<string, FoundTable> {
  const database = new DatabaseSync(file, { readOnly: true });
  const all = (sql: string) => database.prepare(sql).all() as Json[];
  const names = all(
    `select name from sqlite_schema where type = 'table' and name not like '%\\_search%' escape '\\'`,
  );
  const tables = names.map(({ name }): [string, FoundTable] => {
    const columns = all(`pragma table_xinfo("${name}")`);
    const indexes = all(`pragma index_list("${name}")`).map(({ name, unique }) => ({
      isUnique: unique === 1,
      columns: all(`pragma index_info("${name}")`).map(({ name }) => name),
    }));
    const columnsOf = (isUnique: boolean) =>
      indexes.filter((index) => index.isUnique === isUnique).map(({ columns }) => columns);
    return [
      name,
      {
        columns: columns.map(({ name, type, hidden }) => ({
          name,
          isJson: type === 'JSON_TEXT',
          isGenerated: hidden !== 0,
        })),
        primaryKey: columns.filter(({ pk }) => pk > 0).map(({ name }) => name),
        indexes: columnsOf(false),
        unique: columnsOf(true),
        foreignKeys: all(`pragma foreign_key_list("${name}")`).map((key) => ({
          column: key.from,
          table: key.table,
          cascades: key.on_delete === 'CASCADE',
        })),
      },
    ];
  });
  database.close();
  return new Map(tables);
}

const tablesInPostgres = `select relname as name,
    (select json_agg(json_build_object('name', attname, 'isJson', atttypid = 'jsonb'::regtype, 'isGenerated', attgenerated <> ''))
      from pg_attribute where attrelid = pg_class.oid and attnum > 0 and not attisdropped) as columns,
    (select coalesce(json_agg(json_build_object('isUnique', indisunique, 'isPrimary', indisprimary, 'columns',
        (select json_agg(attname order by place) from unnest(indkey) with ordinality as parts (number, place)
          join pg_attribute on attrelid = indrelid and attnum = number))), '[]')
      from pg_index where indrelid = pg_class.oid) as indexes,
    (select coalesce(json_agg(json_build_object('column', attname, 'table', (select relname from pg_class where oid = confrelid), 'cascades', confdeltype = 'c')), '[]')
      from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
      where conrelid = pg_class.oid and contype = 'f') as "foreignKeys"
  from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;

interface PostgresIndex {
  isUnique: boolean;
  isPrimary: boolean;
  columns: string[];
}

async function inPostgres(url: string): Promise<Map<string, FoundTable>> {
  const rows = await ask<
    Pick<FoundTable, 'columns' | 'foreignKeys'> & { name: string; indexes: PostgresIndex[] }
  >(url, tablesInPostgres);
  return new Map(
    rows.map(({ name, columns, indexes, foreignKeys }) => [
      name,
      {
        columns,
        primaryKey: indexes.find(({ isPrimary }) => isPrimary)?.columns ?? [],
        indexes: indexes.filter(({ isUnique }) => !isUnique).map(({ columns }) => columns),
        unique: indexes.filter(({ isUnique }) => isUnique).map(({ columns }) => columns),
        foreignKeys,
      },
    ]),
  );
}
