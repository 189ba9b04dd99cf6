import {
  type Compilable,
  DummyDriver,
  Kysely,
  type OperationNodeSource,
  type RootOperationNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { type NewRow, type RowOf, type TableName, type Tables, tables } from './schema.ts';

/** Builds queries without running them. Pass a query to a `Reader` or a `Tx`. */
export const q = new Kysely<Tables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

type Equals = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * A query that is built once. Each engine compiles it once and caches the prepared statement under this
 * object.
 */
export interface Template {
  readonly node: RootOperationNode;
  /**
   * Equality conditions that hold for all rows that the statement reads or changes: the parameter's name by
   * table and column.
   */
  readonly equals?: Equals;
  /** The column, if the statement selects all rows whose column equals the parameter of the same name. */
  readonly byColumn?: string;
  /** The table, if the statement inserts one row whose columns are the parameters. */
  readonly inserts?: TableName;
  /**
   * For an upsert, the columns of the unique index that determines conflicts. The statement must have no
   * parameters after the inserted values.
   */
  readonly key?: readonly string[];
  /** Whether the statement is a select whose parameters are all ids. */
  readonly byIds?: boolean;
  /**
   * For a select of one row from a table with `isCached`, the parameter that determines the row, or '' if
   * there is none.
   */
  readonly cachedBy?: string;
  /** Whether the statement changes no permissions, although the table has `decidesAuthority`. */
  readonly keepsAuthority?: boolean;
}

/** A template with the values of its parameters, by name. */
export interface Statement<R> {
  readonly template: Template;
  readonly values: Readonly<Record<string, unknown>>;
  /** Never set; carries the type of the rows. */
  readonly rows?: R;
}

/** A placeholder for a value while a template is built. */
export class Parameter {
  readonly name: string;
  /** Whether the value is serialized to JSON, even a string. */
  readonly isJson: boolean;
  constructor(name: string, isJson = false) {
    this.name = name;
    this.isJson = isJson;
  }
}

/**
 * Builds a query once, for hot paths. The builder must use each parameter in the query and inspect none of
 * them:
 *
 *     const byDigest = prepare((p: { digest: string }) => q.selectFrom…where('digest', '=', p.digest));
 *     reader.first(byDigest({ digest }));
 *
 * `equals` may declare conditions on the rows, so that writes to other rows do not conflict on PostgreSQL. For
 * example, `{ message: { id: 'messageId' } }` says that the query reads only the message whose id is
 * `messageId`. `facts` allow PostgreSQL to merge the statements of several writes into one, and SQLite to
 * cache rows.
 */
export function prepare<P extends object, R>(
  build: (parameters: P) => Compilable<R> & OperationNodeSource,
  equals: Equals = {},
  facts: Pick<Template, 'inserts' | 'key' | 'byIds' | 'cachedBy'> = {},
): (values: P) => Statement<R> {
  let template: Template | undefined;
  return (values) => {
    template ??= { node: build(parameters<P>()).toOperationNode() as RootOperationNode, equals, ...facts };
    return { template, values: values as Record<string, unknown> };
  };
}

const parameters = <P extends object>(): P =>
  new Proxy({}, { get: (_, name) => new Parameter(String(name)) }) as P;

/** A trie of templates by name and columns. Joining them into a key would allocate memory on every call. */
class Templates {
  template: Template | undefined;
  readonly #next = new Map<string, Templates>();

  step(word: string): Templates {
    let next = this.#next.get(word);
    if (!next) {
      next = new Templates();
      this.#next.set(word, next);
    }
    return next;
  }
}

const templates = new Templates();

/** Returns the template of `verb` for these columns of a table. It is built on first use. */
function cached(
  verb: string,
  table: TableName,
  columns: readonly string[],
  build: () => OperationNodeSource,
  {
    equals = columns,
    ...facts
  }: { equals?: readonly string[] } & Pick<Template, 'byColumn' | 'inserts' | 'cachedBy'> = {},
): Template {
  let place = templates.step(verb).step(table);
  for (const column of columns) place = place.step(column);
  place.template ??= {
    node: build().toOperationNode() as RootOperationNode,
    equals: { [table]: Object.fromEntries(equals.map((column) => [column, column])) },
    ...facts,
  };
  return place.template;
}

function named(table: TableName, columns: readonly string[], prefix = ''): Record<string, unknown> {
  const { json } = tables[table];
  return Object.fromEntries(
    columns.map((column) => [column, new Parameter(prefix + column, json?.includes(column))]),
  );
}

// The functions below need only the names of columns, so they can prepare statements for any table.
// biome-ignore lint/suspicious/noExplicitAny: Kysely cannot follow a table that is a type parameter
const any = q as Kysely<any>;

/** Selects the rows of a table whose columns equal `where`. */
export function find<T extends TableName>(table: T, where: Partial<RowOf<T>>): Statement<RowOf<T>> {
  const columns = Object.keys(where);
  const [byColumn] = columns;
  const template = cached(
    'find',
    table,
    columns,
    () => {
      let query = any.selectFrom(table).selectAll();
      for (const column of columns) query = query.where(column, '=', new Parameter(column));
      return query;
    },
    columns.length === 1 && byColumn !== undefined ? { byColumn } : {},
  );
  return { template, values: where };
}

const templateOfPart = (table: TableName, columns: readonly string[]): Template =>
  cached(
    'find part',
    table,
    columns,
    () =>
      any
        .selectFrom(table as string)
        .select(columns)
        .where('id', '=', new Parameter('id')),
    { equals: ['id'], ...(tables[table].isCached && { cachedBy: 'id' }) },
  );

/** Selects some columns of the row with this `id`. */
export const findPart = <T extends TableName, K extends keyof RowOf<T> & string>(
  table: T,
  id: string,
  columns: readonly K[],
): Statement<Pick<RowOf<T>, K>> => ({ template: templateOfPart(table, columns), values: { id } });

/** Like `findPart`, for hot paths: looks up the template only once. */
export function preparePart<T extends TableName, K extends keyof RowOf<T> & string>(
  table: T,
  columns: readonly K[],
): (id: string) => Statement<Pick<RowOf<T>, K>> {
  let template: Template | undefined;
  return (id) => {
    template ??= templateOfPart(table, columns);
    return { template, values: { id } };
  };
}

/**
 * The columns and template of the last insert into each table, because the next insert usually has the same
 * columns.
 */
const lastInserts = new Map<TableName, { columns: readonly string[]; template: Template }>();

/** Inserts one row. */
export function insert<T extends TableName>(table: T, row: NewRow<T>): Statement<never> {
  const columns = Object.keys(row);
  const last = lastInserts.get(table);
  if (last && isSame(last.columns, columns))
    return { template: last.template, values: row as Record<string, unknown> };
  const template = cached(
    'insert',
    table,
    columns,
    () => any.insertInto(table).values(named(table, columns)),
    { inserts: table },
  );
  lastInserts.set(table, { columns, template });
  return { template, values: row as Record<string, unknown> };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

/** Sets columns of the row with this `id`. */
export function update<T extends TableName>(table: T, id: string, set: Partial<RowOf<T>>): Statement<never> {
  const columns = Object.keys(set);
  const template = cached(
    'update',
    table,
    columns,
    () =>
      any
        .updateTable(table as string)
        .set(named(table, columns, 'set '))
        .where('id', '=', new Parameter('id')),
    { equals: ['id'] },
  );
  const values: Record<string, unknown> = { id };
  for (const column of columns) values[`set ${column}`] = set[column as keyof typeof set];
  return { template, values };
}

/** Deletes the rows whose columns equal `where`. */
export function remove<T extends TableName>(table: T, where: Partial<RowOf<T>>): Statement<never> {
  const columns = Object.keys(where);
  const template = cached('remove', table, columns, () => {
    let query = any.deleteFrom(table as string);
    for (const column of columns) query = query.where(column, '=', new Parameter(column));
    return query;
  });
  return { template, values: where };
}
