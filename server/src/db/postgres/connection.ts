import pg from 'pg';
import { type Figures, noFigures } from '../contract.ts';
import type { Bound } from './compile.ts';
import { ConnectionLost, nameError, StalePlan } from './errors.ts';
import { beginSession, LOCK_TIMEOUT_MS, type Session, STATEMENT_TIMEOUT_MS } from './session.ts';
import { afterTurn } from './turn.ts';

/** Timeouts in ms: for connecting, and for the response to a fast statement. */
const timeoutsMs = { connect: 3_000, silence: 2_000 };

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: rows have the shape that the query says
  rows: any[];
  /** Rows affected by a change. */
  rowCount: number | null;
  /** The command tag: `INSERT`, `COMMIT`, `ROLLBACK` … */
  command: string;
}

const INT8_OID = 20;

/** Parses 64-bit integers as numbers, because none of ours exceeds 2^53. Other types use pg's parsers. */
const types = {
  // biome-ignore lint/suspicious/noExplicitAny: the signature is pg's
  getTypeParser: (oid: number, format?: any): any =>
    oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format),
};

/** A client's socket, which pg's types do not expose. */
interface Stream {
  cork(): void;
  uncork(): void;
  destroy(): void;
}

/**
 * Runs a query through pg's callback API. pg's own promises form a chain: once one of them is in V8's old
 * generation, the rows of all later responses are promoted as well, and only a slow major garbage collection
 * frees them.
 */
const answerOf = (client: pg.Client, config: pg.QueryConfig): Promise<Result> =>
  new Promise((resolve, reject) => {
    client.query(config, (error: Error | undefined, result: Result) => {
      if (error) reject(error);
      else resolve(result);
    });
  });

/**
 * Increases when the schema changes under prepared statements. It is part of their names, so they are all
 * prepared again on every connection.
 */
let generation = 0;

/**
 * A single connection. Statements are pipelined (PostgreSQL's manual, 55.2.4): each is sent without waiting
 * for earlier responses, with its own Sync. Statements from one turn of the event loop are sent in one
 * packet.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  #session: Session | undefined;
  readonly #figures: Figures;
  /** The number of statements that have no response yet. */
  inFlight = 0;
  /** Set once the connection is unusable. */
  lost = false;
  #lastAnswer = 0;
  #suspectedAt = -1;
  #corked: Stream | undefined;
  #onLost: () => void = () => {};

  private constructor(client: pg.Client, figures: Figures) {
    this.#client = client;
    this.#figures = figures;
  }

  /** Connects to a primary. Throws `ConnectionLost`, or `StorageError` if retrying would not help. */
  static async open(
    url: string,
    figures: Figures = noFigures(),
    name = 'palaver',
  ): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: timeoutsMs.connect,
      types,
    } as pg.ClientConfig);
    const connection = new PostgresConnection(client, figures);
    // Without a listener, a lost connection would crash the process.
    client.on('error', () => connection.#lose());
    client.on('end', () => connection.#lose());
    try {
      await client.connect().catch((error) => {
        throw nameError(error);
      });
      const session = await connection.#inTime(beginSession(client));
      // Rejects a standby: reads from it could be stale. If it were promoted, the connection would stay open,
      // and the new timeline would go unnoticed.
      if (session.isStandby) {
        throw new ConnectionLost(
          'PostgreSQL cannot be reached: the server is a standby, which accepts no writes',
        );
      }
      connection.#session = session;
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    return connection;
  }

  /** Identifies the database, like `Db.place`, for this connection's server. */
  get place(): string {
    return (this.#session as Session).place;
  }

  /** The pid of the PostgreSQL backend; undefined if unknown. */
  get pid(): number | undefined {
    return this.#session?.pid;
  }

  /** Whether the connection goes through a connection pooler. */
  get isPooled(): boolean {
    const { processID } = this.#client as unknown as { processID: number };
    return this.pid !== undefined && this.pid !== processID;
  }

  /**
   * Returns the pid of the backend that currently serves the connection. The statement is not prepared,
   * because some poolers do not support prepared statements.
   */
  async backend(): Promise<number> {
    try {
      return (await this.#client.query('select pg_backend_pid() as pid')).rows[0].pid;
    } catch (error) {
      throw nameError(error);
    }
  }

  /** Sets the callback that runs once the connection is lost, or immediately if it already is. */
  onLost(tell: () => void): void {
    this.#onLost = tell;
    if (this.lost) tell();
  }

  /** Runs a statement. Throws errors converted by `nameError`. */
  async query({ compiled: { name, text }, values }: Bound): Promise<Result> {
    if (this.lost) throw new ConnectionLost('PostgreSQL cannot be reached: the connection was lost');
    this.#cork();
    const started = performance.now();
    if (this.inFlight++ === 0) this.#lastAnswer = started;
    const prepared = generation;
    try {
      const config = { ...(name !== undefined && { name: `${name}.${prepared}` }), text, values };
      return await answerOf(this.#client, config);
    } catch (error) {
      const named = nameError(error);
      if (named instanceof ConnectionLost) this.#lose();
      if (named instanceof StalePlan && prepared === generation) generation++;
      throw named;
    } finally {
      this.inFlight--;
      this.#lastAnswer = performance.now();
      this.#figures.statements++;
      this.#figures.statementSeconds += (this.#lastAnswer - started) / 1000;
    }
  }

  /** Runs SQL text with one or more statements without parameters. Throws errors converted by `nameError`. */
  async exec(sql: string): Promise<void> {
    try {
      await this.#client.query(sql);
    } catch (error) {
      throw nameError(error);
    }
  }

  /**
   * Whether a response has been missing for longer than any statement may take, which means that the server
   * is gone.
   */
  isStalled(): boolean {
    return this.#hasWaited(STATEMENT_TIMEOUT_MS + LOCK_TIMEOUT_MS);
  }

  /** Whether a response is late, because either the statement is slow or the server is gone. */
  isSilent(): boolean {
    return this.#hasWaited(timeoutsMs.silence);
  }

  /**
   * Call this if PostgreSQL reports the backend as idle although a response is late. The second consecutive
   * call drops the connection.
   */
  suspect(): void {
    if (this.#suspectedAt === this.#lastAnswer) this.drop();
    this.#suspectedAt = this.#lastAnswer;
  }

  #hasWaited(ms: number): boolean {
    return this.inFlight > 0 && performance.now() - this.#lastAnswer > ms;
  }

  /** Runs a fast statement. Drops the connection if there is no response within `timeoutsMs.silence`. */
  probe(bound: Bound): Promise<Result> {
    return this.#inTime(this.query(bound));
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => this.drop(), timeoutsMs.silence);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Drops the connection. Statements in flight throw `ConnectionLost`. */
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

  /**
   * Corks the socket until the end of this turn of the event loop, so that the turn's statements are sent in
   * one write.
   */
  #cork(): void {
    if (this.#corked) return;
    const stream = this.#stream;
    stream.cork();
    this.#corked = stream;
    afterTurn(() => {
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
