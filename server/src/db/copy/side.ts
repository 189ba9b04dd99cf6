import { StorageError } from '../contract.ts';
import type { TableName } from '../schema.ts';
import type { SealedValue } from '../sealed.ts';

export type Value = string | number | boolean | null;
/** The values of a row, in the order of its columns. JSON values are given as text. */
export type Row = readonly Value[];
/** The values of a row's key. */
export type Key = readonly (string | number)[];

/** A column to copy. Columns in `byEngine` are not copied. */
export interface Column {
  name: string;
  kind: 'plain' | 'boolean' | 'json';
}

/** The source of an unfinished copy. */
export interface Origin {
  /** Identifies the data, independent of its location. */
  id: string;
  /** The source's name, for the operator. */
  name: string;
}

/**
 * The contents of a side: nothing or only settings, data, another program's tables, or an unfinished copy.
 */
export type State = 'empty' | 'full' | 'foreign' | Origin;

/** One side of a move. No other process can change its data while it is open. */
export interface Side {
  /** A folder, or a URL without its password, to show to the operator. */
  readonly name: string;
  /** Returns the columns of a table, sorted by name. */
  columns(table: TableName): Promise<Column[]>;
  /** Yields a table's rows after the key `after`, in batches and in key order. */
  rows(table: TableName, columns: readonly Column[], after?: Key): AsyncIterable<Row[]>;
  setting(name: string): Promise<string | undefined>;
  /** Returns any one encrypted value; undefined if there is none. */
  sealed(): Promise<SealedValue | undefined>;
  close(): Promise<void>;
}

/** The destination of a move. */
export interface Target extends Side {
  /** The number of batches that can be added concurrently. */
  readonly lanes: number;
  state(): Promise<State>;
  /** Deletes an unfinished copy. */
  clear(): Promise<void>;
  /** Creates the schema, records the origin, and replaces all settings with these. */
  begin(origin: Origin, settings: Readonly<Record<string, string>>): Promise<void>;
  /** Returns the last key that each lane of each table has added, by `laneName`. */
  progress(): Promise<Map<string, Key>>;
  /** Adds rows and records `last` as the lane's progress, in one transaction. */
  add(
    table: TableName,
    columns: readonly Column[],
    rows: readonly Row[],
    lane: number,
    last: Key,
  ): Promise<void>;
  /**
   * Resets the message index, and builds the author index or statistics. May be interrupted and called
   * again.
   */
  settle(): Promise<void>;
  /** Takes a snapshot for all later reads. */
  hold(): Promise<void>;
  /** Ends the copy and deletes its progress, so that nodes may serve the data. */
  finish(): Promise<void>;
}

export const laneName = (table: TableName, lane: number): string => `${table} ${lane}`;

/** The name under which the origin of an unfinished copy is recorded. Lanes are recorded under `laneName`. */
export const ORIGIN = 'origin';

/** Formats names as a list of quoted identifiers in SQL. */
export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** Tables that engines have in addition to those in `schema.ts`. */
export const engineTables = [
  'authority',
  'searchBlock',
  'searchName',
  'searchNameQueue',
  'searchPage',
  'searchProgress',
  'searchQueue',
  'authorIndex',
  'authorProgress',
];

/**
 * Whether a table called `migration` with these columns belongs to another program. No columns means that
 * there is no such table.
 */
export const isForeignMigration = (columns: readonly string[]): boolean =>
  columns.length > 0 && !['version', 'name', 'madeAt'].every((name) => columns.includes(name));

export const namesOf = (columns: readonly Column[]): string[] => columns.map(({ name }) => name);

export const byName = (one: Column, other: Column): number => (one.name < other.name ? -1 : 1);

export const isCopyItself = (name: string): StorageError =>
  new StorageError(`${name} is the target of an unfinished move: move from its source instead`);

/** Throws `StorageError` unless a side has this program's schema version. */
export function requireSchema(name: string, version: number, known: number): void {
  if (version === known) return;
  throw new StorageError(
    `${name} was written by another version of Palaver (schema ${version}; this version has ${known}): start this version on it once, or, if a copy is unfinished, start over with --restart`,
  );
}
