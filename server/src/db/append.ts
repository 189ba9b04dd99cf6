import { sql } from 'kysely';
import type { NewRow } from './schema.ts';
import { prepare, q } from './statements.ts';

/**
 * Appends an event to its log. The statement itself sets `seq` (the log's latest number plus one) and
 * `epoch` (a setting).
 */
export const append = prepare((p: Omit<NewRow<'event'>, 'seq' | 'ord' | 'epoch'>) =>
  q.insertInto('event').values((eb) => ({
    logId: p.logId,
    type: p.type,
    actorId: p.actorId,
    actor: p.actor,
    channelId: p.channelId,
    userId: p.userId,
    lostBy: p.lostBy,
    at: p.at,
    data: p.data,
    metaOf: p.metaOf,
    contentOf: p.contentOf,
    version: p.version,
    epoch: eb.selectFrom('setting').select('value').where('name', '=', sql.lit('epoch')),
    seq: eb
      .selectFrom('event as latest')
      .select((latest) =>
        latest(latest.fn.coalesce(latest.fn.max('latest.seq'), latest.lit(0)), '+', latest.lit(1)).as('seq'),
      )
      .where('latest.logId', '=', p.logId),
  })),
);
