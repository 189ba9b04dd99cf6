import pg from 'pg';
import { type Figures, noFigures } from '../contract.ts';
import type { Bound } from './compile.ts';
import { ConnectionLost, nameError } from './errors.ts';

/** Timeouts for connecting, for any answer, for a lock, for an idle transaction, and for a statement. */
const timeoutsMs = { connect: 3_000, silence: 2_000, lock: 5_000, idle: 15_000, statement: 30_000 };

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: rows have the shape that the query says
  rows: any[];
  /** Rows affected by a change. */
  rowCount: number | null;
  /** The command completed: `INSERT`, `COMMIT`, `ROLLBACK` … */
  command: string;
}

const INT8_OID = 20;

/** Parses 64-bit integers as numbers, since none here is beyond 2^53. Other types keep pg's parsers. */
const types = {
  // biome-ignore lint/suspicious/noExplicitAny: the signature is pg's
  getTypeParser: (oid: number, format?: any): any =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

/** A client's socket, which pg does not expose in its types. */
interface Stream {
  cork(): void;
  uncork(): void;
  destroy(): void;
}

/**
 * One connection. Statements are pipelined (PostgreSQL's manual, 55.2.4): each is sent without waiting for earlier
 * answers, with its own Sync. Statements of one turn of the event loop are sent in one packet.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #figures: Figures;
  /** Statements without an answer yet. */
  inFlight = 0;
  /** True once the connection is unusable. */
  lost = false;
  #lastAnswer = 0;
  #corked: Stream | undefined;
  #onLost: () => void = () => {};

  private constructor(client: pg.Client, figures: Figures) {
    this.#client = client;
    this.#figures = figures;
  }

  /** Connects. Throws `ConnectionLost`, or `StorageError` if trying again would not help. */
  static async open(url: string, figures: Figures = noFigures()): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'palaver',
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: timeoutsMs.connect,
      statement_timeout: timeoutsMs.statement,
      lock_timeout: timeoutsMs.lock,
      idle_in_transaction_session_timeout: timeoutsMs.idle,
      // A generic plan does not know the limit and reads all of a large channel. Planning each time costs less.
      options: '-c plan_cache_mode=force_custom_plan',
      types,
    } as pg.ClientConfig);
    const connection = new PostgresConnection(client, figures);
    // Without a listener a lost connection would end the process.
    client.on('error', () => connection.#lose());
    client.on('end', () => connection.#lose());
    try {
      await client.connect();
    } catch (error) {
      void client.end().catch(() => {});
      throw nameError(error);
    }
    return connection;
  }

  /** Sets the callback that runs once, when the connection is lost. */
  onLost(tell: () => void): void {
    this.#onLost = tell;
  }

  /** Runs a statement. Throws the errors of `nameError`. */
  async query({ compiled: { name, text }, values }: Bound): Promise<Result> {
    if (this.lost) throw new ConnectionLost('PostgreSQL cannot be reached: the connection was lost');
    this.#cork();
    const started = performance.now();
    if (this.inFlight++ === 0) this.#lastAnswer = started;
    try {
      return await this.#client.query({ ...(name !== undefined && { name }), text, values });
    } catch (error) {
      const named = nameError(error);
      if (named instanceof ConnectionLost) this.#lose();
      throw named;
    } finally {
      this.inFlight--;
      this.#lastAnswer = performance.now();
      this.#figures.statements++;
      this.#figures.statementSeconds += (this.#lastAnswer - started) / 1000;
    }
  }

  /** Runs SQL text of one or more statements without parameters. Throws the errors of `nameError`. */
  async exec(sql: string): Promise<void> {
    try {
      await this.#client.query(sql);
    } catch (error) {
      throw nameError(error);
    }
  }

  /** True if answers are missing for longer than any statement may take, so that the server must be gone. */
  isStalled(): boolean {
    return this.#hasWaited(timeoutsMs.statement + timeoutsMs.lock);
  }

  /** True if an answer is late: either a statement is slow, or the server is gone. */
  isSilent(): boolean {
    return this.#hasWaited(timeoutsMs.silence);
  }

  #hasWaited(ms: number): boolean {
    return this.inFlight > 0 && performance.now() - this.#lastAnswer > ms;
  }

  /** Runs a fast statement. Drops the connection if there is no answer within `timeoutsMs.silence`. */
  async probe(bound: Bound): Promise<Result> {
    const timer = setTimeout(() => this.drop(), timeoutsMs.silence);
    try {
      return await this.query(bound);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Drops the connection: statements in flight throw `ConnectionLost`. */
  drop(): void {
    this.#stream.destroy();
    this.#lose();
  }

  /** Closes the connection without calling `onLost`. */
  async close(): Promise<void> {
    this.#onLost = () => {};
    this.lost = true;
    await this.#client.end().catch(() => {});
  }

  /** Buffers output until the end of this turn of the event loop, so that its statements are one write. */
  #cork(): void {
    if (this.#corked) return;
    const stream = this.#stream;
    stream.cork();
    this.#corked = stream;
    setImmediate(() => {
      this.#corked = undefined;
      stream.uncork();
    });
  }

  get #stream(): Stream {
    return (this.#client as unknown as { connection: { stream: Stream } }).connection.stream;
  }

  #lose(): void {
    if (this.lost) return;
    this.lost = true;
    void this.#client.end().catch(() => {});
    this.#onLost();
  }
}
