import type { Db } from '../contract.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database?sslmode=…`. */
  url: string;
  /** Connections at most. */
  connections: number;
}

export async function openPostgres(_options: PostgresOptions): Promise<Db> {
  throw new Error('not yet');
}
