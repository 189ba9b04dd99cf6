import { StorageError } from '../contract.ts';
import type { TableName } from '../schema.ts';

export type Value = string | number | boolean | null;
/** The values of a row in the order of its table's columns. JSON is text. */
export type Row = readonly Value[];
/** The values of a row's key. */
export type Key = readonly (string | number)[];

/** A column that is copied: those that an engine keeps by itself are none. */
export interface Column {
  name: string;
  kind: 'plain' | 'boolean' | 'json';
}

/** Which data an unfinished copy is of. */
export interface Origin {
  /** The same for the same data, wherever they lie. */
  id: string;
  /** Where they lay, for the operator. */
  name: string;
}

/** What a side holds: nothing but settings, data, tables that are not Palaver's, or an unfinished copy. */
export type State = 'empty' | 'full' | 'foreign' | Origin;

/** One side of a move: data that nobody else can change for as long as it is open. */
export interface Side {
  /** For the operator: a folder, or a URL without its password. */
  readonly name: string;
  /** The columns of a table, by name. */
  columns(table: TableName): Promise<Column[]>;
  /** The rows of a table in the order of its key, in portions, those up to the key `after` left out. */
  rows(table: TableName, columns: readonly Column[], after?: Key): AsyncIterable<Row[]>;
  setting(name: string): Promise<string | undefined>;
  /** A secret of an app as it lies there, if there is any. */
  sealed(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The side that a move goes to. */
export interface Target extends Side {
  /** How many portions of a table it takes at the same time. */
  readonly lanes: number;
  state(): Promise<State>;
  /** Removes an unfinished copy. */
  clear(): Promise<void>;
  /** Makes the schema and notes what is going to be copied; with these settings to begin with, and no others. */
  begin(origin: Origin, settings: Readonly<Record<string, string>>): Promise<void>;
  /** The key that each lane of each table has come to, by `laneName`. */
  progress(): Promise<Map<string, Key>>;
  /** Adds rows in one transaction with the note that the lane has come to `last`. */
  add(
    table: TableName,
    columns: readonly Column[],
    rows: readonly Row[],
    lane: number,
    last: Key,
  ): Promise<void>;
  /** Makes what reads need beside the rows. May be ended at any moment and called again. */
  settle(): Promise<void>;
  /** What is read from here on is as it is now. */
  hold(): Promise<void>;
  /** Takes the notes of the copy away: from here on it is data like any other. */
  finish(): Promise<void>;
}

export const laneName = (table: TableName, lane: number): string => `${table} ${lane}`;

/** The notes of an unfinished copy, in the target: the origin under this name, and a key for each lane. */
export const ORIGIN = 'origin';

/** Columns as SQL names them. */
export const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

export const namesOf = (columns: readonly Column[]): string[] => columns.map(({ name }) => name);

export const byName = (one: Column, other: Column): number => (one.name < other.name ? -1 : 1);

export const isCopyItself = (name: string): StorageError =>
  new StorageError(`${name} holds an unfinished move itself: move from where that one comes from`);

/** Throws where the tables of a side are not those that this program knows. */
export function requireSchema(name: string, version: number, known: number): void {
  if (version === known) return;
  throw new StorageError(
    `${name} was written by another version of Palaver (schema ${version}, this program knows ${known}): start this version on it once, or start the move over with --restart where the copy is unfinished`,
  );
}
