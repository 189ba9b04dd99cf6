import { ask } from '../test/support/databases.ts';
import { cpuOfGroup } from './processes.ts';

/** CPU seconds used by all processes of a PostgreSQL server. */
export async function cpuOfPostgres(url: string): Promise<number> {
  const [row] = await ask<{ pid: number }>(
    url,
    `select pid from pg_stat_activity where backend_type = 'checkpointer'`,
  );
  return cpuOfGroup((row as { pid: number }).pid);
}

/**
 * The number of transactions in a database so far, as counted by PostgreSQL, including those from outside the pool.
 */
export async function commitsOf(database: string): Promise<number> {
  const [row] = await ask<{ commits: string }>(
    database,
    'select xact_commit + xact_rollback as commits from pg_stat_database where datname = current_database()',
  );
  return Number((row as { commits: string }).commits);
}
