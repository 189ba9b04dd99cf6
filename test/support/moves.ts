import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SqliteConnection } from '../../server/src/db/sqlite/connection.ts';
import { ask, type Database, newDatabase } from './databases.ts';
import { type Outcome, Stage } from './process.ts';
import { type Json, World } from './world.ts';

/** Hides the suite's PostgreSQL from commands that run on a folder. */
export const NO_URL = { DATABASE_URL: '' };

/** The folders, databases and commands for a test file about `palaver migrate`. `close` removes them all. */
export class Moves extends Stage {
  readonly #made: Database[] = [];

  /** Creates an empty PostgreSQL database and returns its URL. */
  async database(): Promise<string> {
    const database = await newDatabase('empty');
    this.#made.push(database);
    return database.url;
  }

  /** Removes everything from a database. */
  async clear(url: string): Promise<void> {
    await ask(url, 'drop schema public cascade');
    await ask(url, 'create schema public');
  }

  placeOf(place: string): { data: string; database: string; secretKey: string } {
    const isUrl = place.startsWith('postgres');
    return { data: isUrl ? this.folder() : place, database: isUrl ? place : '', secretKey: '' };
  }

  /** Serves the data in a folder or database while `use` runs. */
  async serving<T>(place: string, use: (world: World) => Promise<T>): Promise<T> {
    const world = await World.open({ place: this.placeOf(place) });
    try {
      return await use(world);
    } finally {
      await world.close();
    }
  }

  /** Runs `palaver migrate`. Leaves out the progress lines, which it prints only on a slow machine. */
  async migrate(from: string, to: string, ...more: string[]): Promise<Outcome> {
    const outcome = await this.run(['migrate', '--from', from, '--to', to, ...more]);
    return { ...outcome, stderr: outcome.stderr.replaceAll(/^[a-z]+ \w+: \d+( rows)?\n/gm, '') };
  }

  /** Runs `palaver migrate` and returns its report. */
  async move(from: string, to: string, ...more: string[]): Promise<Json> {
    const { code, stdout, stderr } = await this.migrate(from, to, '--json', ...more);
    assert.equal(code, 0, stderr);
    const report = JSON.parse(stdout);
    assert.equal(report.ok, true);
    for (const { table, source, target } of report.tables) assert.deepEqual(source, target, table);
    return report;
  }

  override async close(): Promise<void> {
    await super.close();
    for (const database of this.#made) await database.drop();
  }
}

/** Runs SQL on a data folder with Palaver's SQL functions, which changes to messages need. */
export function change(folder: string, sql: string): void {
  const connection = new SqliteConnection(join(folder, 'palaver.db'), {});
  connection.exec(sql);
  connection.close();
}

/** The number of rows and the checksum of each table in a report. */
export const sumsOf = ({ tables }: Json): Json =>
  Object.fromEntries(tables.map(({ table, target }: Json) => [table, target]));

/** Settings that depend on the location of the data, and therefore differ after a move. */
const ofThePlace = new Set(['epoch', 'place']);

/**
 * Every row of every migrated table in a data folder, in PostgreSQL's form: without row numbers, and with JSON
 * parsed.
 */
export function rowsOf(folder: string): Record<string, Json[]> {
  const database = new DatabaseSync(join(folder, 'palaver.db'), { readOnly: true });
  const tables = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like '%\\_search%' escape '\\'
        and name not in ('migration', 'authorityChange', 'searchProgress', 'searchName', 'searchNameQueue', 'searchBlock', 'searchPage', 'searchQueue', 'authorIndex', 'authorProgress')`,
    )
    .all() as { name: string }[];
  const rows = tables.map(({ name }) => {
    const columns = database.prepare(`pragma table_xinfo("${name}")`).all();
    const json = columns.filter(({ type }) => type === 'JSON_TEXT').map((column) => column.name as string);
    const all = database.prepare(`select * from "${name}"`).all();
    const moved = all.filter((row) => name !== 'setting' || !ofThePlace.has(row.name as string));
    return [name, moved.map((row) => plain(row, json)).sort(byText)];
  });
  database.close();
  return Object.fromEntries(rows);
}

function plain({ ord: _ord, record, ...row }: Json, json: readonly string[]): Json {
  for (const name of json) if (row[name] !== null) row[name] = JSON.parse(row[name]);
  return record === undefined ? row : { ...row, record: JSON.parse(record) };
}

const byText = (one: Json, other: Json): number => {
  const [ours, theirs] = [one.id ?? JSON.stringify(one), other.id ?? JSON.stringify(other)];
  return ours < theirs ? -1 : 1;
};
