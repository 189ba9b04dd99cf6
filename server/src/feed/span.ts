import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import { fillMeta } from './appMeta.ts';
import type { EventPlace } from './eventId.ts';
import { sightTypes } from './log.ts';
import type { EventRow } from './logged.ts';

/** Events that one read with a filter looks at, at most: about two milliseconds of the embedded engine. */
const SPAN_EVENTS = 2_000;

/** A reader gets only events of these types and of this channel. A filter that is left out matches all. */
export interface Filter {
  types?: ReadonlySet<string> | undefined;
  channelId?: string | undefined;
}

const columns = [
  'logId',
  'seq',
  'type',
  'actorId',
  'channelId',
  'userId',
  'lostBy',
  'at',
  'data',
  'metaOf',
  'epoch',
] as const;

/** The rows of a log after a number. */
export const eventsAfter = prepare((p: { logId: string; after: number; limit: number }) =>
  q
    .selectFrom('event')
    .select(columns)
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .orderBy('seq')
    .limit(p.limit),
);

const nextSeq = prepare((p: { logId: string; after: number }) =>
  q
    .selectFrom('event')
    .select('seq')
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .orderBy('seq')
    .limit(1),
);

const lastUpTo = prepare((p: { logId: string; seq: number }) =>
  q
    .selectFrom('event')
    .select(['seq', 'epoch'])
    .where('logId', '=', p.logId)
    .where('seq', '<=', p.seq)
    .orderBy('seq', 'desc')
    .limit(1),
);

/**
 * Up to `limit` rows of a log after a place: those that match the filter, and those of `sightTypes`. `place` is the place up
 * to which the log was looked through. With a filter that is a bounded span of the log, so that there may be no rows, and
 * still more events.
 */
export async function readSpan(
  db: Reader,
  logId: string,
  after: EventPlace,
  filter: Filter,
  limit: number,
): Promise<{ rows: EventRow[]; place: EventPlace }> {
  if (filter.types === undefined && filter.channelId === undefined) {
    const rows: EventRow[] = await db.all(eventsAfter({ logId, after: after.seq, limit }));
    return { rows: await fillMeta(db, rows), place: rows.at(-1) ?? after };
  }
  return db.inTurn(async () => {
    // Not simply the number after `after`: events may have been forgotten meanwhile.
    const next = await db.first(nextSeq({ logId, after: after.seq }));
    if (!next) return { rows: [], place: after };
    const lastSeq = next.seq + SPAN_EVENTS - 1;
    const span = q
      .selectFrom('event')
      .select(columns)
      .where('logId', '=', logId)
      .where('seq', '>=', next.seq)
      .where('seq', '<=', lastSeq)
      .where(matching(filter))
      .orderBy('seq')
      .limit(limit);
    const [rows, last] = await Promise.all([db.all(span), db.first(lastUpTo({ logId, seq: lastSeq }))]);
    // Without a last event, the span was forgotten just now.
    return { rows: await fillMeta(db, rows), place: (rows.length === limit ? rows.at(-1) : last) ?? after };
  });
}

/** SQLite would read all of a large `data` to look at `lostBy`, which is stored behind it, hence by type. */
function matching({ types, channelId }: Filter): Expression<SqlBool> {
  const listOf = (names: Iterable<string>) => sql`type in (${sql.join([...names])})`;
  const all: Expression<SqlBool>[] = [];
  if (types) all.push(sql<SqlBool>`${listOf(types)}`);
  if (channelId !== undefined) all.push(sql<SqlBool>`"channelId" = ${channelId}`);
  return sql<SqlBool>`((${sql.join(all, sql` and `)}) or ${listOf(sightTypes)})`;
}
