import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { StorageError } from '../contract.ts';
import { makeDataFolder } from '../dataFolder.ts';
import { migrate, unfinishedCopy, versionOf } from '../open.ts';
import { type TableName, tableNames, tables } from '../schema.ts';
import { anySealed, type SealedValue } from '../sealed.ts';
import { restartIndex } from '../search/schema.ts';
import { openAlone } from '../sqlite/alone.ts';
import { fileChunk } from '../sqlite/authorIndex.ts';
import type { SqliteConnection } from '../sqlite/connection.ts';
import { schemaVersion } from '../version.ts';
import {
  byName,
  type Column,
  engineTables,
  isCopyItself,
  isForeignMigration,
  type Key,
  laneName,
  namesOf,
  ORIGIN,
  type Origin,
  quoted,
  type Row,
  requireSchema,
  type State,
  type Target,
  type Value,
} from './side.ts';

/** Rows per batch read. */
const READ_ROWS = 500;

/** The embedded database as one side of a move. */
export class SqliteSide implements Target {
  // Uses a single lane, because messages get their `ord` in the order in which they are added.
  readonly lanes = 1;
  readonly name: string;
  readonly #file: string;
  #connection: SqliteConnection;

  private constructor(file: string, connection: SqliteConnection) {
    this.#file = file;
    this.name = dirname(file);
    this.#connection = connection;
  }

  /** Opens a file as the source, for exclusive use by this process. Throws `StorageError` if that fails. */
  static openSource(file: string): SqliteSide {
    if (!existsSync(file)) throw new StorageError(`no data in ${dirname(file)}`);
    const side = new SqliteSide(file, openAlone(file));
    try {
      side.#connection.exec('pragma query_only = on');
      side.#requireComplete();
      return side;
    } catch (error) {
      side.#connection.close();
      throw error;
    }
  }

  /**
   * Opens or creates a file as the target, for exclusive use by this process. Throws `StorageError` if that
   * fails.
   */
  static openTarget(file: string): SqliteSide {
    makeDataFolder(dirname(file));
    return new SqliteSide(file, openForCopy(file));
  }

  async columns(table: TableName): Promise<Column[]> {
    const found = this.#connection.db.prepare(`pragma table_xinfo("${table}")`).all();
    return found
      .filter(({ name, hidden }) => hidden === 0 && !tables[table].byEngine?.includes(name as string))
      .map(({ name, type }) => ({ name: name as string, kind: kindOf(type as string) }))
      .sort(byName);
  }

  async *rows(table: TableName, columns: readonly Column[], after?: Key): AsyncGenerator<Row[]> {
    const key = quoted(tables[table].key);
    const from = after && `(${key}) > (${after.map(() => '?')})`;
    const where = [tables[table].copied, from].filter(Boolean).join(' and ');
    const statement = this.#connection.db.prepare(
      `select ${quoted(namesOf(columns))} from "${table}" ${where && `where ${where}`} order by ${key}`,
    );
    statement.setReturnArrays(true);
    let batch: Row[] = [];
    for (const row of statement.iterate(...(after ?? []))) {
      batch.push(fromSqlite(row as unknown as Value[], columns));
      if (batch.length < READ_ROWS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  async setting(name: string): Promise<string | undefined> {
    return this.#connection.scalar(`select value from setting where name = '${name}'`) as string | undefined;
  }

  async sealed(): Promise<SealedValue | undefined> {
    return this.#connection.db.prepare(anySealed).get() as SealedValue | undefined;
  }

  async state(): Promise<State> {
    const origin = unfinishedCopy(this.#connection);
    if (origin) return JSON.parse(origin);
    const notes = this.#connection.db.prepare('pragma table_info(migration)').all();
    if (isForeignMigration(notes.map(({ name }) => name as string))) return 'foreign';
    const isThere = (name: string) =>
      this.#connection.scalar(`select count(*) from sqlite_schema where name = '${name}'`) === 1;
    const hasNone = versionOf(this.#connection) === 0;
    if (hasNone && [...tableNames, ...engineTables].some(isThere)) return 'foreign';
    const there = tableNames.filter(isThere);
    const isFilled = there.some(
      (name) => name !== 'setting' && this.#connection.scalar(`select 1 from "${name}" limit 1`) === 1,
    );
    return isFilled ? 'full' : 'empty';
  }

  async clear(): Promise<void> {
    this.#connection.close();
    for (const rest of ['', '-wal', '-shm']) rmSync(this.#file + rest, { force: true });
    this.#connection = openForCopy(this.#file);
  }

  async begin(origin: Origin, settings: Readonly<Record<string, string>>): Promise<void> {
    await migrate(this.#connection);
    this.#transaction(() => {
      this.#connection.exec('create table "moveProgress" (part text primary key, note text not null)');
      this.#note(ORIGIN, JSON.stringify(origin));
      this.#connection.exec('delete from setting');
      const add = this.#connection.db.prepare('insert into setting (name, value) values (?, ?)');
      for (const [name, value] of Object.entries(settings)) add.run(name, value);
    });
  }

  async progress(): Promise<Map<string, Key>> {
    this.#requireVersion();
    const notes = this.#connection.db
      .prepare('select part, note from "moveProgress" where part <> ?')
      .all(ORIGIN) as { part: string; note: string }[];
    return new Map(notes.map(({ part, note }) => [part, JSON.parse(note)]));
  }

  async add(
    table: TableName,
    columns: readonly Column[],
    rows: readonly Row[],
    lane: number,
    last: Key,
  ): Promise<void> {
    const statement = this.#connection.db.prepare(
      `insert into "${table}" (${quoted(namesOf(columns))}) values (${columns.map(() => '?')})`,
    );
    this.#transaction(() => {
      for (const row of rows) statement.run(...row.map(toSqlite));
      this.#note(laneName(table, lane), JSON.stringify(last));
    });
  }

  async settle(): Promise<void> {
    // Messages are indexed once a node serves the data.
    this.#transaction(() => {
      for (const statement of restartIndex('sqlite')) this.#connection.exec(statement);
    });
    for (let more = true; more; ) this.#transaction(() => ({ more } = fileChunk(this.#connection)));
  }

  /** Does nothing, because no other process can write. */
  async hold(): Promise<void> {}

  async finish(): Promise<void> {
    this.#connection.exec('drop table "moveProgress"');
  }

  async close(): Promise<void> {
    this.#connection.close();
  }

  #requireComplete(): void {
    if (unfinishedCopy(this.#connection)) throw isCopyItself(this.name);
    if (versionOf(this.#connection) === 0) throw new StorageError(`no data in ${this.name}`);
    this.#requireVersion();
  }

  #requireVersion(): void {
    requireSchema(this.name, versionOf(this.#connection), schemaVersion);
  }

  #note(part: string, note: string): void {
    const statement = this.#connection.db.prepare('insert or replace into "moveProgress" values (?, ?)');
    statement.run(part, note);
  }

  #transaction(work: () => void): void {
    this.#connection.scalar('begin immediate');
    try {
      work();
      this.#connection.scalar('commit');
    } catch (error) {
      if (this.#connection.db.isTransaction) this.#connection.exec('rollback');
      throw error;
    }
  }
}

function openForCopy(file: string): SqliteConnection {
  const connection = openAlone(file);
  connection.exec('commit; pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  return connection;
}

const kindOf = (type: string): Column['kind'] => {
  if (type === 'BOOLEAN') return 'boolean';
  return type === 'JSON_TEXT' ? 'json' : 'plain';
};

const fromSqlite = (row: readonly Value[], columns: readonly Column[]): Row =>
  row.map((value, index) => (columns[index]?.kind === 'boolean' && value !== null ? value === 1 : value));

const toSqlite = (value: Value): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value);
