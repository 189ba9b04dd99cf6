import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { FIRST_ID, LAST_ID } from '../../lib/deps.ts';
import {
  type JsonRows,
  MAX_PAGE_BYTES,
  type MessageSearch,
  type Reads,
  type Runnable,
  type SearchPage,
} from '../contract.ts';
import { joined } from '../joined.ts';
import { shownRecord } from '../messageRecord.ts';
import type { Tables } from '../schema.ts';
import { parseSearch, type Search } from '../searchTerms.ts';
import { q } from '../statements.ts';
import { isInSight } from '../sweep.ts';
import { matches } from './search.ts';

/** Maximum messages that a page scans: before it uses the index, and if the index returns too many hits. */
const FIRST_ROWS = 2_000;
const MAX_ROWS = 6_000;
/**
 * Words found in this many of the first messages are considered common, and the index is not used for them.
 */
const COMMON_ROWS = 100;

/** Reads a page with a time limit. Undefined if it timed out. */
export type ReadInTime = (
  query: Runnable<unknown>,
  key: string,
  limit: number,
  maxBytes: number,
) => Promise<JsonRows | undefined>;

/**
 * Searches a channel's messages. A GIN index returns all hits at once, whatever the limit: thousands of
 * rows for a common word. So a page first scans the newest messages, which is enough for a common word.
 * Then it queries the index with a time limit, which is enough for a rare word. Otherwise, it scans more
 * messages and ends early.
 */
export async function searchPage(
  db: Pick<Reads, 'first' | 'json'>,
  readInTime: ReadInTime,
  search: MessageSearch,
): Promise<SearchPage> {
  const { channelId, order, limit } = search;
  const parsed = parseSearch(search.text);
  const words = matches('message', channelId, parsed);
  const indexed = byIndex(channelId, parsed);
  const pages: Uint8Array[] = [];
  let left = limit;
  let room = MAX_PAGE_BYTES;
  let from = search.from ?? (order === 'desc' ? LAST_ID : FIRST_ID);
  const end = (next: string | number | null | undefined): SearchPage => ({
    json: joined(pages),
    next: next == null ? undefined : String(next),
  });
  for (const amount of [FIRST_ROWS, MAX_ROWS - FIRST_ROWS]) {
    const [page, edge] = await Promise.all([
      db.json(matching(rowsFrom(search, from).limit(amount), search, words, left), 'id', order, left, room),
      db.first(rowsFrom(search, from).clearSelect().select('id').offset(amount).limit(1)),
    ]);
    if (page.count > 0) pages.push(page.json);
    left -= page.count;
    room -= page.json.length;
    if (page.beyond !== null || !edge || left === 0 || room <= 0) return end(page.beyond ?? edge?.id);
    from = edge.id;
    if (amount !== FIRST_ROWS || !indexed) continue;
    if (isFiltered(search) && (await isCommon(db, search, words))) continue;
    const rest = await readInTime(matching(rowsFrom(search, from), search, indexed, left), 'id', left, room);
    if (!rest) continue;
    if (rest.count > 0) pages.push(rest.json);
    return end(rest.beyond);
  }
  return end(from);
}

/**
 * The condition for a search within `scopes` that uses the index. Only the phrases and the longest word are
 * looked up in the index, and the hits are compared with all terms. For a prefix, GIN collects the matching
 * messages of all channels before it checks the time limit again; for a word in every other one of a
 * million messages, that takes about 30 ms. Undefined if there are only single letters.
 */
export function byIndex(scopes: string | readonly string[], search: Search): RawBuilder<SqlBool> | undefined {
  const { words, phrases } = search;
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
  const asked = { words: longest.length > 1 ? [longest] : [], phrases };
  if (asked.words.length + phrases.length === 0) return undefined;
  return sql`${matches('message', scopes, asked)} and (${matches('message', [], search)}) is true`;
}

const isFiltered = ({ creatorId, type, isThreadReply, firstId, beyondId }: MessageSearch): boolean =>
  [creatorId, type, isThreadReply, firstId, beyondId].some((filter) => filter !== null);

/** Whether many of the first messages contain the words, which means that another condition excluded them. */
async function isCommon(
  db: Pick<Reads, 'first'>,
  search: MessageSearch,
  words: RawBuilder<SqlBool>,
): Promise<boolean> {
  const from = search.from ?? (search.order === 'desc' ? LAST_ID : FIRST_ID);
  const first = rowsFrom(search, from).limit(FIRST_ROWS).as('message');
  const found = q.selectFrom(first).select('message.id').where(words);
  return (await db.first(found.offset(COMMON_ROWS - 1).limit(1))) !== undefined;
}

/** The channel's messages from `from` (inclusive) on. */
function rowsFrom({ channelId, order }: MessageSearch, from: string) {
  const [first, last] = order === 'desc' ? [FIRST_ID, from] : [from, LAST_ID];
  return q
    .selectFrom('message')
    .select(['id', shownRecord, 'creatorId', 'type', 'isThreadReply', 'threadId', sql`words`.as('words')])
    .where((eb) => eb(eb.refTuple('channelId', 'id'), '>=', eb.tuple(channelId, first)))
    .where((eb) => eb(eb.refTuple('channelId', 'id'), '<=', eb.tuple(channelId, last)))
    .orderBy('channelId', order)
    .orderBy('id', order);
}

/**
 * Filters the rows by the search. If the rows have a limit, PostgreSQL reads them in order. Otherwise, it
 * may use the index, and the rows are sorted by an expression: without that, PostgreSQL might scan the
 * whole channel to get the order.
 */
function matching(
  of: ReturnType<typeof rowsFrom>,
  search: MessageSearch,
  words: RawBuilder<SqlBool>,
  limit: number,
) {
  const isWindow = of.toOperationNode().limit !== undefined;
  const { order } = search;
  const rows = q
    .selectFrom((isWindow ? of : of.clearOrderBy()).as('message'))
    .select(['message.id', 'message.record'])
    .where(words)
    .orderBy(isWindow ? sql`message.id` : sql`message.id::text`, order)
    .limit(limit + 1);
  return restricted(rows, search);
}

/** Restricts a query for messages to the search's conditions other than its text. */
export function restricted<R>(
  given: SelectQueryBuilder<Tables & { message: { words: unknown } }, 'message', R>,
  {
    creatorId,
    type,
    isThreadReply,
    firstId,
    beyondId,
    isSweeping,
  }: Omit<MessageSearch, 'channelId' | 'order'>,
) {
  let rows = given;
  if (creatorId !== null) rows = rows.where('message.creatorId', '=', creatorId);
  if (type !== null) rows = rows.where(sql<string>`message.type`, '=', type);
  if (isThreadReply !== null) rows = rows.where('message.isThreadReply', '=', isThreadReply);
  if (firstId !== null) rows = rows.where('message.id', '>=', firstId);
  if (beyondId !== null) rows = rows.where('message.id', '<', beyondId);
  return isSweeping ? rows.where(isInSight) : rows;
}
