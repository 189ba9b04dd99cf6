import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { RootOperationNode } from 'kysely';
import {
  type JsonRows,
  MAX_PAGE_BYTES,
  type Order,
  type Runnable,
  StorageError,
  UniqueViolation,
} from '../contract.ts';
import { createQueryId, SqliteQueryCompiler } from '../kysely.ts';
import { changesAuthority, marksSweep } from '../reach.ts';
import { Parameter, type Template } from '../statements.ts';
import { searchFunctions } from './messageIndex.ts';
import { fitting, keySql, pageSql, SEPARATOR } from './page.ts';

/** SQLite's result codes that `nameError` translates (sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantOpen: 14,
  constraint: 19,
  notADb: 26,
};

interface Prepared {
  statement: StatementSync;
  parameters: readonly unknown[];
  columns: readonly { name: string; type: string | null }[];
  /** True if it changes permissions. */
  changesAuthority: boolean;
  /** True if it inserts into `sweep`. */
  marksSweep: boolean;
  /** This query wrapped by `json` and `#keyAt`. */
  jsonOf: Map<string, Prepared>;
}

/** Maximum cached statements that are not templates; at this number the cache is emptied. */
const MAX_AD_HOC_STATEMENTS = 500;

/** A connection of node:sqlite that compiles and caches queries, and converts values and errors. */
export class SqliteConnection {
  readonly db: DatabaseSync;
  readonly #compiler = new SqliteQueryCompiler();
  readonly #templates = new WeakMap<Template, Prepared>();
  readonly #adHoc = new Map<string, Prepared>();
  readonly #scalars = new Map<string, StatementSync>();
  readonly #onAuthorityChange: () => void;
  #hasMarked = false;
  #changes = 0;

  constructor(
    file: string,
    options: { readOnly?: boolean; busyTimeout?: number },
    onAuthorityChange = () => {},
  ) {
    this.#onAuthorityChange = onAuthorityChange;
    this.db = guard(
      () =>
        new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: options.busyTimeout ?? 0 }),
    );
    for (const [name, call] of Object.entries(searchFunctions)) {
      this.db.function(name, { deterministic: true }, call as (...values: unknown[]) => string | number);
    }
  }

  exec(sql: string): void {
    guard(() => this.db.exec(sql));
  }

  /** Runs SQL text, such as a pragma, and returns the first column of the first row. Caches the prepared statement. */
  scalar(sql: string): unknown {
    let statement = this.#scalars.get(sql);
    if (!statement) {
      statement = guard(() => this.db.prepare(sql));
      statement.setReturnArrays(true);
      this.#scalars.set(sql, statement);
    }
    try {
      return (statement.get() as unknown as unknown[] | undefined)?.[0];
    } catch (error) {
      throw nameError(error);
    }
  }

  first<R>(query: Runnable<R>): R | undefined {
    const { prepared, values } = this.#bind(query);
    const row = call(prepared.statement, 'get', values) as unknown[] | undefined;
    return row && (toObject(prepared, row) as R);
  }

  all<R>(query: Runnable<R>): R[] {
    const { prepared, values } = this.#bind(query);
    const rows = call(prepared.statement, 'all', values) as unknown[][];
    return rows.map((row) => toObject(prepared, row) as R);
  }

  run(query: Runnable<unknown>): number {
    const { prepared, values } = this.#bind(query);
    if (prepared.changesAuthority) this.#onAuthorityChange();
    if (prepared.marksSweep) this.#hasMarked = true;
    const { changes } = call(prepared.statement, 'run', values) as { changes: number };
    this.#changes++;
    return Number(changes);
  }

  /** Changing statements run so far. */
  get changes(): number {
    return this.#changes;
  }

  /** True if a row was inserted into `sweep` since the last call. */
  takeMark(): boolean {
    const has = this.#hasMarked;
    this.#hasMarked = false;
    return has;
  }

  json(
    query: Runnable<unknown>,
    key: string,
    order: Order,
    limit: number,
    maxBytes = MAX_PAGE_BYTES,
  ): JsonRows {
    const { prepared, values } = this.#bind(query);
    let wrapped = prepared.jsonOf.get(key + order);
    if (!wrapped) {
      wrapped = this.#prepare(pageSql(prepared.statement.sourceSQL, key, order), prepared.parameters);
      prepared.jsonOf.set(key + order, wrapped);
    }
    const row = call(wrapped.statement, 'get', values) as [
      Uint8Array | null,
      number,
      string | number,
      number,
    ];
    const [json, count, last, lastLength] = row;
    if (json === null) return { json: new Uint8Array(), count, beyond: null };
    const isWhole = count <= limit;
    // The last record and the separator before it belong to the next page.
    const page = isWhole ? json : json.subarray(0, json.length - lastLength - SEPARATOR.length);
    const most = Math.min(count, limit);
    if (page.length > maxBytes) {
      const records = fitting(page, maxBytes);
      if (records.count < most) {
        return { ...records, beyond: this.#keyAt(prepared, values, key, records.count) };
      }
    }
    return { json: page, count: most, beyond: isWhole ? null : last };
  }

  /** The key of the row that has `offset` rows before it. */
  #keyAt(prepared: Prepared, values: SQLInputValue[], key: string, offset: number): string | number {
    const name = `${key} at`;
    let wrapped = prepared.jsonOf.get(name);
    if (!wrapped) {
      wrapped = this.#prepare(keySql(prepared.statement.sourceSQL, key), prepared.parameters);
      prepared.jsonOf.set(name, wrapped);
    }
    return (call(wrapped.statement, 'get', [...values, offset]) as [string | number])[0];
  }

  close(): void {
    this.db.close();
  }

  #bind(query: Runnable<unknown>): { prepared: Prepared; values: SQLInputValue[] } {
    if ('template' in query) {
      let prepared = this.#templates.get(query.template);
      if (!prepared) {
        prepared = this.#compile(query.template);
        this.#templates.set(query.template, prepared);
      }
      const given = query.values;
      return {
        prepared,
        values: prepared.parameters.map((value) => {
          if (!(value instanceof Parameter)) return toSql(value);
          return value.isJson ? toJson(given[value.name]) : toSql(given[value.name]);
        }),
      };
    }
    const node = query.toOperationNode() as RootOperationNode;
    const { sql, parameters } = this.#compiler.compileQuery(node, createQueryId());
    let prepared = this.#adHoc.get(sql);
    if (!prepared) {
      if (this.#adHoc.size >= MAX_AD_HOC_STATEMENTS) this.#adHoc.clear();
      prepared = this.#prepare(sql, parameters, node);
      this.#adHoc.set(sql, prepared);
    }
    return { prepared, values: parameters.map(toSql) };
  }

  #compile({ node, keepsAuthority }: Template): Prepared {
    const { sql, parameters } = this.#compiler.compileQuery(node, createQueryId());
    return this.#prepare(sql, parameters, node, keepsAuthority);
  }

  #prepare(
    sql: string,
    parameters: readonly unknown[],
    node?: RootOperationNode,
    keepsAuthority = false,
  ): Prepared {
    const statement = guard(() => this.db.prepare(sql));
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name, type }) => ({ name, type }));
    return {
      statement,
      parameters,
      columns,
      changesAuthority: node !== undefined && !keepsAuthority && changesAuthority(node),
      marksSweep: node !== undefined && marksSweep(node),
      jsonOf: new Map(),
    };
  }
}

function toSql(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  return JSON.stringify(value);
}

const toJson = (value: unknown): string | null => (value == null ? null : JSON.stringify(value));

function toObject({ columns }: Prepared, row: unknown[]): object {
  const object: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index++) {
    const { name, type } = columns[index] as Prepared['columns'][number];
    const value = row[index];
    if (value === null) object[name] = null;
    else if (type === 'BOOLEAN') object[name] = value === 1;
    else if (type === 'JSON_TEXT') object[name] = JSON.parse(value as string);
    else object[name] = value;
  }
  return object;
}

/** Runs a prepared statement and translates its errors. Hot path, so it takes no closure as `guard` does. */
function call(statement: StatementSync, method: 'get' | 'all' | 'run', values: SQLInputValue[]): unknown {
  try {
    return statement[method](...values);
  } catch (error) {
    throw nameError(error);
  }
}

/** Calls SQLite and translates its errors. */
function guard<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw nameError(error);
  }
}

function nameError(error: unknown): unknown {
  const { errcode, message } = error as { errcode?: number; message: string };
  if (errcode === undefined) return error;
  const unique = /UNIQUE constraint failed: (.+)/.exec(message)?.[1];
  if (unique) {
    const columns = unique.split(', ').map((path) => path.split('.') as [string, string]);
    return new UniqueViolation(`${columns[0]?.[0]}(${columns.map(([, column]) => column)})`);
  }
  switch (errcode & 0xff) {
    case codes.busy:
      return new BusyError('another process holds the write lock');
    case codes.full:
      return new StorageError('the disk is full: nothing of this write was kept; free some space');
    case codes.readonly:
      return new StorageError('the data file cannot be written: check the permissions of the data folder');
    case codes.ioerr:
      return new StorageError(`the data file cannot be read or written: ${message}`);
    case codes.cantOpen:
      return new StorageError('the data file cannot be opened: check the data folder and its permissions');
    case codes.corrupt:
    case codes.notADb:
      return new StorageError(
        'the data file is damaged or is no database: run "palaver doctor" or restore a backup',
      );
    default:
      return error;
  }
}

/** Another process holds the write lock. Try again. */
export class BusyError extends StorageError {}
