/**
 * The contract between Palaver and its storage engines, SQLite (`sqlite/`) and PostgreSQL (`postgres/`).
 * Outside of this folder, only the code that opens the data and some commands (`cli/`) use an engine directly;
 * everything else uses these interfaces.
 *
 * Guarantees, on both engines and over any number of nodes:
 *
 * - All changes go through `Db.write`, which queues the write and commits it in a batch with others (group
 *   commit): one fsync for all of them. A write is acknowledged only once it is durable, and is atomic.
 * - Writes to one server, and to one user's log, are serialized. Every write sees the effects of all earlier
 *   ones.
 * - Reads see committed data. A read that starts after a write was acknowledged sees that write.
 * - If a commit fails, none of its writes is acknowledged or visible. The exception is a connection that is
 *   lost during the commit: the writes fail as `Unavailable`, but may have been committed.
 * - Permission changes raise `authorityVersion`, so caches never outlive a revocation by more than the poll
 *   interval.
 */

import type { Compilable, OperationNodeSource } from 'kysely';
import type { AuthorityChanges, Whose } from './authorityVersions.ts';
import type { Examined } from './examined.ts';
import type { CachedPage, MessagePage } from './pageCache.ts';
import type { Statement } from './statements.ts';

/** Anything an engine can run: a statement from `statements.ts`, or an ad hoc query built with `q`. */
export type Runnable<R> = Statement<R> | (Compilable<R> & OperationNodeSource);

/** Maximum size of a list's page, in bytes of JSON. Only a page with a single record may be larger. */
export const MAX_PAGE_BYTES = 1024 * 1024;

/** A page of records that the engine has serialized to JSON, so that hot lists need no parsing. */
export interface JsonRows {
  /** The records in query order, separated by commas and whitespace, without brackets, in UTF-8. */
  json: Uint8Array;
  count: number;
  /** The `key` of the first row on the next page; null on the last page. */
  beyond: string | number | null;
}

export type Order = 'asc' | 'desc';

/** A page of a search in a channel, newest first unless `order` is `asc`. */
export interface MessageSearch {
  channelId: string;
  text: string;
  order: Order;
  limit: number;
  /**
   * The id of the message that the page starts with. If that message was deleted, the page starts with the
   * next one in `order`.
   */
  from: string | undefined;
  /**
   * Additional filters; null values are ignored. `firstId` (inclusive) and `beyondId` (exclusive) form a
   * range of ids.
   */
  creatorId: string | null;
  type: string | null;
  isThreadReply: boolean | null;
  /** An additional filter for each record. */
  isWanted?: ((message: Examined) => boolean) | undefined;
  firstId: string | null;
  beyondId: string | null;
  /** Whether to omit messages that are due to be swept. */
  isSweeping: boolean;
}

/**
 * A page of a search across several channels of a server, newest first. `from` is any id: the page starts
 * at or below it.
 */
export interface ServerSearch extends Omit<MessageSearch, 'channelId' | 'order'> {
  serverId: string;
  channelIds: readonly string[];
  /** Whether `channelIds` has all channels of the server, apart from direct messages. */
  isEveryChannel: boolean;
  /** The user whose direct messages are among the channels; null if there are none. */
  memberId: string | null;
}

/** `next` is the `from` of the next page; undefined on the last page. */
export type SearchPage = Pick<JsonRows, 'json'> & { next: string | undefined };

/** Reads. Outside of a transaction, they see committed data. Inside one, they also see its changes. */
export interface Reads {
  first<R>(query: Runnable<R>): Promise<R | undefined>;
  all<R>(query: Runnable<R>): Promise<R[]>;
  /**
   * Returns up to `limit` records, joined by the engine. The query selects `limit` + 1 rows, ordered by the
   * column `key`, each with its JSON in the column `record`. Returns fewer records if more would exceed
   * `maxBytes` (by default `MAX_PAGE_BYTES`), but at least one.
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
   * Searches a channel's messages. A page ends early if the search would have to scan too much. It then has
   * fewer records or none, but there is still a next page. Like every page, it ends at about
   * `MAX_PAGE_BYTES`.
   */
  search(search: MessageSearch): Promise<SearchPage>;
  /** Like `search`, over several channels. */
  searchServer(search: ServerSearch): Promise<SearchPage>;
  /**
   * Returns a page of a channel's messages from the cache or, if it is not cached, from `read`. The page must
   * depend only on `name` and the channel's messages. The embedded engine caches it until one of them changes.
   */
  pageOf(channelId: string, name: string, read: () => Promise<MessagePage>): Promise<CachedPage>;
  /**
   * Runs a task that reads thousands of rows, and passes the reads to it. Outside of a transaction, such
   * tasks run one at a time, each in its own turn of the event loop and round-robin over tenants, so that a
   * short read waits for at most one of them.
   */
  inTurn<T>(task: (db: Reads) => Promise<T>): Promise<T>;
}

/** Reads and changes in one transaction. */
export interface Tx extends Reader {
  /**
   * Makes a change, which later reads in the transaction see. If the change violates a unique index, the
   * enclosing `savepoint` or `write` throws `UniqueViolation`. On the embedded engine, `run` throws it, too,
   * but catching it there has no effect.
   */
  run(query: Runnable<unknown>): Promise<void>;
  /** Makes a change and returns the number of affected rows. */
  count(query: Runnable<unknown>): Promise<number>;
  /**
   * Runs a part of the transaction in a savepoint. If it throws, its changes are rolled back and the
   * transaction can continue, unless the error is a `StorageError`. Savepoints can be nested, but must not
   * overlap.
   */
  savepoint<T>(task: () => Promise<T>): Promise<T>;
  /**
   * Takes a named lock until the end of the transaction. Other transactions that request the same name wait,
   * and their later reads see the changes of earlier holders. This is needed to count rows before an insert
   * if the writes are not serialized by a server or an account.
   */
  hold(name: string): Promise<void>;
  /**
   * Returns the current time in milliseconds, with a fraction, on the database's clock, which all nodes
   * share. Within a server, it increases from one transaction to the next. Undefined on the embedded engine,
   * whose processes share the machine's clock.
   */
  time(): number | undefined;
  /** Whether the transaction has changed permissions, so that they differ from the committed ones. */
  changesAuthority(): boolean;
}

/** The message of the Error that a write throws if its savepoints overlap. */
export const OVERLAP = 'two savepoints of one transaction overlap: await one before the next begins';

export interface SqlDialect {
  readonly name: 'sqlite' | 'postgres';
  /** Whether each query is a round trip to another process. */
  readonly isDistant: boolean;
}

/** Whether the engine can serve requests, for readiness and metrics. */
export interface Health {
  ok: boolean;
  /** The problem, described for an operator; empty if there is none. */
  reason: string;
}

/** Counters since the process started, and the current state of `pool`. */
export interface Figures {
  /** Committed transactions, and the writes they contained. */
  batches: number;
  works: number;
  /** Transactions retried after a conflict, a lock timeout or a lost connection. */
  retries: number;
  /** Statements sent to a database server, and their total response time in seconds. */
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
  /** Reads without a tenant. */
  readonly read: Reader;
  /**
   * Reads on behalf of a tenant, which can be any text, such as a server's id. A tenant's long or large reads
   * mainly delay its own reads.
   */
  readFor(tenant: string): Reader;
  /**
   * Runs a write, which is the only way to change data. `work` loads its target, checks the rule, changes
   * rows and appends its event; the promise resolves once all of that is durable. `work` must await only the
   * transaction and must not have side effects, because an engine may run it again. Writes to one server
   * (`serverId`) are serialized across all processes. If the write appends to the logs of other servers, list
   * them in `alsoIn`: it is then serialized with their writes as well. Throws the errors of `work`, and
   * `StorageError`.
   */
  write<T>(work: (tx: Tx) => Promise<T>, serverId?: string, alsoIn?: readonly string[]): Promise<T>;
  /**
   * Increases with every permission change (`decidesAuthority` in `tables/facts.ts`). Changes by other
   * processes are visible immediately on the embedded database, and within half a second on PostgreSQL.
   */
  authorityVersion(): number;
  /**
   * Whether permissions in the server, or of the user, have changed since `authorityVersion` had this
   * value.
   */
  authorityHasChanged(version: number, whose: Whose): boolean;
  /**
   * Raises `authorityVersion` for committed changes that another process has reported, before the engine
   * notices them itself. Without `changes`, all permissions are invalidated.
   */
  authorityChanged(changes?: AuthorityChanges): void;
  /** Sets the callback that runs after this process has committed permission changes; only on PostgreSQL. */
  onAuthorityChange(tell: (changes: AuthorityChanges) => void): void;
  /** Sets the callback that runs after this process has committed a new row in `sweep`. */
  onMark(tell: () => void): void;
  /** Sets the callback for a message that fails to be indexed, or that is indexed after failures. */
  onUnindexed(tell: (messageId: string, isFailing: boolean) => void): void;
  /**
   * Registers this process as serving the data: as the only one, unless `others` is true. Throws
   * `StorageError` if another process prevents that. On the embedded engine, only processes on the same
   * machine notice each other. Returns a warning about other processes, or an empty text.
   */
  join(others: boolean): Promise<string>;
  /** Returns the number of processes known to serve the data, at least 1; always 1 on the embedded engine. */
  nodes(): number;
  /**
   * Whether nodes whose version lacks `messageVersion` serve the data, as during an upgrade. These nodes can
   * only read events that contain the content of their messages.
   */
  hasOlderNodes(): boolean;
  /**
   * Sets the callback that runs, with the reason, once a newer version has migrated the schema and this
   * version may no longer use it. From then on `health` fails, and `write` throws `Unavailable`.
   */
  onOutdated(tell: (reason: string) => void): void;
  /**
   * Returns by how many milliseconds the database's clock is ahead of this process's; 0 on the embedded
   * engine.
   */
  skew(): number;
  /**
   * Returns an identifier of the database. It changes when the data is restored from a copy or moved, or when
   * a standby takes over.
   */
  place(): Promise<string>;
  health(): Promise<Health>;
  readonly figures: Figures;
  /** Waits for running writes, then closes. */
  close(): Promise<void>;
}

/** Thrown if a unique index rejected a row. `index` is `table(column,column)`. */
export class UniqueViolation extends Error {
  readonly index: string;
  constructor(index: string) {
    super(`taken: ${index}`);
    this.index = index;
  }
}

/** Thrown if the data cannot be read or written, as on a full disk. The message is for the operator. */
export class StorageError extends Error {}

/** The disk is full. The write was not saved. */
export class StorageFull extends StorageError {}

/** Thrown if the database contains an unfinished copy by `palaver migrate` and must not be used yet. */
export class UnfinishedCopy extends StorageError {
  /** @param origin JSON whose `name` is that of the copy's source. */
  constructor(origin: string) {
    super(
      `a move from ${JSON.parse(origin).name} is unfinished: run the same "palaver migrate" again to finish it`,
    );
  }
}

/** The data is temporarily unavailable. Retry in a second. A failed write may have been committed anyway. */
export class Unavailable extends StorageError {}
