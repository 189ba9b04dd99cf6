import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { StorageError, UnfinishedCopy } from './contract.ts';
import { makeDataFolder, NoData } from './dataFolder.ts';
import type { ColumnTypes, Migration } from './migrate.ts';
import { SqliteConnection } from './sqlite/connection.ts';
import { openSqlite, type SqliteDb, type SqliteOptions } from './sqlite/index.ts';
import { servingProcess } from './sqlite/presence.ts';
import { schemaNeededBy, type UpgradeOptions, waitForOlderNodes } from './upgrade.ts';
import { loadMigrations, requireKnown, schemaVersion } from './version.ts';

type OpenOptions = SqliteOptions & UpgradeOptions & { existing?: boolean };

/**
 * Opens the embedded database and brings its schema up to date. Creates the database and its folder if
 * missing; with `existing`, throws `NoData` instead. Throws `StorageError` if the file cannot be used, was
 * written by a newer version of Palaver, or is served by an older version that the migration would break.
 */
export async function openDatabase(options: OpenOptions): Promise<SqliteDb> {
  const folder = dirname(options.file);
  if (options.existing && !existsSync(options.file)) throw new NoData(folder);
  makeDataFolder(folder);
  try {
    return await openMigrated(options);
  } catch (error) {
    if (error instanceof StorageError) error.message += ` (${options.file})`;
    throw error;
  }
}

async function openMigrated(options: OpenOptions): Promise<SqliteDb> {
  const db = openSqlite(options);
  try {
    await migrate(db.connection, options);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/**
 * Brings the schema up to date. Each migration is one transaction that records its version, so a crash leaves
 * the previous version intact. Throws `UnfinishedCopy` if `palaver migrate` has not finished, and
 * `StorageError` if the schema is newer. With `file`, waits for an incompatible process that serves the
 * folder to stop, and keeps a copy.
 */
export async function migrate(
  connection: SqliteConnection,
  { file, ...options }: UpgradeOptions & { file?: string } = {},
): Promise<void> {
  const origin = unfinishedCopy(connection);
  if (origin) throw new UnfinishedCopy(origin);
  const version = versionOf(connection);
  if (version === schemaVersion) return;
  const { sqliteTypes } = await import('./migrate.ts');
  const pending = (await loadMigrations()).filter((migration) => migration.version > version);
  if (file && version > 0) {
    const serving = async () => [servingProcess(dirname(file))].filter((process) => process !== undefined);
    await waitForOlderNodes(schemaNeededBy(pending), serving, options);
    // Loaded on demand, because only migrations need it.
    const { keepCopy } = await import('./sqlite/keptCopies.ts');
    await keepCopy(file, version + 1, options.report);
  }
  connection.exec('pragma busy_timeout = 10000');
  for (const migration of pending) {
    connection.exec('begin immediate');
    try {
      // Checks the version again under the write lock, because another process may have migrated first.
      if (versionOf(connection) < migration.version) make(connection, migration, sqliteTypes);
      connection.exec('commit');
    } catch (error) {
      if (connection.db.isTransaction) connection.exec('rollback');
      throw error;
    }
  }
  connection.exec('pragma busy_timeout = 0');
}

function make(
  connection: SqliteConnection,
  { version, name, isBackwardCompatible, statements }: Migration,
  types: ColumnTypes,
): void {
  for (const statement of statements(types)) connection.exec(statement);
  connection.exec(`create table if not exists migration (version integer primary key, name text not null, "madeAt" integer not null);
    insert into migration values (${version}, '${name}', ${Date.now()})`);
  // Tells older processes that they may no longer use the file.
  if (!isBackwardCompatible) connection.exec(`pragma user_version = ${version}`);
}

/**
 * Returns the name of an object (table, trigger, view, index) that differs from the schema of the database's
 * version; undefined if there is none. Checks that `migration` is the expected table before reading the
 * version from it. `further` contains statements for additional tables that the database may have.
 */
export async function strangeObject(
  connection: SqliteConnection,
  further: readonly string[] = [],
): Promise<string | undefined> {
  const found = objectsOf(connection);
  const newest = await objectsUpTo(schemaVersion, further);
  if (newest.get('table migration') !== found.get('table migration')) return 'table migration';
  const ours = await objectsUpTo(versionOf(connection), further);
  for (const [object, sql] of found) {
    if (ours.get(object) !== sql && !STATISTICS.test(object)) return object;
  }
  return [...ours.keys()].find(
    (object) => !found.has(object) && !further.some((sql) => sql.includes(object)),
  );
}

/** Matches the tables with SQLite's query planner statistics, which are not part of the schema. */
const STATISTICS = /^table sqlite_stat[14]$/;

/** Returns all objects of a schema, such as `table pin`, with their statements. */
function objectsOf(connection: SqliteConnection): Map<string, string> {
  const rows = connection.db.prepare('select type, name, tbl_name, sql from sqlite_schema').all();
  // Other versions of SQLite may use different spacing and quotes in the statements of altered tables.
  const plain = (sql: unknown) => String(sql).replace(/[\s"]/g, '');
  return new Map(
    rows.map(({ type, name, tbl_name, sql }) => [`${type} ${name}`, `${tbl_name} ${plain(sql)}`]),
  );
}

/** Returns the objects of a new database with this version. */
async function objectsUpTo(version: number, further: readonly string[]): Promise<Map<string, string>> {
  const { sqliteTypes } = await import('./migrate.ts');
  const fresh = new SqliteConnection(':memory:', {});
  try {
    for (const migration of await loadMigrations())
      if (migration.version <= version) make(fresh, migration, sqliteTypes);
    for (const statement of further) fresh.exec(statement);
    return objectsOf(fresh);
  } finally {
    fresh.close();
  }
}

/**
 * Returns the origin of an unfinished copy by `palaver migrate`, as JSON of `Origin` (`copy/side.ts`);
 * undefined if there is none.
 */
export function unfinishedCopy(connection: SqliteConnection): string | undefined {
  if (connection.scalar(`select count(*) from sqlite_schema where name = 'moveProgress'`) === 0)
    return undefined;
  return String(connection.scalar(`select note from "moveProgress" where part = 'origin'`));
}

/**
 * Returns a database's schema version; 0 for an empty database. Throws `StorageError` if it is newer than
 * this program.
 */
export function versionOf(connection: SqliteConnection): number {
  const exists = connection.scalar(`select count(*) from sqlite_schema where name = 'migration'`);
  const version = exists ? Number(connection.scalar('select coalesce(max(version), 0) from migration')) : 0;
  return requireKnown(version);
}
