/**
 * The contract between Palaver and its storage engines, SQLite (`sqlite/`) and PostgreSQL (`postgres/`).
 * Everything above this folder uses only these interfaces, and everything the engines do differently stays
 * below them.
 *
 * Guarantees, on both engines and over any number of nodes:
 *
 * - All changes go through `Db.write`, which queues the work and commits it in a batch with others (group
 *   commit): one fsync for all of them. A write is acknowledged only once it is durable, and is atomic.
 * - Writes to one server, and to one user's log, are serialised. Every work sees the effects of all earlier
 *   ones.
 * - Reads see committed data. A read that starts after a write was acknowledged sees that write.
 * - A failed commit fails every write in its batch; none of them is acknowledged or visible.
 * - Permission changes raise `authorityVersion`, so caches never outlive a revocation by more than the poll
 *   interval.
 */

import type { Compilable, OperationNodeSource } from 'kysely';
import type { AuthorityChanges, Whose } from './authorityVersions.ts';
import type { Statement } from './statements.ts';

/** Anything an engine can run: a statement from `statements.ts`, or an ad hoc query built with `q`. */
export type Runnable<R> = Statement<R> | (Compilable<R> & OperationNodeSource);

/**
 * A page of a list ends at this size in bytes of JSON, but has at least one record. The next page has the
 * rest.
 */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** A page of records that the engine has serialised to JSON, so that hot lists need no parsing. */
export interface JsonRows {
  /** The records in query order, separated by commas and white space, without brackets, in UTF-8. */
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
  /** The id of the message that the page starts with; if it was deleted, the next one in `order`. */
  from: string | undefined;
  /**
   * Further filters, ignored if null. `firstId` (inclusive) and `beyondId` (exclusive) are a range of ids.
   */
  creatorId: string | null;
  type: string | null;
  isThreadReply: boolean | null;
  firstId: string | null;
  beyondId: string | null;
  /** Whether to leave out messages that a sweep has yet to delete. */
  isSweeping: boolean;
}

/**
 * A page of a search in several channels of a server, newest first. `from` is any id: the page starts at or
 * below it.
 */
export interface ServerSearch extends Omit<MessageSearch, 'channelId' | 'order'> {
  /** The channels to search. */
  channelIds: readonly string[];
}

/** `next` is the `from` of the next page; undefined on the last one. */
export type SearchPage = Pick<JsonRows, 'json'> & { next: string | undefined };

/** Reads. Outside a transaction they see committed data; inside, the transaction's own changes as well. */
export interface Reads {
  first<R>(query: Runnable<R>): Promise<R | undefined>;
  all<R>(query: Runnable<R>): Promise<R[]>;
  /**
   * Up to `limit` records, joined by the engine. The query selects `limit` + 1 rows, each with its JSON in
   * the column `record`, ordered by the column `key`. Fewer records if more would exceed `maxBytes`, by
   * default `MAX_PAGE_BYTES`, but at least one.
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
   * Searches a channel's messages. A page ends early if the search has to scan too much: it then has fewer
   * records or none, but still a next page. Like every page it ends at about `MAX_PAGE_BYTES`.
   */
  search(search: MessageSearch): Promise<SearchPage>;
  /** Like `search`, over several channels. */
  searchServer(search: ServerSearch): Promise<SearchPage>;
  /**
   * Runs a task that reads thousands of rows, with the reads passed to it. Outside a transaction such tasks
   * run one at a time, each in its own turn of the event loop, round-robin over tenants, so that short reads
   * need not wait for many of them.
   */
  inTurn<T>(task: (db: Reads) => Promise<T>): Promise<T>;
}

/** Reads and changes within one transaction. */
export interface Tx extends Reader {
  /**
   * Makes a change, which later reads of the transaction see. If it violates a unique index, `run` or the
   * surrounding `savepoint` or `write` throws `UniqueViolation`. Catching it from `run` does not save them.
   */
  run(query: Runnable<unknown>): Promise<void>;
  /** Makes a change and returns the number of affected rows. */
  count(query: Runnable<unknown>): Promise<number>;
  /**
   * Runs a part of the transaction in a savepoint. If it throws, its changes are rolled back and the
   * transaction can go on, unless the error is a `StorageError`. Savepoints nest, but must not overlap.
   */
  savepoint<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Takes a named lock until the end of the transaction; others that ask for the same name wait. Later reads
   * see what earlier holders changed. Needed to count rows before an insert where writes are not serialised
   * by a server or an account.
   */
  hold(name: string): Promise<void>;
  /**
   * The time in milliseconds, with a fraction, by the database's clock, which all nodes share. It increases
   * from one transaction of a server to the next. Undefined on the embedded engine, whose processes share
   * their machine's clock.
   */
  time(): number | undefined;
  /** Whether the transaction has changed permissions, which then differ from the committed ones. */
  changesAuthority(): boolean;
}

/** The message of the Error of a write whose savepoints overlap. */
export const OVERLAP = 'two savepoints of one transaction overlap: await one before the next begins';

export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** Whether each query is a round trip to another process. */
  readonly isDistant: boolean;
}

/** Whether the engine can serve, for readiness and metrics. */
export interface Health {
  ok: boolean;
  /** The problem, in words for an operator; empty if ok. */
  reason: string;
}

/** Counters since the start, and the current state of `pool`. */
export interface Figures {
  /** Committed transactions, and the writes they contained. */
  batches: number;
  works: number;
  /** Transactions retried after a conflict or a lost connection. */
  retries: number;
  /** Statements sent to a database server, and the total seconds until their answers. */
  statements: number;
  statementSeconds: number;
  /**
   * Connections to a database server: open, busy, and callers waiting for one. Undefined on the embedded
   * engine.
   */
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
  /** Reads on nobody's behalf. */
  readonly read: Reader;
  /**
   * Reads for a tenant, which is any text, such as a server's id. Its long or large reads delay mainly
   * itself.
   */
  readFor(tenant: string): Reader;
  /**
   * The only way to change data. `work` loads its target, checks the rule, changes rows and appends its
   * event; the promise resolves once all of that is durable. `work` awaits nothing but the transaction, and
   * an engine may run it again, so it must be free of side effects. Writes to one server (`serverId`) are
   * serialised over all processes. List further servers whose logs it appends to in `alsoIn`: it is
   * serialised with their writes as well. Throws the errors of `work`, and `StorageError`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, serverId?: string, alsoIn?: readonly string[]): Promise<T>;
  /**
   * Increases with every change of permissions, that is, of a table with `decidesAuthority`. Changes by other
   * processes show up at once on the embedded database, and within half a second on PostgreSQL.
   */
  authorityVersion(): number;
  /**
   * Whether permissions in the server, or of the user, have changed since `authorityVersion` was `version`.
   */
  authorityHasChanged(version: number, whose: Whose): boolean;
  /**
   * Raises `authorityVersion` for committed changes, when another process has notified this one before the
   * engine notices itself. Without `changes`, all permissions are invalidated.
   */
  authorityChanged(changes?: AuthorityChanges): void;
  /** Sets the callback that runs after this process has committed changes of permissions. */
  onAuthorityChange(tell: (changes: AuthorityChanges) => void): void;
  /** Sets the callback that runs after this process has committed a mark in `sweep`. */
  onMark(tell: () => void): void;
  /** Sets the callback that runs when a message fails to be indexed, and when it is indexed after failures. */
  onUnindexed(tell: (messageId: string, isFailing: boolean) => void): void;
  /**
   * Registers this process as serving the data: as the only one, unless `others` is true. Throws
   * `StorageError` if another process prevents that. On the embedded engine only processes on one machine
   * notice each other. Returns a warning about other processes, or an empty text.
   */
  join(others: boolean): Promise<string>;
  /** The number of processes known to serve the data, at least 1. */
  nodes(): number;
  /** Milliseconds that the database's clock is ahead of this process's; 0 on the embedded engine. */
  skew(): number;
  /**
   * Identifies the database. It changes when the data is restored from a copy, moved, or taken over by a
   * standby.
   */
  place(): Promise<string>;
  health(): Promise<Health>;
  readonly figures: Figures;
  /** Closes after the running writes. */
  close(): Promise<void>;
}

/** A unique index rejected a row. `index` is `table(column,column)`. */
export class UniqueViolation extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`taken: ${index}`);
    this.index = index;
  }
}

/** The data cannot be reached or written, for example on a full disk. The message is for the operator. */
export class StorageError extends Error {}

/** The database contains an unfinished copy by `palaver migrate` and must not be used yet. */
export class UnfinishedCopy extends StorageError {
  /** @param origin JSON whose `name` is that of the copy's source. */
  constructor(origin: string) {
    super(
      `a move from ${JSON.parse(origin).name} is unfinished: run the same "palaver migrate" again to finish it`,
    );
  }
}

/** The data is temporarily unavailable; retry in a second. No write was acknowledged. */
export class Unavailable extends StorageError {}
