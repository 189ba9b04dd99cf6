import { MAX_PAGE_BYTES, type Reader } from '../../db/contract.ts';
import type { Examined } from '../../db/examined.ts';
import { prepareKnown } from '../../db/known.ts';
import { shownRecord } from '../../db/messageRecord.ts';
import { q } from '../../db/statements.ts';
import { isInSight } from '../../db/sweep.ts';
import { FIRST_ID, firstIdAt, idBefore, LAST_ID, timeOfId } from '../../lib/deps.ts';
import type { Page } from '../../operations/read.ts';

/**
 * Maximum number of messages that a page examines, their maximum total size in bytes, and the maximum number
 * of time spans.
 */
const MAX_EXAMINED = 2_000;
const MAX_BYTES = 4_000_000;
const MAX_SPANS = 20;
/** Number of messages per read. */
const BATCH = 200;
/**
 * The first time span, in ms. After a span with few messages, the next one is longer; after a full one, it is
 * shorter.
 */
const SPAN_MS = 6 * 60 * 60_000;
const FACTOR = 4;

interface Span {
  id: string;
  low: string;
  high: string;
}

/** Selects the latest messages of channels between two ids, both inclusive, using only an index. */
const latestBetween = prepareKnown<Span, { id: string }>({ id: 'uuid', low: 'uuid', high: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('message', (join) =>
      join
        .onRef('message.channelId', '=', 'known.id')
        .onRef('message.id', '>=', 'known.low')
        .onRef('message.id', '<=', 'known.high'),
    )
    .select('message.id')
    .orderBy('message.id', 'desc')
    .limit(BATCH),
);

const recordsOf = prepareKnown<{ id: string }, { id: string; record: string }>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('message', 'message.id', 'known.id')
    .select(['message.id', shownRecord])
    .where(isInSight)
    .orderBy('message.id', 'desc'),
);

/** The fields of a message's record that this read examines. */
type Row = Examined & { id: string; creatorId: string; type: string; isThreadReply: boolean };

/** The query, with all times and ids optional. */
interface Query {
  limit: number;
  creatorId?: string | undefined;
  type?: string | undefined;
  isThreadReply?: boolean | undefined;
  after?: number | undefined;
  before?: number | undefined;
}

/**
 * Returns a page of messages that match `isWanted`, across many channels, newest first. No index covers the
 * predicate, so time spans are examined one by one. The page ends early after `MAX_EXAMINED` messages,
 * `MAX_BYTES` or `MAX_SPANS`, and may then be short or empty even though there is a next page. The page
 * starts at id `from`.
 */
export async function examinedInServer(
  db: Reader,
  channelIds: readonly string[],
  query: Query,
  { isWanted, from, now }: { isWanted: (row: Examined) => boolean; from: string | undefined; now: number },
): Promise<Page> {
  const matches = testOf(query, isWanted);
  const floor = query.after === undefined ? FIRST_ID : firstIdAt(query.after + 1);
  let high = from ?? (query.before === undefined ? LAST_ID : idBefore(firstIdAt(query.before)));
  const records: object[] = [];
  let [span, left, room] = [SPAN_MS, MAX_BYTES, MAX_PAGE_BYTES];
  let examined = 0;
  for (let spans = 0; spans < MAX_SPANS && examined < MAX_EXAMINED && left > 0 && high >= floor; spans++) {
    const start = firstIdAt(Math.max(0, Math.min(timeOfId(high), now) - span));
    const low = start > floor ? start : floor;
    const { ids, rows } = await readBetween(db, channelIds, low, high);
    examined += ids.length;
    for (const record of rows) {
      left -= record.length;
      const row: Row = JSON.parse(record);
      if (!matches(row)) continue;
      room -= Buffer.byteLength(record);
      if (records.length === query.limit || (room < 0 && records.length > 0))
        return { records, next: [row.id] };
      records.push(row);
    }
    const isFull = ids.length === BATCH;
    high = idBefore(isFull ? (ids.at(-1) as string) : low);
    span = isFull ? span / FACTOR : span * FACTOR;
    if (!isFull && low === floor) return { records, next: null };
  }
  return { records, next: high >= floor ? [high] : null };
}

async function readBetween(db: Reader, channelIds: readonly string[], low: string, high: string) {
  const { dialect } = db;
  const ids = await db.all(
    latestBetween(
      dialect,
      channelIds.map((id) => ({ id, low, high })),
    ),
  );
  const rows = ids.length === 0 ? [] : await db.all(recordsOf(dialect, ids));
  return { ids: ids.map(({ id }) => id), rows: rows.map(({ record }) => record) };
}

const testOf =
  ({ creatorId, type, isThreadReply }: Query, isWanted: (row: Examined) => boolean) =>
  (row: Row): boolean =>
    (creatorId === undefined || row.creatorId === creatorId) &&
    (type === undefined || row.type === type) &&
    (isThreadReply === undefined || row.isThreadReply === isThreadReply) &&
    isWanted(row);
