import pg from 'pg';
import { type Figures, noFigures } from '../contract.ts';
import type { Bound } from './compile.ts';
import { ConnectionLost, nameError } from './errors.ts';

/** How long a connection may take to be made, and a statement, a lock, a silent transaction, in milliseconds. */
const timeouts = { connect: 3_000, silence: 2_000, lock: 5_000, idle: 15_000, statement: 30_000 };

export interface Result {
  // biome-ignore lint/suspicious/noExplicitAny: rows have the shape that the query says
  rows: any[];
  /** Rows that a change touched. */
  rowCount: number | null;
  /** What was done: `INSERT`, `COMMIT`, `ROLLBACK` … */
  command: string;
}

const INT8 = 20;

/** Numbers of 64 bits as numbers: none of ours is beyond 2^53. The rest as pg has it. */
const types = {
  // biome-ignore lint/suspicious/noExplicitAny: the signature is pg's
  getTypeParser: (oid: number, format?: any): any =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format),
};

/** The socket of a client: pg gives no other way to it. */
interface Stream {
  cork(): void;
  uncork(): void;
  destroy(): void;
}

/**
 * One connection. Statements are sent as they come, without waiting for the answers of those before (the protocol's
 * pipelining, PostgreSQL 55.2.4), each with a Sync of its own; those of one turn of the event loop in one packet.
 */
export class PostgresConnection {
  readonly #client: pg.Client;
  readonly #figures: Figures;
  /** Statements that have not been answered yet. */
  inFlight = 0;
  /** Set once the connection cannot be used any more. */
  lost = false;
  #lastAnswer = 0;
  #corked: Stream | undefined;
  #onLost: () => void = () => {};

  private constructor(client: pg.Client, figures: Figures) {
    this.#client = client;
    this.#figures = figures;
  }

  /** Connects. Throws `ConnectionLost`, or `StorageError` where trying again would not help. */
  static async open(url: string, figures: Figures = noFigures()): Promise<PostgresConnection> {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'palaver',
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: timeouts.connect,
      statement_timeout: timeouts.statement,
      lock_timeout: timeouts.lock,
      idle_in_transaction_session_timeout: timeouts.idle,
      // A plan that knows no limit reads a large channel as a whole; planning anew costs less than it saves.
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

  /** Sets what is called once when the connection is lost. */
  onLost(tell: () => void): void {
    this.#onLost = tell;
  }

  /** Sends a statement. Throws as `nameError` names it. */
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

  /** Runs statements given as text, several at once, without parameters. */
  async exec(sql: string): Promise<void> {
    try {
      await this.#client.query(sql);
    } catch (error) {
      throw nameError(error);
    }
  }

  /** True if something is under way and nothing was answered for longer than a statement may take: nobody is there. */
  isStalled(): boolean {
    return this.#hasWaited(timeouts.statement + timeouts.lock);
  }

  /** True if an answer is late: something slow is under way, or nobody is there. */
  isSilent(): boolean {
    return this.#hasWaited(timeouts.silence);
  }

  #hasWaited(ms: number): boolean {
    return this.inFlight > 0 && performance.now() - this.#lastAnswer > ms;
  }

  /** Sends a statement that is answered at once where somebody is there; where nobody is, gives the connection up. */
  async probe(bound: Bound): Promise<Result> {
    const timer = setTimeout(() => this.drop(), timeouts.silence);
    try {
      return await this.query(bound);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Gives the connection up: whatever is under way throws `ConnectionLost`. */
  drop(): void {
    this.#stream.destroy();
    this.#lose();
  }

  /** Hangs up, whatever is under way. */
  async close(): Promise<void> {
    this.#onLost = () => {};
    this.lost = true;
    await this.#client.end().catch(() => {});
  }

  /** Holds back what is sent until this turn of the event loop has ended: many statements are then one write. */
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
