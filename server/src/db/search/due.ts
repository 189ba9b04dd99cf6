import { sql } from 'kysely';
import { prepare, q } from '../statements.ts';
import { FAN_IN, LAST_LEVEL } from './build.ts';
import { s } from './tables.ts';
import type { Waiting } from './waiting.ts';

// Queries that find pending work for the indexer.

/** Whether a message is still the one that was read. */
export const isThere = ({ id, ord = 0 }: Waiting) =>
  q.selectFrom('message').select('id').where('id', '=', id).where('ord', '=', ord);

/** Finds blocks of one level and server that should be merged. */
export const crowded = prepare(() =>
  s
    .selectFrom('searchBlock')
    .select(['level', 'serverId'])
    .where('level', '<', sql.lit(LAST_LEVEL))
    .groupBy(['level', 'serverId'])
    .having(sql`count(*)`, '>=', sql.lit(FAN_IN))
    .limit(1),
);
export const ofLevel = prepare((p: { level: number; serverId: string }) =>
  s
    .selectFrom('searchBlock')
    .selectAll()
    .where('level', '=', p.level)
    .where('serverId', '=', p.serverId)
    .orderBy('first')
    .limit(FAN_IN),
);
export const firstStale = prepare(() =>
  s.selectFrom('searchBlock').selectAll().where('stale', '=', sql.lit(true)).orderBy('id').limit(1),
)({});
