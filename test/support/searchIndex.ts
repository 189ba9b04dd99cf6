import type { PostgresDb } from '../../server/src/db/postgres/index.ts';
import type { MessageIndexer } from '../../server/src/db/search/indexer.ts';
import type { SqliteDb } from '../../server/src/db/sqlite/index.ts';
import type { World } from './world.ts';

/** The indexer that fills the message index of a world's database. */
export const indexerOf = ({ data }: Pick<World, 'data'>): MessageIndexer =>
  (data.db as SqliteDb | PostgresDb).indexer;
