import type { Compilable, OperationNodeSource } from 'kysely';
import type { AuthorityChanges, Whose } from './authorityVersions.ts';
import type { Statement } from './statements.ts';

/** Anything an engine can run: a statement from `statements.ts`, or a query built with `q` on the spot. */
export type Runnable<R> = Statement<R> | (Compilable<R> & OperationNodeSource);

/** A page of a list ends at this size in bytes, as JSON, and has at least one record. The next page has the rest. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** A page of records that the engine has written as JSON, so that hot lists need no parsing. */
export interface JsonRows {
  /** The records in the query's order, separated by commas and white space, without brackets, in UTF-8. */
  json: Uint8Array;
  /** The number of records. */
  count: number;
  /** The `key` of the first row of the next page; null on the last page. */
  beyond: string | number | null;
}

export type Order = 'asc' | 'desc';

/** A page of a search in a channel, newest first unless `order` is `asc`. */
export interface MessageSearch {
  channelId: string;
  text: string;
  order: Order;
  limit: number;
  /** The id of the message with which the page begins; if it was deleted, the next one in `order`. */
  from: string | undefined;
  /** Further conditions, each left out if null. `firstId` and `beyondId` are a range of ids, without the latter. */
  creatorId: string | null;
  type: string | null;
  isThreadReply: boolean | null;
  firstId: string | null;
  beyondId: string | null;
  /** True if messages that a sweep has yet to remove are left out. */
  isSweeping: boolean;
}

/** A page of a search in channels of one server, newest first. `from` is any id: the page begins there or below it. */
export interface ServerSearch extends Omit<MessageSearch, 'channelId' | 'order'> {
  /** The channels in which it searches, and no others. */
  channelIds: readonly string[];
}

/** `next` is the `from` of the next page; undefined on the last one. */
export type SearchPage = Pick<JsonRows, 'json'> & { next: string | undefined };

/** Reads. Outside a transaction they see committed data; inside, the transaction's own changes as well. */
export interface Reads {
  first<R>(query: Runnable<R>): Promise<R | undefined>;
  all<R>(query: Runnable<R>): Promise<R[]>;
  /**
   * Up to `limit` records, joined by the engine. The query selects `limit` + 1 rows, each with its JSON in the column
   * `record`, ordered by the column `key`. There are fewer records if more would have more than `maxBytes`, by default
   * `MAX_PAGE_BYTES`, but at least one.
   */
  json(
    query: Runnable<unknown>,
    key: string,
    order: Order,
    limit: number,
    maxBytes?: number,
  ): Promise<JsonRows>;
  /** The engine's SQL dialect. */
  readonly dialect: SqlDialect;
}

export interface Reader extends Reads {
  /**
   * The messages of a channel that match a search. A search ends its page early if it has to look at too much: then there
   * are fewer records, or none, and still a next page. As every page, it ends at about `MAX_PAGE_BYTES`.
   */
  search(search: MessageSearch): Promise<SearchPage>;
  /** The messages of several channels that match a search, as `search` finds those of one. */
  searchServer(search: ServerSearch): Promise<SearchPage>;
  /**
   * Runs a task that looks at thousands of rows, with the reads that it is given. Outside a transaction, such tasks run one
   * at a time, each in a turn of the event loop of its own, and tenants go round: short reads need not wait for many of them.
   */
  inTurn<T>(task: (db: Reads) => Promise<T>): Promise<T>;
}

/** Reads and changes inside one transaction. */
export interface Tx extends Reader {
  /**
   * Makes a change, which later reads of the transaction see. If it breaks a unique index, `run` or the surrounding
   * `write` throws `UniqueViolation`.
   */
  run(query: Runnable<unknown>): Promise<void>;
  /** Makes a change and returns the number of rows affected. */
  count(query: Runnable<unknown>): Promise<number>;
  /**
   * Holds a name until the end of the transaction; another that asks for it waits. Later reads see what earlier holders have changed: who
   * counts rows before an insert, and is not serial in a server or on an account, holds a name.
   */
  hold(name: string): Promise<void>;
  /**
   * The time in milliseconds, with a fraction, by the database's clock, which all nodes share. It grows from one
   * transaction in a server to the next. Undefined on the embedded engine, whose processes share their machine's clock.
   */
  time(): number | undefined;
  /** True if the transaction has changed permissions, which then are others in it than outside. */
  changesAuthority(): boolean;
}

export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** True if each query is a round trip to another process. */
  readonly isDistant: boolean;
}

/** Whether the engine can serve, for readiness and metrics. */
export interface Health {
  ok: boolean;
  /** The problem, in words for an operator; empty when ok. */
  reason: string;
}

/** Counters since the start, and the state of `pool` now. */
export interface Figures {
  /** Committed transactions, and the writes that they included. */
  batches: number;
  works: number;
  /** Transactions run again after a conflict or a lost connection. */
  retries: number;
  /** Statements sent to a database server, and the sum of the seconds until their answers. */
  statements: number;
  statementSeconds: number;
  /** Connections to a database server: open and busy, and callers waiting for one. Undefined on the embedded engine. */
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
  /** Reads for nobody in particular. */
  readonly read: Reader;
  /** Reads for a tenant, which is any text, such as a server's id: with long or large ones it delays itself, and hardly others. */
  readFor(tenant: string): Reader;
  /**
   * The only way to change data. `work` loads its target, asks the rule, changes rows and appends its event; the
   * promise resolves once all of that is durable. `work` awaits nothing but the transaction. An engine may run it
   * again, so it keeps no state of its own. Writes to one server (`serverId`) take effect one after the other, across
   * all processes. Name the further servers whose logs it appends to in `alsoIn`: it is serialised with their writes
   * too. Throws the errors of `work`, and `StorageError`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, serverId?: string, alsoIn?: readonly string[]): Promise<T>;
  /**
   * Grows with every change of permissions, that is of a table that `decidesAuthority`. Changes by other processes show
   * at once on the embedded database, and within half a second on PostgreSQL.
   */
  authorityVersion(): number;
  /** True if permissions in the server, or of the user, have changed since `authorityVersion` was `version`. */
  authorityHasChanged(version: number, whose: Whose): boolean;
  /**
   * Raises `authorityVersion`, for changes that are committed. Call it on news from another process, before the engine
   * notices by itself. Without `changes`, all permissions count as changed.
   */
  authorityChanged(changes?: AuthorityChanges): void;
  /** Sets the callback that runs after this process has committed changes of permissions. */
  onAuthorityChange(tell: (changes: AuthorityChanges) => void): void;
  /** Sets the callback that runs after this process has committed a mark in `sweep`. */
  onMark(tell: () => void): void;
  /**
   * Registers this process as one that serves the data: as the only one, unless `others` is true. Throws `StorageError`
   * if another process prevents that. On the embedded engine any number of processes of one machine may join.
   * Returns a warning about those that have, or an empty text.
   */
  join(others: boolean): Promise<string>;
  /** The number of processes known to serve the data, at least 1. */
  nodes(): number;
  /** Milliseconds that the database's clock is ahead of this process's; 0 on the embedded engine. */
  skew(): number;
  /** Identifies the database. It changes when the data are restored from a copy, moved, or taken over by a standby. */
  place(): Promise<string>;
  health(): Promise<Health>;
  /** Figures since the start. */
  readonly figures: Figures;
  /** Closes, after the writes in progress. */
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

/** The data cannot be reached or written, such as on a full disk. The message is for the operator. */
export class StorageError extends Error {}

/** The database holds an unfinished copy by `palaver migrate` and must not be used yet. */
export class UnfinishedCopy extends StorageError {
  /** @param origin JSON whose `name` is that of the copy's source. */
  constructor(origin: string) {
    super(
      `there is an unfinished move from ${JSON.parse(origin).name}: run the same "palaver migrate" again to continue it`,
    );
  }
}

/** The data cannot be reached at the moment; try again in a second. No write was acknowledged. */
export class Unavailable extends StorageError {}
