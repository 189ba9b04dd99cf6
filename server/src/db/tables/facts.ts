import type { Generated } from 'kysely';

/** What most rows begin with. Times are milliseconds since the Unix epoch. */
export interface Row {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** `ord` is the row's own number: SQLite's rowid, and the row's number in a full-text index. */
export interface Numbered {
  ord: Generated<number>;
}

/**
 * How a row goes with the thing that one of its columns names. `foreignKey`: the database removes it, by a key that cascades.
 * `write`: the write that removes the thing removes it too; such rows are few. `sweep`: there may be any number of such rows, so
 * the write removes a few hundred, and a sweep the rest. `release`: likewise, but a row may go on without the thing.
 */
export interface Bond {
  table: string;
  by: 'foreignKey' | 'sweep' | 'write' | 'release';
}

/** Everything that is true of a table beside the columns that its migrations give it. JSON columns hold parsed values. */
export interface Facts<Column extends string = string> {
  /** The primary key. */
  key: readonly Column[];
  /** The columns that hold JSON. */
  json?: readonly Column[];
  /** A column with what the key of secrets has encrypted. */
  sealed?: Column;
  /** Columns that an engine keeps by itself, where it has them: nobody writes them, and no copy takes them along. */
  byEngine?: readonly string[];
  /** True if a change of it ends whatever was remembered of principals, in this process and in others. */
  decidesAuthority?: boolean;
  /** True if no row is ever removed: then nothing has to go with it. */
  isPermanent?: boolean;
  /** Whose end ends a row, by the column that names it. */
  goesWith?: { readonly [C in Column]?: Bond };
  /** Whose end a row outlives, by the column that names it, and why. */
  outlives?: { readonly [C in Column]?: string };
  /** How long a row is kept, in milliseconds since the time in a column. */
  keptFor?: { ms: number; since: Column };
  /** Unique indexes, as `column,column`, and what ALREADY_EXISTS says (decisions, part 3). */
  unique?: Readonly<Record<string, string>>;
  /** Unique indexes that no request can meet, and why. */
  neverTaken?: Readonly<Record<string, string>>;
  /**
   * True if PostgreSQL may insert the rows of many works by one statement, after what they have written elsewhere: so for
   * tables that are written all the time and have no foreign keys, to them or from them.
   */
  insertsMerge?: boolean;
  /** SQL for the rows that `palaver migrate` copies, where not all are. */
  copied?: string;
}

/** The facts of a table whose rows are `R`. */
export interface Table<R> extends Facts<keyof R & string> {
  /** Never set: carries the type of the rows. */
  readonly row?: R;
}

/** Rows that go with their server by a foreign key. */
export const ofServer = { serverId: { table: 'server', by: 'foreignKey' } } as const;
