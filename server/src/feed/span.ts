import type { Expression, SqlBool } from 'kysely';
import type { Reader, Reads } from '../db/contract.ts';
import { sql } from '../db/kysely.ts';
import { prepare, q } from '../db/statements.ts';
import { fillMeta } from './appMeta.ts';
import type { EventPlace } from './eventId.ts';
import { sightTypes } from './log.ts';
import type { EventRow } from './logged.ts';

/** Events that one read with a filter looks at, at most: about two milliseconds of the embedded engine. */
const SPAN_EVENTS = 2_000;
/** Data of this size in bytes are read one by one, since 500 large ones would have hundreds of MB. */
const LARGE_DATA_BYTES = 16 * 1024;

/** A reader gets only events of these types and of this channel. A filter that is left out matches all. */
export interface Filter {
  types?: ReadonlySet<string> | undefined;
  channelId?: string | undefined;
}

/** A row of a log; `data` is null if it is large. Read all of a row with `withData`. */
export type SpanRow = Omit<EventRow, 'data'> & { data: string | null };

const columns = [
  'logId',
  'seq',
  'type',
  'actorId',
  'channelId',
  'userId',
  'lostBy',
  'at',
  'metaOf',
  'epoch',
] as const;
const smallData = sql<
  string | null
>`case when octet_length(data) < ${sql.lit(LARGE_DATA_BYTES)} then data end`.as('data');

/** The rows of a log after a number, oldest first. */
export const eventsAfter = prepare((p: { logId: string; after: number; limit: number }) =>
  q
    .selectFrom('event')
    .select([...columns, smallData])
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .orderBy('seq')
    .limit(p.limit),
);

const rowsBefore = (p: { logId: string; before: number; limit: number }) =>
  q
    .selectFrom('event')
    .select([...columns, smallData])
    .where('logId', '=', p.logId)
    .where('seq', '<', p.before)
    .orderBy('seq', 'desc')
    .limit(p.limit);

/** The rows of a log before a number, newest first. */
const eventsBefore = prepare(rowsBefore);

const dataAt = prepare((p: { logId: string; seq: number }) =>
  q.selectFrom('event').select('data').where('logId', '=', p.logId).where('seq', '=', p.seq),
);

/** True if the event may be large: `withData` reads it by itself. */
export const isLarge = ({ data, metaOf }: SpanRow): boolean => data === null || metaOf !== null;

/** A row with all its data. Undefined if the event was forgotten since. */
export async function withData(db: Reads, row: SpanRow): Promise<EventRow | undefined> {
  const data = row.data ?? (await db.first(dataAt(row)))?.data;
  return data === undefined ? undefined : fillMeta(db, { ...row, data });
}

const nextSeq = prepare((p: { logId: string; after: number }) =>
  q
    .selectFrom('event')
    .select('seq')
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .orderBy('seq')
    .limit(1),
);

/**
 * Up to `limit` rows of a log after a place, as of one moment. With a filter these are, of a bounded span of the log, the rows
 * that match, those of `sightTypes`, and its last one: more events may follow although none matched. `place` is the place
 * up to which the log was looked through.
 */
export async function readSpan(
  db: Reader,
  logId: string,
  after: EventPlace,
  filter: Filter,
  limit: number,
): Promise<{ rows: SpanRow[]; place: EventPlace }> {
  if (filter.types === undefined && filter.channelId === undefined) {
    const rows: SpanRow[] = await db.all(eventsAfter({ logId, after: after.seq, limit }));
    return { rows, place: rows.at(-1) ?? after };
  }
  return db.inTurn(async (db) => {
    // Not simply the number after `after`: events may have been forgotten meanwhile.
    const next = await db.first(nextSeq({ logId, after: after.seq }));
    if (!next) return { rows: [], place: after };
    const lastSeq = next.seq + SPAN_EVENTS - 1;
    // With the last row of the span, by one statement: a second one might see events that the first has not.
    const last = q
      .selectFrom('event')
      .select((eb) => eb.fn.max('seq').as('seq'))
      .where('logId', '=', logId)
      .where('seq', '<=', lastSeq);
    const span = q
      .selectFrom('event')
      .select([...columns, smallData])
      .where('logId', '=', logId)
      .where('seq', '>=', next.seq)
      .where('seq', '<=', lastSeq)
      .where((eb) => eb.or([matching(filter), inTypes(sightTypes), eb('seq', '=', last)]))
      .orderBy('seq')
      .limit(limit);
    const rows = await db.all(span);
    // Without a row, the span was forgotten just now.
    return { rows, place: rows.at(-1) ?? after };
  });
}

/**
 * Up to `limit` rows of a log before a number, newest first, as of one moment. With a filter these are, of a bounded span of the log, the
 * rows that match, and its first one. None at the beginning of the log.
 */
export function readSpanBefore(
  db: Reader,
  logId: string,
  before: number,
  filter: Filter,
  limit: number,
): Promise<SpanRow[]> {
  if (filter.types === undefined && filter.channelId === undefined)
    return db.all(eventsBefore({ logId, before, limit }));
  const firstSeq = before - SPAN_EVENTS;
  const first = q
    .selectFrom('event')
    .select((eb) => eb.fn.min('seq').as('seq'))
    .where('logId', '=', logId)
    .where('seq', '>=', firstSeq)
    .where('seq', '<', before);
  const span = rowsBefore({ logId, before, limit })
    .where('seq', '>=', firstSeq)
    .where((eb) => eb.or([matching(filter), eb('seq', '=', first)]));
  return db.inTurn((db) => db.all(span));
}

/** SQLite would read all of a large `data` to look at `lostBy`, which is stored behind it: hence `sightTypes`, by type. */
const inTypes = (types: Iterable<string>): Expression<SqlBool> =>
  sql<SqlBool>`type in (${sql.join([...types])})`;

function matching({ types, channelId }: Filter): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = [];
  if (types) all.push(inTypes(types));
  if (channelId !== undefined) all.push(sql<SqlBool>`"channelId" = ${channelId}`);
  return sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}
