import { setTimeout as sleep } from 'node:timers/promises';
import { type Figures, StorageError, Unavailable } from '../contract.ts';
import { PostgresConnection } from './connection.ts';
import { ConnectionLost } from './errors.ts';

/** How long somebody waits for a connection before being told to come back later, in milliseconds. */
const PATIENCE = 3_000;
/** Pause between two attempts to connect. */
const PAUSE = 100;
/** The shortest time that somebody waits who has waited for something else before. */
const LEAST_PATIENCE = 250;
/** A shared connection with so many statements under way is joined by another. */
const DEPTH = 8;

interface Waiter {
  resolve(connection: PostgresConnection): void;
  reject(error: Error): void;
  until: number;
}

/**
 * A bounded number of connections, made when they are needed: some are shared by reads, whose statements follow each
 * other on them without waiting, the others are leased to one transaction at a time.
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
  /** Connections that are open, or being made. */
  #count = 0;
  #joining: Promise<void> | undefined;
  #closed = false;

  constructor(url: string, size: number, figures: Figures) {
    this.#url = url;
    this.#size = size;
    this.#maxShared = Math.max(1, Math.floor(size / 3));
    this.#figures = figures;
  }

  /** Open connections, those leased or with statements under way, and those who wait for one. */
  get state(): { open: number; busy: number; waiting: number } {
    const shared = this.#shared.filter(({ inFlight }) => inFlight > 0).length;
    const leased = this.#all.size - this.#idle.length - this.#shared.length;
    return { open: this.#all.size, busy: leased + shared, waiting: this.#waiting.length };
  }

  /**
   * A connection for one transaction, for one who asks since `since` (milliseconds). Throws `Unavailable` if there is none in
   * time, or what makes it pointless to wait.
   */
  lease(since = Date.now()): Promise<PostgresConnection> {
    if (this.#closed) return Promise.reject(new StorageError('the database is closed'));
    // The one that was not used for longest: so none falls silent unnoticed.
    const idle = this.#idle.shift();
    if (idle) return Promise.resolve(idle);
    return new Promise((resolve, reject) => {
      const until = Math.max(since + PATIENCE, Date.now() + LEAST_PATIENCE);
      this.#waiting.push({ resolve, reject, until });
      if (this.#count < this.#size) void this.#connect();
    });
  }

  release(connection: PostgresConnection): void {
    if (connection.lost) return;
    const next = this.#waiting.shift();
    if (next) next.resolve(connection);
    else this.#idle.push(connection);
  }

  /** A connection to send one read on, beside others'. */
  async share(): Promise<PostgresConnection> {
    for (;;) {
      const least = this.#leastBusy();
      const isEnough = this.#shared.filter((connection) => !connection.isSilent()).length >= this.#maxShared;
      if (least && (least.inFlight < DEPTH || isEnough) && !least.isSilent()) return least;
      this.#joining ??= this.#join().finally(() => {
        this.#joining = undefined;
      });
      if (least && !least.isSilent()) {
        // It is joined for the next ones; if that fails they hear of it.
        this.#joining.catch(() => {});
        return least;
      }
      await this.#joining;
    }
  }

  /** Hangs up on connections that have not answered for much longer than any statement may take. */
  dropStalled(): void {
    for (const connection of this.#all) if (connection.isStalled()) connection.drop();
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#refuse(new StorageError('the database is closed'));
    await Promise.all([...this.#all].map((connection) => connection.close()));
    this.#all.clear();
  }

  #leastBusy(): PostgresConnection | undefined {
    let least: PostgresConnection | undefined;
    for (const connection of this.#shared) {
      if (!least || burdenOf(connection) < burdenOf(least)) least = connection;
    }
    return least;
  }

  async #join(): Promise<void> {
    this.#shared.push(await this.lease());
  }

  /** Makes a connection for those who wait, trying for as long as somebody does. */
  async #connect(): Promise<void> {
    this.#count++;
    while (!this.#closed) {
      try {
        const connection = await PostgresConnection.open(this.#url, this.#figures);
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
        await sleep(PAUSE);
      }
    }
    this.#count--;
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

/** What a read has to wait for; one that does not answer comes last. */
const burdenOf = (connection: PostgresConnection): number =>
  connection.isSilent() ? Number.POSITIVE_INFINITY : connection.inFlight;
