import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { LAST_ID } from '../../lib/deps.ts';
import { MAX_PAGE_BYTES, type Reads, type SearchPage, type ServerSearch } from '../contract.ts';
import { joined } from '../joined.ts';
import { shownRecord } from '../messageRecord.ts';
import { parseSearch } from '../searchTerms.ts';
import { q } from '../statements.ts';
import { byIndex, type ReadInTime, restricted } from './messageSearch.ts';
import { matches } from './search.ts';

/** Maximum channels scanned per step: those with the newest messages. */
const MAX_CHANNELS = 64;
/** Approximate number of messages that each of a page's two steps scans, and the minimum per channel. */
const STEP_ROWS = [2_000, 4_000];
const MIN_CHANNEL_ROWS = 32;
/**
 * Maximum channels that an index query names. Naming fifty takes 30 ms, so for more channels, the query
 * also returns hits from other channels, which are filtered out.
 */
const MAX_NAMED_CHANNELS = 16;

/** A row of a derived table. */
const made = <R>(query: RawBuilder<unknown>) => sql<R>`(${query})`.as('found');

/** The ids of channels as a table `c`. */
const unnested = (channels: readonly string[]) => sql`unnest(cast(${`{${channels}}`} as uuid[])) as c(id)`;

/**
 * Messages in channel `c.id` from `from` (inclusive) on, newest first. Uses a range condition, so
 * PostgreSQL returns the rows in index order without sorting.
 */
const inChannel = (from: string) =>
  sql`from message m where m."channelId" >= c.id and (m."channelId", m.id) <= (c.id, cast(${from} as uuid))
    order by m."channelId" desc, m.id desc`;

/** The channels with the newest messages, each with its newest message. */
const newestIn = (channels: readonly string[], from: string) =>
  q
    .selectFrom(
      made<{ channelId: string; newest: string | null }>(
        sql`select c.id as "channelId", (select m.id ${inChannel(from)} limit 1) as newest from ${unnested(channels)}`,
      ),
    )
    .select(['channelId', 'newest'])
    .where('newest', 'is not', null)
    .orderBy('newest', 'desc')
    .limit(MAX_CHANNELS + 1);

/** The newest message beyond the first `rows` messages of each channel. */
const newestBehind = (channels: readonly string[], from: string, rows: number) =>
  q
    .selectFrom(
      made<{ id: string | null }>(
        sql`select (select m.id ${inChannel(from)} offset ${rows} limit 1) as id from ${unnested(channels)}`,
      ),
    )
    .select('id')
    .where('id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1);

/**
 * Searches messages in several channels, newest first, in the steps of `messageSearch.ts`: scan some
 * messages, for common words; query the index with a time limit; otherwise scan more messages. A step scans
 * the same number of messages in each of the channels with the newest messages, and ends at the point up to
 * which it has covered all channels.
 */
export async function searchServerPage(
  db: Pick<Reads, 'first' | 'all' | 'json'>,
  readInTime: ReadInTime,
  search: ServerSearch,
): Promise<SearchPage> {
  const { channelIds, limit } = search;
  const parsed = parseSearch(search.text);
  const words = byIndex(channelIds.length > MAX_NAMED_CHANNELS ? [] : channelIds, parsed);
  const pages: Uint8Array[] = [];
  let left = limit;
  let room = MAX_PAGE_BYTES;
  let from = search.from ?? LAST_ID;
  const end = (next: string | number | null | undefined): SearchPage => ({
    json: joined(pages),
    next: next == null ? undefined : String(next),
  });
  for (const [step, amount] of STEP_ROWS.entries()) {
    const newest = await db.all(newestIn(channelIds, from));
    if (newest.length === 0) return end(undefined);
    const channels = newest.slice(0, MAX_CHANNELS).map(({ channelId }) => channelId);
    const rows = Math.max(MIN_CHANNEL_ROWS, Math.floor(amount / channels.length));
    const behind = (await db.first(newestBehind(channels, from, rows)))?.id ?? '';
    const others = newest[MAX_CHANNELS]?.newest ?? '';
    const edge = behind > others ? behind : others;
    const page = await db.json(
      looking(search, matches('message', [], parsed), channels, { from, rows, edge, left }),
      'id',
      'desc',
      left,
      room,
    );
    if (page.count > 0) pages.push(page.json);
    left -= page.count;
    room -= page.json.length;
    if (page.beyond !== null || edge === '' || left === 0 || room <= 0)
      return end(page.beyond ?? (edge === '' ? undefined : edge));
    from = edge;
    if (step > 0 || !words) continue;
    const rest = await readInTime(indexed(search, words, { from, left }), 'id', left, room);
    if (!rest) continue;
    if (rest.count > 0) pages.push(rest.json);
    return end(rest.beyond);
  }
  return end(from);
}

/** The matches newer than `edge` among the first `rows` messages of each channel. */
function looking(
  search: ServerSearch,
  words: RawBuilder<SqlBool>,
  channels: readonly string[],
  { from, rows, edge, left }: { from: string; rows: number; edge: string; left: number },
) {
  const window = sql<never>`(select m.* from ${unnested(channels)} cross join lateral (select m.* ${inChannel(from)} limit ${rows}) m)`;
  const found = q
    .selectFrom(window.as('message') as unknown as 'message')
    .select(['message.id', shownRecord])
    .where(words)
    .$if(edge !== '', (some) => some.where('message.id', '>', edge))
    .orderBy('message.id', 'desc')
    .limit(left + 1);
  return restricted(found as never, search);
}

/** The matches from `from` on, found by index. They are sorted by an expression, as in `messageSearch.ts`. */
function indexed(
  search: ServerSearch,
  words: RawBuilder<SqlBool>,
  { from, left }: { from: string; left: number },
) {
  const found = q
    .selectFrom('message')
    .select(['message.id', shownRecord])
    .where(words)
    .where(sql<boolean>`message."channelId" = any(cast(${`{${search.channelIds}}`} as uuid[]))`)
    .where('message.id', '<=', from)
    .orderBy(sql`message.id::text`, 'desc')
    .limit(left + 1);
  return restricted(found as never, search);
}
