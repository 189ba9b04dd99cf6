import { sql } from 'kysely';
import type { NewRow } from './schema.ts';
import { prepare, q } from './statements.ts';

/** Adds a row to the event log, with the number after the latest of its server, and the epoch of the data. */
export const append = prepare((p: Omit<NewRow<'event'>, 'seq' | 'ord' | 'epoch'>) =>
  q.insertInto('event').values((eb) => ({
    serverId: p.serverId,
    type: p.type,
    actorId: p.actorId,
    channelId: p.channelId,
    at: p.at,
    data: p.data,
    epoch: eb.selectFrom('setting').select('value').where('name', '=', sql.lit('epoch')),
    seq: eb
      .selectFrom('event as latest')
      .select((latest) =>
        latest(latest.fn.coalesce(latest.fn.max('latest.seq'), latest.lit(0)), '+', latest.lit(1)).as('seq'),
      )
      .where('latest.serverId', '=', p.serverId),
  })),
);
