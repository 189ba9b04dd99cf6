import type pg from 'pg';
import { nameError } from './errors.ts';

/** Timeouts for a statement and for acquiring a lock, in milliseconds. */
export const STATEMENT_TIMEOUT_MS = 30_000;
export const LOCK_TIMEOUT_MS = 3_000;

/**
 * Session settings, applied after connecting because a pooler may reject them earlier. The transaction of a
 * suspended node is ended after two seconds, so that its locks no longer block others. A healthy node
 * continues its transaction within milliseconds.
 */
const settings = {
  // A generic plan does not know the value of LIMIT and may read all of a large channel. Planning every time
  // is cheaper.
  plan_cache_mode: 'force_custom_plan',
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: 2_000,
  // Protects against a node that stops reading responses, because the statement that sends them cannot be
  // cancelled.
  tcp_user_timeout: 3_000,
  // These protect against a node whose machine is unreachable. The first two are in seconds; the third is a
  // number of probes.
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 3,
};

const sets = Object.entries(settings).map(([name, value]) => `set ${name} = '${value}'`);

/** Each query is a separate statement, because not every database supports all of them. */
const questions = {
  pid: 'select pg_backend_pid() as answer',
  isStandby: 'select pg_is_in_recovery() as answer',
  system: 'select system_identifier::text as answer from pg_control_system()',
  // A promoted standby starts a new timeline. `pg_control_checkpoint` shows it only after a checkpoint.
  timeline: `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as answer`,
  database: 'select oid as answer from pg_database where datname = current_database()',
};

/**
 * Error codes that mean that a function or setting does not exist, is not permitted, or is not available at
 * the moment, for example on a standby.
 */
const lacking: ReadonlySet<string | undefined> = new Set(['42883', '42704', '42501', '0A000', '55000']);

/** Facts about the server's side of a connection. */
export interface Session {
  /** The pid of the backend; undefined if unknown. */
  pid: number | undefined;
  isStandby: boolean;
  /** Like `Db.place`. It does not change during the session, except on a standby. */
  place: string;
}

/**
 * Applies `settings` to a new session and identifies it. Takes one round trip, or two if a setting is
 * unknown and has to be skipped. Throws errors converted by `nameError`.
 */
export async function beginSession(client: pg.Client): Promise<Session> {
  const ask = async (question: string) => {
    try {
      return (await client.query(question)).rows?.[0]?.answer;
    } catch (error) {
      if (lacking.has((error as { code?: string }).code)) return undefined;
      throw nameError(error);
    }
  };
  const setAll = async () => {
    try {
      await client.query(sets.join('; '));
    } catch {
      await Promise.all(sets.map(ask));
    }
  };
  const answers = Promise.all(Object.values(questions).map(ask));
  const [[pid, isStandby, system, timeline, database]] = await Promise.all([answers, setAll()]);
  const place = `system ${system ?? '-'}, timeline ${timeline ?? '-'}, database ${database ?? '-'}`;
  return { pid, isStandby: isStandby === true, place };
}
