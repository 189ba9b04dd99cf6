import type { Generated } from 'kysely';

/** The first columns of most tables. Times are milliseconds since the Unix epoch. */
export interface Row {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** On SQLite, `ord` is the rowid of the row, also in the full-text index. */
export interface Numbered {
  ord: Generated<number>;
}

/**
 * The mechanism that deletes a row along with the row of `table` that a column refers to. `foreignKey`: the
 * database, by a cascading foreign key. `write`: the write that deletes the target; for a few rows only.
 * `sweep`: that write deletes a few hundred rows, and a sweep the rest; for any number of rows. `release`:
 * like `sweep`, but some rows are kept without the target.
 */
export interface Bond {
  table: string;
  by: 'foreignKey' | 'sweep' | 'write' | 'release';
}

/**
 * The server or user whose permissions a table's rows decide. Deletes and updates change them; an insert only
 * if nodes may have cached that there was no row.
 */
interface Decides<Column extends string> {
  /** The column with the id of the server or user whose permissions they are. */
  of: Column;
  /** The columns that decide; all if left out. Updates of other columns change no permissions. */
  by?: readonly Column[];
  /** Set if an insert changes permissions: the column with the id of the server or user they belong to. */
  byInsert?: Column;
}

/** How a user's data export reads the rows of a table. */
export interface Exported {
  /**
   * Whether the row belongs to a server. Others may have changed it out of the user's sight since, so their own export
   * only has its ids, kind and creation time.
   */
  isOfServer?: true;
  /** Whether the column has no index. The table is then scanned by key. */
  isScanned?: true;
}

/** Facts about a table that its migrations do not state. Queries return JSON columns parsed. */
export interface Facts<Column extends string = string> {
  /** The primary key. */
  key: readonly Column[];
  /** The columns that contain JSON. */
  json?: readonly Column[];
  /** A column with values encrypted with the secret key. */
  sealed?: Column;
  /** Columns that an engine generates. Not every engine has them; writes and copies leave them out. */
  byEngine?: readonly string[];
  /** Set if its rows decide permissions, from which cached principals are built. */
  decidesAuthority?: Decides<Column>;
  /**
   * Whether the embedded engine caches rows of which transactions select some columns: nearly every write
   * reads one, and few change one.
   */
  isCached?: boolean;
  /** Whether rows are never deleted. */
  isPermanent?: boolean;
  /** References whose target's deletion deletes the row, by column. */
  goesWith?: { readonly [C in Column]?: Bond };
  /** References whose target's deletion keeps the row, by column, with the reason. */
  outlives?: { readonly [C in Column]?: string };
  /** Columns with the id of a user whose data export has the row. */
  inExportOf?: { readonly [C in Column]?: Exported };
  /** Retention: rows are deleted `ms` milliseconds after the time in the column `since`. */
  keptFor?: { ms: number; since: Column };
  /** The message of ALREADY_EXISTS for each unique index, by `column,column` (decisions, part 3). */
  unique?: Readonly<Record<string, string>>;
  /** Unique indexes that no request can violate, with the reason. */
  neverTaken?: Readonly<Record<string, string>>;
  /**
   * Whether PostgreSQL may insert the rows of several works with one statement, after their writes to other
   * tables. For hot tables without foreign keys in either direction.
   */
  insertsMerge?: boolean;
  /** SQL condition on the rows that `palaver migrate` copies; all rows if left out. */
  copied?: string;
}

/** The facts of a table whose rows are `R`. */
export interface Table<R> extends Facts<keyof R & string> {
  /** Never set; carries the type of the rows. */
  readonly row?: R;
}

/** For rows that belong to a server and are deleted with it by a foreign key. */
export const ofServer = { serverId: { table: 'server', by: 'foreignKey' } } as const;
