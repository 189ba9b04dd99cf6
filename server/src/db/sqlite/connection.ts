import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { createQueryId, type RootOperationNode, SqliteQueryCompiler } from 'kysely';
import { type JsonRows, MAX_PAGE_BYTES, type Order, type Runnable } from '../contract.ts';
import { authorityColumn, invalidatesRowCache, marksSweep } from '../reach.ts';
import { Parameter, type Template } from '../statements.ts';
import { guard, nameError } from './errors.ts';
import { firstSql, fitting, keySql, pageSql, SEPARATOR, sizesSql } from './page.ts';
import { RowCache } from './rowCache.ts';

interface Prepared {
  statement: StatementSync;
  parameters: readonly unknown[];
  /** The parameters to which a template's values are bound. */
  bound: readonly Bound[];
  columns: readonly { name: string; type: string | null }[];
  /** Whether the query changes permissions. If so, it returns the affected ids. */
  changesAuthority: boolean;
  /** Whether the query inserts into `sweep`. */
  marksSweep: boolean;
  /** Whether the query may change rows that are cached. */
  changesRemembered: boolean;
  /** Versions of this query wrapped by `#wrapped`. */
  jsonOf: Map<string, Prepared>;
}

/** A parameter, which is a constant or the name of a given value. */
interface Bound {
  name: string | undefined;
  /** Whether the given value is serialized to JSON. */
  isJson: boolean;
  value: SQLInputValue;
}

/** Maximum cached ad hoc statements; a full cache is cleared. */
const MAX_AD_HOC_STATEMENTS = 500;

/** A node:sqlite connection that compiles and caches queries, and converts values and errors. */
export class SqliteConnection {
  readonly db: DatabaseSync;
  readonly remembered = new RowCache();
  readonly #compiler = new SqliteQueryCompiler();
  readonly #templates = new WeakMap<Template, Prepared>();
  readonly #adHoc = new Map<string, Prepared>();
  readonly #scalars = new Map<string, StatementSync>();
  readonly #onAuthorityChange: (ids: readonly string[]) => void;
  #hasMarked = false;
  #changes = 0;

  constructor(
    file: string,
    options: { readOnly?: boolean; busyTimeout?: number },
    onAuthorityChange: (ids: readonly string[]) => void = () => {},
  ) {
    this.#onAuthorityChange = onAuthorityChange;
    this.db = guard(
      () =>
        new DatabaseSync(file, { readOnly: options.readOnly ?? false, timeout: options.busyTimeout ?? 0 }),
    );
  }

  exec(sql: string): void {
    guard(() => this.db.exec(sql));
  }

  /**
   * Runs SQL text, such as a pragma, and returns the first column of the first row. Caches the prepared
   * statement.
   */
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
    const known = this.remembered.get(query);
    if (known) return known as R;
    const { prepared, values } = this.#bind(query);
    const row = call(prepared.statement, 'get', values) as unknown[] | undefined;
    if (!row) return undefined;
    const found = toObject(prepared, row);
    this.remembered.add(query, found);
    return found as R;
  }

  all<R>(query: Runnable<R>): R[] {
    const { prepared, values } = this.#bind(query);
    const rows = call(prepared.statement, 'all', values) as unknown[][];
    return rows.map((row) => toObject(prepared, row) as R);
  }

  run(query: Runnable<unknown>): number {
    const { prepared, values } = this.#bind(query);
    if (prepared.marksSweep) this.#hasMarked = true;
    if (prepared.changesRemembered) this.remembered.forget();
    const method = prepared.changesAuthority ? 'all' : 'run';
    const done = call(prepared.statement, method, values) as [string | null][] | { changes: number };
    this.#changes++;
    if (!Array.isArray(done)) return Number(done.changes);
    this.#onAuthorityChange(done.flatMap(([id]) => id ?? []));
    return done.length;
  }

  /** The number of changing statements that have run so far. */
  get changes(): number {
    return this.#changes;
  }

  /** Whether a row was inserted into `sweep` since the last call. */
  takeMark(): boolean {
    const has = this.#hasMarked;
    this.#hasMarked = false;
    return has;
  }

  /**
   * Like `Reads.json`. With `isLarge`, record sizes are queried first, so that only the records on the page
   * are read.
   */
  json(
    query: Runnable<unknown>,
    key: string,
    order: Order,
    limit: number,
    { maxBytes = MAX_PAGE_BYTES, isLarge = false }: { maxBytes?: number | undefined; isLarge?: boolean } = {},
  ): JsonRows {
    const { prepared, values } = this.#bind(query);
    const amount = isLarge ? this.#amountOf(prepared, values, limit, maxBytes) : limit;
    const wrapped = isLarge
      ? this.#wrapped(prepared, `large ${key} ${order}`, (sql) => pageSql(firstSql(sql), key, order))
      : this.#wrapped(prepared, key + order, (sql) => pageSql(sql, key, order));
    const row = call(wrapped.statement, 'get', isLarge ? [...values, amount + 1] : values) as [
      Uint8Array | null,
      number,
      string | number,
      number,
    ];
    const [json, count, last, lastLength] = row;
    if (json === null) return { json: new Uint8Array(), count, beyond: null };
    const isWhole = count <= amount;
    // The last record, and the separator before it, belong to the next page.
    const page = isWhole ? json : json.subarray(0, json.length - lastLength - SEPARATOR.length);
    const most = Math.min(count, amount);
    if (page.length > maxBytes) {
      const records = fitting(page, maxBytes);
      if (records.count < most) {
        return { ...records, beyond: this.#keyAt(prepared, values, key, records.count) };
      }
    }
    return { json: page, count: most, beyond: isWhole ? null : last };
  }

  /**
   * Returns how many of a query's records fit into `maxBytes`, at least one and at most `limit`, without
   * reading the records.
   */
  #amountOf(prepared: Prepared, values: SQLInputValue[], limit: number, maxBytes: number): number {
    const { statement } = this.#wrapped(prepared, 'sizes', sizesSql);
    const { columns } = prepared;
    const place = columns.findIndex(({ name }) => name === 'record');
    let bytes = 0;
    const beyond = (call(statement, 'all', values) as number[][]).findIndex((row) => {
      bytes += (row[place] as number) + SEPARATOR.length;
      return bytes - SEPARATOR.length > maxBytes;
    });
    return beyond === -1 ? limit : Math.min(limit, Math.max(1, beyond));
  }

  /** Returns the key of the row at `offset`. */
  #keyAt(prepared: Prepared, values: SQLInputValue[], key: string, offset: number): string | number {
    const { statement } = this.#wrapped(prepared, `${key} at`, (sql) => keySql(sql, key));
    return (call(statement, 'get', [...values, offset]) as [string | number])[0];
  }

  /** Returns a cached statement that is derived from this one. */
  #wrapped(prepared: Prepared, name: string, wrap: (sql: string) => string): Prepared {
    let wrapped = prepared.jsonOf.get(name);
    if (!wrapped) {
      wrapped = this.#prepare(wrap(prepared.statement.sourceSQL), prepared.parameters);
      prepared.jsonOf.set(name, wrapped);
    }
    return wrapped;
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
      return { prepared, values: valuesOf(prepared, query.values) };
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
    const column = node && !keepsAuthority ? authorityColumn(node) : undefined;
    const returning = column === undefined ? sql : `${sql} returning "${column}"`;
    const statement = guard(() => this.db.prepare(returning));
    statement.setReturnArrays(true);
    const columns = statement.columns().map(({ name, type }) => ({ name, type }));
    return {
      statement,
      parameters,
      bound: parameters.map(toBound),
      columns,
      changesAuthority: column !== undefined,
      marksSweep: node !== undefined && marksSweep(node),
      changesRemembered: node !== undefined && invalidatesRowCache(node),
      jsonOf: new Map(),
    };
  }
}

const toBound = (parameter: unknown): Bound =>
  parameter instanceof Parameter
    ? { name: parameter.name, isJson: parameter.isJson, value: null }
    : { name: undefined, isJson: false, value: toSql(parameter) };

/** Returns the values of a template's parameters, in order. This is a hot path, so it uses no closures. */
function valuesOf({ bound }: Prepared, given: Readonly<Record<string, unknown>>): SQLInputValue[] {
  const values: SQLInputValue[] = [];
  for (let index = 0; index < bound.length; index++) {
    const { name, isJson, value } = bound[index] as Bound;
    if (name === undefined) values.push(value);
    else values.push(isJson ? toJson(given[name]) : toSql(given[name]));
  }
  return values;
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

/**
 * Runs a prepared statement and translates its errors. This is a hot path, so unlike `guard`, it uses no
 * closure.
 */
function call(statement: StatementSync, method: 'get' | 'all' | 'run', values: SQLInputValue[]): unknown {
  try {
    return statement[method](...values);
  } catch (error) {
    throw nameError(error);
  }
}
