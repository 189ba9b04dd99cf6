import { StorageError } from '../contract.ts';
import { PostgresConnection } from './connection.ts';

/** Number of comparisons before two connections are considered separate sessions. */
const ROUNDS = 10;

/**
 * Throws `StorageError` if a pooler in front of PostgreSQL does not give each connection its own session.
 * Session settings, and the advisory locks that count nodes, would leak to other clients. Such a pooler uses
 * the same backend for two idle connections, or several backends for one connection.
 */
export async function requireOwnSessions(connection: PostgresConnection, url: string): Promise<void> {
  if (!connection.isPooled) return;
  const other = await PostgresConnection.open(url);
  try {
    const first = await connection.backend();
    for (let round = 0; round < ROUNDS; round++) {
      if ((await other.backend()) === first || (await connection.backend()) !== first) {
        throw new StorageError(
          'the pooler in front of PostgreSQL shares sessions between connections: set pool_mode = session',
        );
      }
    }
  } finally {
    await other.close();
  }
}
