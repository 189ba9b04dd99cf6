import { setTimeout as sleep } from 'node:timers/promises';
import { StorageError } from '../contract.ts';
import { type Bound, fixed } from '../postgres/compile.ts';
import { PostgresConnection } from '../postgres/connection.ts';
import { takeExclusive, takeSchema } from '../postgres/membership.ts';
import { migrate, unfinishedCopy, versionOf } from '../postgres/migrate.ts';
import { type TableName, tableNames, tables } from '../schema.ts';
import { anySealed, type SealedValue } from '../sealed.ts';
import { restartIndex } from '../search/schema.ts';
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

/** Timeout and polling interval while other nodes shut down. */
const STOP_TIMEOUT_MS = 5_000;
const STOP_RETRY_MS = 250;
/** Rows per fetch from the cursor. */
const FETCH_ROWS = 500;
/** The advisory lock that each connection holds while it adds rows. */
const WRITER_LOCK_KEY = '31632379671078260';

const session = `set statement_timeout = 0; set lock_timeout = '60s'; set idle_session_timeout = 0;
  set idle_in_transaction_session_timeout = 0; set tcp_user_timeout = 0`;

const columnsOf = fixed(`select attname as name, format_type(atttypid, null) as type from pg_attribute
  where attrelid = to_regclass(quote_ident($1)) and attnum > 0 and not attisdropped and attgenerated = ''`);
const tablesThere = fixed(
  `select name from unnest($1::text[]) as name where to_regclass(quote_ident(name)) is not null`,
);
const settingOf = fixed('select value from setting where name = $1');
const sealed = fixed(anySealed);
const notes = fixed('select part, note from "moveProgress" where part <> $1');
const addSetting = fixed('insert into setting (name, value) values ($1, $2)');
const addNote = fixed(`insert into "moveProgress" (part, note) values ($1, $2)`);

/** PostgreSQL as one side of a move. */
export class PostgresSide implements Target {
  readonly lanes = 4;
  readonly name: string;
  readonly #url: string;
  /** The connection for reads. It holds the lock that prevents nodes from serving the data. */
  readonly #connection: PostgresConnection;
  /** One connection per lane, so lanes can add rows concurrently. */
  readonly #writers: (Promise<PostgresConnection> | undefined)[] = [];
  readonly #types = new Map<string, string>();
  readonly #inserts = new Map<TableName, Bound>();

  private constructor(url: string, name: string, connection: PostgresConnection) {
    this.#url = url;
    this.name = name;
    this.#connection = connection;
  }

  /** Opens a database as the source, with one snapshot and no other writers. Throws `StorageError`. */
  static async openSource(url: string, name: string): Promise<PostgresSide> {
    const side = new PostgresSide(url, name, await connect(url));
    return side.#openAlone(async () => {
      await side.#requireComplete();
      // The first read takes the snapshot. Locking first ensures that it includes all earlier writes.
      await side.#connection.exec('begin isolation level repeatable read');
      await side.#connection.exec(
        tableNames.map((table) => `lock table "${table}" in share mode`).join('; '),
      );
    });
  }

  /** Opens a database as the target. Throws `StorageError` if a node serves it. */
  static async openTarget(url: string, name: string): Promise<PostgresSide> {
    const side = new PostgresSide(url, name, await connect(url));
    // Waits for statements of a killed command that are still running.
    return side.#openAlone(() =>
      side.#connection.exec(
        `select pg_advisory_lock(${WRITER_LOCK_KEY}); select pg_advisory_unlock(${WRITER_LOCK_KEY})`,
      ),
    );
  }

  async columns(table: TableName): Promise<Column[]> {
    const { rows } = await this.#connection.query({ ...columnsOf, values: [table] });
    const found = (rows as { name: string; type: string }[]).filter(
      ({ name }) => !tables[table].byEngine?.includes(name),
    );
    for (const { name, type } of found) this.#types.set(`${table} ${name}`, type);
    return found.map(({ name, type }) => ({ name, kind: kindOf(type) })).sort(byName);
  }

  async *rows(table: TableName, columns: readonly Column[], after?: Key): AsyncGenerator<Row[]> {
    // Collation "C" compares bytes, as SQLite does.
    const key = tables[table].key.map(
      (name) => `"${name}"${this.#isText(table, name) ? ' collate "C"' : ''}`,
    );
    const from = after && `(${key}) > (${after.map(literal)})`;
    const where = [tables[table].copied, from].filter(Boolean).join(' and ');
    const connection = this.#connection;
    await connection.query(
      once(`declare copied no scroll cursor for select ${quoted(namesOf(columns))} from "${table}"
        ${where && `where ${where}`} order by ${key}`),
    );
    const fetch = () => {
      const rows = connection.query(once(`fetch ${FETCH_ROWS} from copied`));
      rows.catch(() => {});
      return rows;
    };
    // Prefetches the next rows while the caller handles these.
    let next = fetch();
    for (;;) {
      const { rows } = await next;
      if (rows.length === 0) break;
      next = fetch();
      yield rows.map((row) => columns.map(({ name, kind }) => fromPostgres(row[name], kind)));
    }
    await connection.query(once('close copied'));
  }

  async setting(name: string): Promise<string | undefined> {
    return (await this.#connection.query({ ...settingOf, values: [name] })).rows[0]?.value;
  }

  async sealed(): Promise<SealedValue | undefined> {
    return (await this.#connection.query(sealed)).rows[0];
  }

  async state(): Promise<State> {
    const origin = await unfinishedCopy(this.#connection);
    if (origin) return JSON.parse(origin);
    const { rows: found } = await this.#connection.query({ ...columnsOf, values: ['migration'] });
    if (isForeignMigration(found.map(({ name }) => name))) return 'foreign';
    const hasNone = (await versionOf(this.#connection)) === 0;
    if (hasNone && (await this.#tablesThere([...tableNames, ...engineTables])).length > 0) return 'foreign';
    const there = await this.#tablesThere();
    for (const name of there.filter((name) => name !== 'setting')) {
      const { rows } = await this.#connection.query(once(`select 1 from "${name}" limit 1`));
      if (rows.length > 0) return 'full';
    }
    return 'empty';
  }

  async clear(): Promise<void> {
    const filled = await this.#tablesThere();
    await this.#connection.exec(`begin; truncate ${quoted(filled)}; drop table "moveProgress"; commit`);
  }

  async begin(origin: Origin, settings: Readonly<Record<string, string>>): Promise<void> {
    await migrate(this.#url);
    await this.#connection.exec(
      'begin; create table "moveProgress" (part text primary key, note text not null); delete from setting',
    );
    await this.#connection.query({ ...addNote, values: [ORIGIN, JSON.stringify(origin)] });
    for (const [name, value] of Object.entries(settings))
      await this.#connection.query({ ...addSetting, values: [name, value] });
    await this.#connection.exec('commit');
  }

  async progress(): Promise<Map<string, Key>> {
    await this.#requireVersion();
    const { rows } = await this.#connection.query({ ...notes, values: [ORIGIN] });
    return new Map(rows.map(({ part, note }) => [part, JSON.parse(note)]));
  }

  async add(
    table: TableName,
    columns: readonly Column[],
    rows: readonly Row[],
    lane: number,
    last: Key,
  ): Promise<void> {
    this.#writers[lane] ??= this.#connectWriter();
    const writer = await this.#writers[lane];
    const values = columns.map((_, index) => arrayOf(rows.map((row) => row[index] as Value)));
    await writer.query({
      ...this.#insertInto(table, columns),
      values: [...values, laneName(table, lane), JSON.stringify(last)],
    });
  }

  async settle(): Promise<void> {
    await this.#connection.exec([...restartIndex('postgres'), `analyze ${quoted(tableNames)}`].join('; '));
  }

  async hold(): Promise<void> {
    await this.#connection.exec('begin isolation level repeatable read read only');
  }

  async finish(): Promise<void> {
    await this.#connection.exec('commit');
    await this.#connection.exec(
      'begin; drop table "moveProgress"; update authority set version = version + 1; commit',
    );
  }

  async close(): Promise<void> {
    const writers = await Promise.allSettled(this.#writers);
    for (const writer of writers) if (writer.status === 'fulfilled') await writer.value?.close();
    await this.#connection.close();
  }

  /** Acquires the nodes' lock exclusively, then calls `proceed`. Closes all connections if that fails. */
  async #openAlone(proceed: () => Promise<void>): Promise<this> {
    try {
      const until = Date.now() + STOP_TIMEOUT_MS;
      await this.#connection.query(takeSchema);
      while (!(await this.#connection.query(takeExclusive)).rows[0].had) {
        if (Date.now() > until) throw new StorageError(`a node is using ${this.name}: stop it first`);
        await sleep(STOP_RETRY_MS);
      }
      await proceed();
      return this;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async #requireComplete(): Promise<void> {
    if (await unfinishedCopy(this.#connection)) throw isCopyItself(this.name);
    if ((await versionOf(this.#connection)) === 0) throw new StorageError(`no data in ${this.name}`);
    await this.#requireVersion();
  }

  async #requireVersion(): Promise<void> {
    requireSchema(this.name, await versionOf(this.#connection), schemaVersion);
  }

  async #tablesThere(names: readonly string[] = tableNames): Promise<string[]> {
    const { rows } = await this.#connection.query({ ...tablesThere, values: [arrayOf(names)] });
    return rows.map(({ name }) => name);
  }

  async #connectWriter(): Promise<PostgresConnection> {
    const writer = await connect(this.#url);
    await writer.exec(`select pg_advisory_lock_shared(${WRITER_LOCK_KEY})`);
    return writer;
  }

  #isText(table: TableName, column: string): boolean {
    return this.#types.get(`${table} ${column}`) === 'text';
  }

  /** Adds rows and records the lane's progress in one statement, and therefore in one transaction. */
  #insertInto(table: TableName, columns: readonly Column[]): Bound {
    let insert = this.#inserts.get(table);
    if (!insert) {
      const arrays = columns.map(
        ({ name }, index) => `$${index + 1}::${this.#types.get(`${table} ${name}`)}[]`,
      );
      insert = fixed(`with added as (
          insert into "${table}" (${quoted(namesOf(columns))}) select * from unnest(${arrays}))
        insert into "moveProgress" (part, note) values ($${arrays.length + 1}, $${arrays.length + 2})
          on conflict (part) do update set note = excluded.note`);
      this.#inserts.set(table, insert);
    }
    return insert;
  }
}

async function connect(url: string): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open(url);
  await connection.exec(session);
  return connection;
}

/** Creates a statement that runs once and is not prepared. */
const once = (text: string): Bound => {
  const { compiled, values } = fixed(text);
  return { compiled: { ...compiled, name: undefined }, values };
};

const kindOf = (type: string): Column['kind'] => {
  if (type === 'boolean') return 'boolean';
  return type === 'jsonb' ? 'json' : 'plain';
};

const fromPostgres = (value: unknown, kind: Column['kind']): Value =>
  kind === 'json' && value !== null ? JSON.stringify(value) : (value as Value);

const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`;

/** Formats an array literal (PostgreSQL's manual, 8.15.6). */
const arrayOf = (values: readonly Value[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? quotedIn(value) : (value ?? 'NULL')))}}`;

const quotedIn = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
