import { StorageError } from '../contract.ts';
import { PostgresConnection } from './connection.ts';

/** Comparisons before two connections count as two sessions. */
const ROUNDS = 10;

/**
 * Throws `StorageError` if a pooler between gives connections no session of their own: settings of a session and the
 * locks that tell how many nodes there are would belong to whoever comes next. Such a pooler serves two idle connections
 * by the same process of PostgreSQL, or one by several.
 */
export async function requireOwnSessions(connection: PostgresConnection, url: string): Promise<void> {
  if (!connection.isPooled) return;
  const other = await PostgresConnection.open(url);
  try {
    const first = await connection.backend();
    for (let round = 0; round < ROUNDS; round++) {
      if ((await other.backend()) === first || (await connection.backend()) !== first) {
        throw new StorageError(
          'the pooler in front of PostgreSQL shares sessions between connections: give it pool_mode = session',
        );
      }
    }
  } finally {
    await other.close();
  }
}
