import type { Generated } from 'kysely';

/** The first columns of most tables. Times are milliseconds since the Unix epoch. */
export interface Row {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** On SQLite, `ord` is the row's rowid, also in the full-text index. */
export interface Numbered {
  ord: Generated<number>;
}

/**
 * How a row is deleted along with the row in `table` that one of its columns refers to. `foreignKey`: by
 * the database, through a cascading foreign key. `write`: by the write that deletes the target, for a few
 * rows only. `sweep`: that write deletes a few hundred rows, and a sweep deletes the rest; for any number
 * of rows. `release`: like `sweep`, but some rows are kept without the target.
 */
export interface Bond {
  table: string;
  by: 'foreignKey' | 'sweep' | 'write' | 'release';
}

/**
 * Declares the server or user whose permissions depend on a table's rows. Deletes and updates change these
 * permissions. An insert does so only if nodes may have cached that there was no row.
 */
interface Decides<Column extends string> {
  /** The column with the id of that server or user. Rows with null affect nobody. */
  of: Column;
  /**
   * The columns that permissions depend on; all of them if omitted. Updates to other columns change no
   * permissions.
   */
  by?: readonly Column[];
  /**
   * Set if an insert changes permissions: the column with the id of the server or user that they belong to.
   */
  byInsert?: Column;
}

/** How a user's data export reads the rows in a table. */
export interface Exported {
  /**
   * Whether the row belongs to a server. Others may then have changed it without the user being able to see
   * the change, so the user's own export contains only its ids, kind and creation time.
   */
  isOfServer?: true;
  /** Whether the column lacks an index. The table is then scanned by key. */
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
  /** Columns that an engine generates. Not every engine has them; writes and copies omit them. */
  byEngine?: readonly string[];
  /** Set if permissions depend on its rows. Cached principals are built from such rows. */
  decidesAuthority?: Decides<Column>;
  /**
   * Whether the embedded engine caches rows that transactions select from it (`Template.cachedBy`): nearly every
   * write selects such a row, and few writes change the table.
   */
  isCached?: boolean;
  /** Whether rows are never deleted. */
  isPermanent?: boolean;
  /** By column: references that delete the row when their target is deleted. */
  goesWith?: { readonly [C in Column]?: Bond };
  /** By column: references that keep the row when their target is deleted, with the reason. */
  outlives?: { readonly [C in Column]?: string };
  /** Columns with the id of a user whose data export includes the row. */
  inExportOf?: { readonly [C in Column]?: Exported };
  /** Retention: rows are deleted `ms` milliseconds after the time in the column `since`. */
  keptFor?: { ms: number; since: Column };
  /** The ALREADY_EXISTS message for each unique index, by `column,column` (decisions, part 3). */
  unique?: Readonly<Record<string, string>>;
  /** Unique indexes that no request can violate, with the reason. */
  neverTaken?: Readonly<Record<string, string>>;
  /**
   * Whether PostgreSQL may insert rows from several writes with one statement, after their changes to other
   * tables. For hot tables without foreign keys in either direction.
   */
  insertsMerge?: boolean;
  /** SQL condition that selects the rows that `palaver migrate` copies; all rows if omitted. */
  copied?: string;
}

/** The facts about a table whose rows are `R`. */
export interface Table<R> extends Facts<keyof R & string> {
  /** Never set; carries the type of the rows. */
  readonly row?: R;
}

/** For rows that belong to a server and are deleted with it by a foreign key. */
export const ofServer = { serverId: { table: 'server', by: 'foreignKey' } } as const;
