import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader, Reads } from '../db/contract.ts';
import { prepare, q } from '../db/statements.ts';
import { fillMeta } from './appMeta.ts';
import { newMessage } from './contentRows.ts';
import type { Contents } from './contents.ts';
import type { LogPosition } from './eventId.ts';
import { sightTypes } from './log.ts';
import type { EventRow } from './logged.ts';

/** Maximum events scanned by one filtered read, which takes about two milliseconds on the embedded engine. */
const SPAN_EVENTS = 2_000;
/**
 * Events with data larger than this, in bytes, are read one at a time, because a batch of 500 could total
 * hundreds of MB.
 */
const LARGE_DATA_BYTES = 16 * 1024;

/** Restricts the events of a reader to these types and this channel. An omitted field matches everything. */
export interface Filter {
  types?: ReadonlySet<string> | undefined;
  channelId?: string | undefined;
}

/** A row of a log. `data` is null if it is large, and `withData` then loads it. */
export type SpanRow = Omit<EventRow, 'data'> & { data: string | null; newMessage?: string | null };

const columns = [
  'logId',
  'seq',
  'type',
  'actorId',
  'actor',
  'channelId',
  'userId',
  'lostBy',
  'at',
  'metaOf',
  'contentOf',
  'version',
  'epoch',
] as const;
const smallData = sql<
  string | null
>`case when octet_length(data) < ${sql.lit(LARGE_DATA_BYTES)} then data end`.as('data');

/** The rows of a log after a sequence number, oldest first, including new messages in their current state. */
export const eventsAfter = prepare((p: { logId: string; after: number; limit: number }) =>
  q
    .selectFrom('event')
    .select([...columns, smallData, newMessage])
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

/** The rows of a log before a sequence number, newest first. */
const eventsBefore = prepare(rowsBefore);

const dataAt = prepare((p: { logId: string; seq: number }) =>
  q.selectFrom('event').select('data').where('logId', '=', p.logId).where('seq', '=', p.seq),
);

/** Whether the event may be large. If so, `withData` has to load it separately. */
export const isLarge = ({ data, metaOf }: SpanRow): boolean => data === null || metaOf !== null;

/**
 * Returns the row with its data and the content that the data references. Undefined if retention has removed
 * the event since the row was read.
 */
export async function withData(db: Reads, row: SpanRow, contents: Contents): Promise<EventRow | undefined> {
  const data = row.data ?? (await db.first(dataAt(row)))?.data;
  if (data === undefined) return undefined;
  const filled = await contents.fill({ ...row, data });
  return fillMeta(db, { ...row, ...filled });
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
 * Returns up to `limit` rows of a log after a position, from one snapshot. With a filter, scans a bounded
 * span of the log for rows that match, rows of `sightTypes`, and the span's last row; more events may
 * follow even if none matched. `place` is the position up to which the log was scanned.
 */
export async function readSpan(
  db: Reader,
  logId: string,
  after: LogPosition,
  filter: Filter,
  limit: number,
): Promise<{ rows: SpanRow[]; place: LogPosition }> {
  if (filter.types === undefined && filter.channelId === undefined) {
    const rows: SpanRow[] = await db.all(eventsAfter({ logId, after: after.seq, limit }));
    return { rows, place: rows.at(-1) ?? after };
  }
  return db.inTurn(async (db) => {
    // The next number may be greater than `after` plus one, because retention may have removed the events
    // right after `after`.
    const next = await db.first(nextSeq({ logId, after: after.seq }));
    if (!next) return { rows: [], place: after };
    const lastSeq = next.seq + SPAN_EVENTS - 1;
    // A single statement finds the matches and the last row of the span. A second statement might see newer
    // events.
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
    // Retention may have just removed the whole span.
    return { rows, place: rows.at(-1) ?? after };
  });
}

/**
 * Returns up to `limit` rows of a log before a sequence number, newest first, from one snapshot. With a
 * filter, scans a bounded span for rows that match and for the span's first row. Empty at the beginning of
 * the log.
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

/**
 * Filters by type instead of by `lostBy`: SQLite stores `lostBy` after `data` and would have to read all of a
 * large `data` to reach it.
 */
const inTypes = (types: Iterable<string>): Expression<SqlBool> =>
  sql<SqlBool>`type in (${sql.join([...types])})`;

function matching({ types, channelId }: Filter): Expression<SqlBool> {
  const all: Expression<SqlBool>[] = [];
  if (types) all.push(inTypes(types));
  if (channelId !== undefined) all.push(sql<SqlBool>`"channelId" = ${channelId}`);
  return sql<SqlBool>`(${sql.join(all, sql` and `)})`;
}
