import type { Generated } from 'kysely';

/** The first columns of most tables. Times are milliseconds since the Unix epoch. */
export interface Row {
  id: string;
  createdAt: number;
  updatedAt: number;
}

/** On SQLite, `ord` is the row's rowid. */
export interface Numbered {
  ord: Generated<number>;
}

/**
 * How a row is deleted along with its target, which is the row in `table` that one of its columns refers to.
 * With `foreignKey`, the database deletes it through a cascading foreign key. With `write`, the write that
 * deletes the target also deletes the row, which suits a few rows. With `sweep`, that write deletes up to a
 * few hundred rows, and a sweep deletes the rest. `release` is like `sweep`, but some rows are kept without
 * the target.
 */
export interface Bond {
  table: string;
  by: 'foreignKey' | 'sweep' | 'write' | 'release';
}

/**
 * Declares whose permissions depend on a table's rows: those of a server or a user. Deletes and updates
 * change these permissions. An insert does so only if nodes may have cached that there was no row.
 */
interface Decides<Column extends string> {
  /** The column with the id of that server or user. Rows in which it is null do not affect permissions. */
  of: Column;
  /**
   * The columns that permissions depend on; all of them if omitted. Updates to other columns do not change
   * permissions.
   */
  by?: readonly Column[];
  /**
   * The column with the id of the server or user whose permissions an insert changes. Set only if inserts
   * change permissions.
   */
  byInsert?: Column;
}

/** How a user's data export reads the rows in a table. */
export interface Exported {
  /**
   * Whether the row belongs to a server. Others may have changed such a row in ways that the user may not
   * see, so the user's own export contains only its ids, kind and creation time.
   */
  isOfServer?: true;
  /** Whether the column has no index. The table is then scanned in key order. */
  isScanned?: true;
}

/** Facts about a table that its migrations do not state. */
export interface Facts<Column extends string = string> {
  /** The primary key. */
  key: readonly Column[];
  /** The columns that contain JSON. Queries return them parsed. */
  json?: readonly Column[];
  /** A column with values encrypted with the secret key. */
  sealed?: Column;
  /** Columns that an engine generates. Not every engine has them; writes and copies omit them. */
  byEngine?: readonly string[];
  /** Set if permissions depend on the table's rows, because cached principals are built from them. */
  decidesAuthority?: Decides<Column>;
  /**
   * Whether the embedded engine caches rows that transactions select from the table (`Template.cachedBy`):
   * nearly every write selects such a row, and few writes change the table.
   */
  isCached?: boolean;
  /** Whether rows are never deleted. */
  isPermanent?: boolean;
  /** The references, by column, that delete the row when their target is deleted. */
  goesWith?: { readonly [C in Column]?: Bond };
  /** The references, by column, that keep the row when their target is deleted, with the reason. */
  outlives?: { readonly [C in Column]?: string };
  /** Columns with the id of a user whose data export includes the row. */
  inExportOf?: { readonly [C in Column]?: Exported };
  /** The retention of rows, which are deleted `ms` milliseconds after the time in the column `since`. */
  keptFor?: { ms: number; since: Column };
  /** The ALREADY_EXISTS message for each unique index, by `column,column` (decisions, part 3). */
  unique?: Readonly<Record<string, string>>;
  /** Unique indexes that requests cannot violate, with the reason. */
  neverTaken?: Readonly<Record<string, string>>;
  /**
   * Whether PostgreSQL may insert rows from several writes with one statement, after their changes to other
   * tables. Intended for hot tables without foreign keys in either direction.
   */
  insertsMerge?: boolean;
  /** The SQL condition for rows that `palaver migrate` copies; all rows if omitted. */
  copied?: string;
}

/** The facts about a table whose rows are `R`. */
export interface Table<R> extends Facts<keyof R & string> {
  /** Never set; carries the type of the rows. */
  readonly row?: R;
}

/** The facts for rows that belong to a server and are deleted with it by a foreign key. */
export const ofServer = { serverId: { table: 'server', by: 'foreignKey' } } as const;
