import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, StorageError, Unavailable } from '../contract.ts';
import { type Bound, fixed } from './compile.ts';
import { PostgresConnection, type Result } from './connection.ts';
import { ConnectionLost } from './errors.ts';

/** How long a request waits for a connection before `Unavailable` is thrown. */
const LEASE_TIMEOUT_MS = 3_000;
const RECONNECT_MS = 100;
/** Minimum wait per call, even if the request is already older than `LEASE_TIMEOUT_MS`. */
const MIN_LEASE_TIMEOUT_MS = 250;
/** Another shared connection is opened once each has this many statements in flight. */
const GROW_AT_IN_FLIGHT = 8;

/**
 * Starts a new epoch of the logs (`feed/epoch.ts`) if the data has moved. Concurrent calls finish after the
 * first one.
 */
const noteThePlace = fixed(`with moved as (
    insert into setting (name, value) values ('place', $1)
    on conflict (name) do update set value = excluded.value where setting.value <> excluded.value returning name)
  insert into setting (name, value) select 'epoch', left(replace(gen_random_uuid()::text, '-', ''), 12) from moved
    on conflict (name) do update set value = excluded.value`);

/** Selects the backends that are not known to be idle. */
const busyOf = fixed(`select pid from pg_stat_activity
  where pid = any ($1::int[]) and coalesce(state, '') not like 'idle%'`);

interface Waiter {
  resolve(connection: PostgresConnection): void;
  reject(error: Error): void;
  until: number;
}

/**
 * A bounded pool of connections, opened on demand. Up to a third are shared by reads, which are pipelined on
 * them. The others are leased to one transaction at a time.
 */
export class Pool {
  readonly #url: string;
  readonly #figures: Figures;
  readonly #idle: PostgresConnection[] = [];
  readonly #all = new Set<PostgresConnection>();
  readonly #shared: PostgresConnection[] = [];
  readonly #maxShared: number;
  readonly #size: number;
  #waiting: Waiter[] = [];
  /** Number of connections that are open or being opened. */
  #count = 0;
  #joining: Promise<void> | undefined;
  #closed = false;
  /** Like `Db.place`, for the latest connection; empty before the first one. */
  place = '';
  /** Called when a new connection reaches a different database than the previous one. */
  onPlace: () => void = () => {};

  constructor(url: string, size: number, figures: Figures) {
    this.#url = url;
    this.#size = size;
    this.#maxShared = Math.max(1, Math.floor(size / 3));
    this.#figures = figures;
  }

  /**
   * Counts open connections, busy ones (leased, or with statements in flight), and callers waiting for one.
   */
  get state(): { open: number; busy: number; waiting: number } {
    const shared = this.#shared.filter(({ inFlight }) => inFlight > 0).length;
    const leased = this.#all.size - this.#idle.length - this.#shared.length;
    return { open: this.#all.size, busy: leased + shared, waiting: this.#waiting.length };
  }

  /**
   * Leases a connection for one transaction; return it with `release`. `since` is when the caller started
   * waiting, in milliseconds. Throws `Unavailable` or `ConnectionLost` if no connection can be opened in
   * time, and `StorageError` immediately if retrying would not help. While all connections are in use, it
   * waits until a transaction ends.
   */
  lease(since = Date.now()): Promise<PostgresConnection> {
    const [lease, waiter] = this.#waiter(since);
    if (waiter) this.#waiting.push(waiter);
    return lease;
  }

  /**
   * Like `lease`, but takes precedence over all waiting callers. Also throws `Unavailable` if all connections
   * stay in use.
   */
  async leaseFirst(): Promise<PostgresConnection> {
    const [lease, waiter] = this.#waiter(Date.now());
    if (!waiter) return lease;
    this.#waiting.unshift(waiter);
    const timer = setTimeout(() => {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
      waiter.reject(new Unavailable('PostgreSQL: all connections of this node are in use'));
    }, LEASE_TIMEOUT_MS);
    return lease.finally(() => clearTimeout(timer));
  }

  release(connection: PostgresConnection): void {
    if (connection.lost) return;
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#idle.push(connection);
  }

  /**
   * Runs a read on a connection that it shares with other reads. Throws like `lease`, and the errors of the
   * statement.
   */
  async read(bound: Bound): Promise<Result> {
    let connection = this.#share();
    while (!connection) {
      await this.#joining;
      connection = this.#share();
    }
    try {
      return await connection.query(bound);
    } finally {
      this.#giveBack();
    }
  }

  /** Runs a read on its own connection, so that no other read waits for it. Throws like `read`. */
  async readApart(bound: Bound): Promise<Result> {
    const connection = await this.lease();
    try {
      return await connection.query(bound);
    } finally {
      this.release(connection);
    }
  }

  /** Drops connections that have not responded for longer than any statement may take. */
  dropStalled(): void {
    for (const connection of this.#all) if (connection.isStalled()) connection.drop();
  }

  /**
   * Uses a working connection to ask PostgreSQL about connections with a late response. Drops those whose
   * backend is idle in two consecutive calls, because the network must have lost the request or the response.
   */
  async dropUnheard(connection: PostgresConnection): Promise<void> {
    const late = [...this.#all].filter((other) => other.pid !== undefined && other.isSilent());
    if (late.length === 0) return;
    const { rows } = await connection.probe({ ...busyOf, values: [`{${late.map(({ pid }) => pid)}}`] });
    const busy = new Set(rows.map(({ pid }) => pid));
    for (const other of late) if (!busy.has(other.pid) && other.isSilent()) other.suspect();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#refuse(new StorageError('the database is closed'));
    await Promise.all([...this.#all].map((connection) => connection.close()));
    this.#all.clear();
  }

  /** Returns either a connection, or a waiter to add to `#waiting`. */
  #waiter(since: number): [lease: Promise<PostgresConnection>, waiter?: Waiter] {
    if (this.#closed) return [Promise.reject(new StorageError('the database is closed'))];
    // Uses the least recently used connection, so that dead connections are noticed soon.
    const idle = this.#idle.shift();
    if (idle) return [Promise.resolve(idle)];
    const { promise, resolve, reject } = Promise.withResolvers<PostgresConnection>();
    if (this.#count < this.#size) void this.#connect();
    return [
      promise,
      { resolve, reject, until: Math.max(since + LEASE_TIMEOUT_MS, Date.now() + MIN_LEASE_TIMEOUT_MS) },
    ];
  }

  /**
   * Returns the shared connection for the next read, which must be sent immediately. Undefined if there is
   * none that responds.
   */
  #share(): PostgresConnection | undefined {
    const answering = this.#answering().slice(0, this.#maxShared);
    let least: PostgresConnection | undefined;
    for (const connection of answering)
      if (!least || connection.inFlight < least.inFlight) least = connection;
    if (least && (least.inFlight < GROW_AT_IN_FLIGHT || answering.length === this.#maxShared)) return least;
    this.#joining ??= this.#join().finally(() => {
      this.#joining = undefined;
    });
    // The new connection is for later reads. If it fails, they report the error.
    if (least) this.#joining.catch(() => {});
    return least;
  }

  /**
   * Returns the shared connections without late responses. If stalled connections respond again after they
   * were replaced, there may be too many.
   */
  #answering(): PostgresConnection[] {
    return this.#shared.filter((connection) => !connection.isSilent());
  }

  /** Gives surplus shared connections to transactions once their reads have ended. */
  #giveBack(): void {
    if (this.#shared.length <= this.#maxShared) return;
    for (const connection of this.#answering().slice(this.#maxShared)) {
      if (connection.inFlight > 0) continue;
      this.#shared.splice(this.#shared.indexOf(connection), 1);
      this.release(connection);
    }
  }

  async #join(): Promise<void> {
    this.#shared.push(await this.lease());
  }

  /** Opens a connection for waiting callers, and retries as long as there are any. */
  async #connect(): Promise<void> {
    this.#count++;
    while (!this.#closed) {
      try {
        const connection = await this.#open();
        this.#all.add(connection);
        connection.onLost(() => this.#forget(connection));
        if (this.#closed) void connection.close();
        else this.release(connection);
        return;
      } catch (error) {
        const now = Date.now();
        if (!(error instanceof ConnectionLost) && !(error instanceof Unavailable))
          this.#refuse(error as Error);
        this.#waiting = this.#waiting.filter((waiter) => {
          if (waiter.until > now) return true;
          waiter.reject(error as Error);
          return false;
        });
        if (this.#waiting.length === 0) break;
        await sleep(RECONNECT_MS);
      }
    }
    this.#count--;
  }

  /** Opens a connection. Nothing is written to a different database before a new epoch has started. */
  async #open(): Promise<PostgresConnection> {
    const connection = await PostgresConnection.open(this.#url, this.#figures);
    const { place } = connection;
    if (place === this.place) return connection;
    try {
      await connection.probe({ ...noteThePlace, values: [place] });
      this.place = place;
      this.onPlace();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  #refuse(error: Error): void {
    for (const waiter of this.#waiting.splice(0)) waiter.reject(error);
  }

  #forget(connection: PostgresConnection): void {
    this.#count--;
    this.#all.delete(connection);
    for (const list of [this.#idle, this.#shared]) {
      const place = list.indexOf(connection);
      if (place >= 0) list.splice(place, 1);
    }
    if (this.#waiting.length > 0 && this.#count < this.#size) void this.#connect();
  }
}
