import type { Compilable, OperationNodeSource } from 'kysely';
import type { Statement } from './statements.ts';

/** Anything an engine can run: a statement from `statements.ts`, or a query built with `q` on the spot. */
export type Runnable<R> = Statement<R> | (Compilable<R> & OperationNodeSource);

/** A page of rows, already JSON: what a hot list is sent as. */
export interface JsonRows {
  /** The records in the query's order, separated by commas, in UTF-8. */
  json: Uint8Array;
  /** The `key` of the row after the last one shown; null where there is none. */
  beyond: string | number | null;
}

export type Order = 'asc' | 'desc';

/** Reads. Outside of a transaction it sees what is committed; inside, the transaction's own changes too. */
export interface Reader {
  first<R>(query: Runnable<R>): Promise<R | undefined>;
  all<R>(query: Runnable<R>): Promise<R[]>;
  /**
   * Up to `limit` rows of a query for `limit` + 1, which have a column `record` that is JSON already, put together by the
   * engine. `key` is the column that the query is ordered by.
   */
  json(query: Runnable<unknown>, key: string, order: Order, limit: number): Promise<JsonRows>;
  /** Resolves once the full-text indexes hold everything that was committed before the call. */
  searchable(): Promise<void>;
  /** What differs between the engines' SQL. */
  readonly dialect: SqlDialect;
}

/** Reads and changes inside one transaction. */
export interface Tx extends Reader {
  /**
   * Makes a change, which later reads of the transaction see. Where it breaks a unique index, it or the `write` that it
   * is part of throws `UniqueViolation`.
   */
  run(query: Runnable<unknown>): Promise<void>;
  /** Makes a change and gives the number of rows that it touched. */
  count(query: Runnable<unknown>): Promise<number>;
  /**
   * The time in milliseconds, with a fraction, by the clock that all processes on the data share; undefined where one
   * machine's clock is that of all. It grows from a transaction in a server to the next.
   */
  time(): number | undefined;
}

export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
}

/** What an engine tells about itself, for readiness and metrics. */
export interface Health {
  ok: boolean;
  /** Why not, in words for an operator; empty when ok. */
  reason: string;
}

/** What an engine counts. All grow, but for `pool`. */
export interface Figures {
  /** Transactions that were committed, and the works that they carried. */
  batches: number;
  works: number;
  /** Transactions that were run again because of others or of a lost connection. */
  retries: number;
  /** Statements that were sent to a database server, and the seconds until they were answered. */
  statements: number;
  statementSeconds: number;
  /** Connections to a database server: open, busy, and requests that wait for one. Undefined on the embedded engine. */
  pool?: { open: number; busy: number; waiting: number };
}

export const noFigures = (): Figures => ({
  batches: 0,
  works: 0,
  retries: 0,
  statements: 0,
  statementSeconds: 0,
});

export interface Db {
  readonly read: Reader;
  /**
   * The only way to change data. `work` loads its target, asks the rule, changes rows and appends its event;
   * the promise resolves once all of that is durable. `work` awaits nothing but the transaction, and may be run
   * again by an engine, so it keeps no state of its own. Works on one server (`serverId`) take effect one after
   * the other, in whichever process they run; one that appends to the logs of further servers (`alsoIn`) takes its turn
   * there as well. Throws what `work` throws, or `StorageError`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, serverId?: string, alsoIn?: readonly string[]): Promise<T>;
  /**
   * Grows whenever a table that decides who may do what has changed (see `authorityTables`): at once for changes by any
   * process on this machine's embedded database, within half a second for those by other nodes on one PostgreSQL.
   */
  authorityVersion(): number;
  /** Told that another process has changed who may do what, before the engine has noticed. */
  authorityChanged(): void;
  /** Sets what is called once this process has committed a change of who may do what. */
  onAuthorityChange(tell: () => void): void;
  /** Sets what is called once this process has committed a mark of something whose rows are to be swept. */
  onMark(tell: () => void): void;
  /**
   * Registers this process as one that serves the data; without `others`, as the only one. Throws `StorageError` where that
   * cannot be. On the embedded engine any number of processes of one machine may.
   */
  join(others: boolean): Promise<void>;
  /** How many processes serve the data, as far as is known: at least 1. */
  nodes(): number;
  /** Milliseconds that the clock of the database is ahead of this process's; 0 where they are one. */
  skew(): number;
  /** What changes when the data are restored from a copy, moved, or taken over by a standby. */
  place(): Promise<string>;
  health(): Promise<Health>;
  /** Figures since the start. */
  readonly figures: Figures;
  /** Waits for the writes under way, then closes. */
  close(): Promise<void>;
}

/** A unique index refused a row. `index` is `table(column,column)`. */
export class UniqueViolation extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`taken: ${index}`);
    this.index = index;
  }
}

/** The data cannot be reached or written: a full disk, a file that does not open. The message is for the operator. */
export class StorageError extends Error {}

/** A copy that `palaver migrate` has begun and not finished: no data to be worked with. */
export class UnfinishedCopy extends StorageError {
  /** @param origin JSON with the `name` of where it is copied from. */
  constructor(origin: string) {
    super(
      `there is an unfinished move from ${JSON.parse(origin).name}: run the same "palaver migrate" again, which goes on where it stopped`,
    );
  }
}

/** The data cannot be reached just now, and it is worth trying again in a second. Nothing was acknowledged. */
export class Unavailable extends StorageError {}
