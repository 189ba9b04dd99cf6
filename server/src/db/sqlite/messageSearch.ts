import { cpuMs } from '../../lib/cpu.ts';
import {
  type JsonRows,
  MAX_PAGE_BYTES,
  type MessageSearch,
  type Order,
  type Reads,
  type Runnable,
  type SearchPage,
} from '../contract.ts';
import { joined } from '../joined.ts';
import { parseSearch } from '../searchTerms.ts';
import { lookInTurns, matchesAmong, PAGE_MS, type RunInTurn } from './chunks.ts';
import { matcherOf, matchOf, termsOf } from './messageIndex.ts';
import {
  atOrAfter,
  atOrBefore,
  blocksOf,
  edgeOfTexts,
  type Found,
  firstBeyond,
  foundIn,
  idAfter,
  idBefore,
  MAX_CHUNKS,
  newestMessage,
  progress,
  recordsOf,
  textsIn,
} from './messageRows.ts';

/** Chunks that a page always processes: a slow moment of the machine should not shorten it. */
const MIN_CHUNKS = 4;

/**
 * The matches in one part of the messages; all come after those in the previous chunk. `after` is where a
 * page after this part starts: an id in the channel, or the `ord` of any message; undefined after the last
 * text.
 */
type Chunk =
  | { match: string; after: number }
  | {
      /** The `ord` of each message whose text matches. */
      ords: readonly number[];
      after: string | undefined;
    };

/** Searches a channel's messages, chunk by chunk (`messageIndex.ts`). */
export async function searchPage(
  db: Reads,
  runInTurn: RunInTurn,
  search: MessageSearch,
): Promise<SearchPage> {
  const { channelId, order, limit, from } = search;
  const terms = termsOf(parseSearch(search.text));
  const newest = await db.first(newestMessage({}));
  if (!terms || !newest) return { json: new Uint8Array(), next: undefined };
  const isDown = order === 'desc';
  const ofId = isDown ? atOrBefore : atOrAfter;
  const found = from === undefined ? undefined : (await db.first(ofId({ id: from })))?.ord;
  const start = found ?? (from === undefined ? (isDown ? newest.ord : 1) : isDown ? 0 : newest.ord + 1);
  const { ord: indexed } = (await db.first(progress({}))) as { ord: number };
  const chunks = chunksOf(db, search, terms, { start, indexed, newest: newest.id });

  const pages: Uint8Array[] = [];
  let left = limit;
  let room = MAX_PAGE_BYTES;
  let next: string | number | undefined;
  let looked = 0;
  let spent = 0;
  /** Adds the next chunk to the page. Returns false if the page ends with this chunk. */
  const lookOn = async (): Promise<boolean> => {
    const began = cpuMs();
    const { value: chunk, done } = await chunks.next();
    if (done) return false;
    const query = recordsIn(search, chunk, { start, indexed, rows: (room > 0 ? left : 0) + 1 });
    const { json, count, beyond } = query ? await pageIn(db, query, order, room > 0 ? left : 0, room) : none;
    if (count > 0) pages.push(json);
    left -= count;
    room -= json.length;
    looked++;
    spent += cpuMs() - began;
    const isLate = looked >= MIN_CHUNKS && spent > PAGE_MS;
    next = beyond ?? (isLate || looked === MAX_CHUNKS ? chunk.after : undefined);
    return next === undefined;
  };
  await lookInTurns(runInTurn, lookOn);
  const json = joined(pages);
  if (typeof next !== 'number') return { json, next };
  return { json, next: (await db.first((isDown ? idBefore : idAfter)({ channelId, ord: next })))?.id };
}

const none: JsonRows = { json: new Uint8Array(), count: 0, beyond: null };

/** The query for a chunk's records; undefined if there are none. */
function recordsIn(
  search: MessageSearch,
  chunk: Chunk,
  page: Pick<Found, 'start' | 'indexed' | 'rows'>,
): Runnable<{ ord: number }> | undefined {
  const { order } = search;
  if ('match' in chunk) {
    return foundIn[order]({ ...search, ...page, match: chunk.match, inSight: !search.isSweeping });
  }
  const { ords } = chunk;
  return ords.length === 0 ? undefined : recordsOf[order]({ ords: JSON.stringify(ords), rows: page.rows });
}

/**
 * The first `limit` records of a query, up to `maxBytes`. With a limit of 0, only checks whether there are
 * any.
 */
async function pageIn(
  db: Reads,
  query: Runnable<{ ord: number }>,
  order: Order,
  limit: number,
  maxBytes: number,
): Promise<JsonRows> {
  if (limit > 0) return db.json(query, 'ord', order, limit, maxBytes);
  return { ...none, beyond: (await db.first(query))?.ord ?? null };
}

type Terms = NonNullable<ReturnType<typeof termsOf>>;

/**
 * The chunks from `start` on. Unindexed messages, up to the id `newest`, come first or last depending on
 * the order.
 */
async function* chunksOf(
  db: Reads,
  search: MessageSearch,
  terms: Terms,
  { start, indexed, newest }: { start: number; indexed: number; newest: string },
): AsyncGenerator<Chunk, undefined> {
  const { channelId, order } = search;
  const isDown = order === 'desc';
  if (isDown) yield* textChunks(db, search, terms, indexed, newest);
  const blocks = await db.all(blocksOf(channelId, order, Math.min(start, indexed)));
  for (const [index, { block }] of blocks.entries()) {
    const after = isDown ? block - 1 : (blocks[index + 1]?.block ?? indexed + 1);
    yield { match: matchOf(terms, channelId, block), after };
  }
  if (!isDown) yield* textChunks(db, search, terms, indexed, newest);
  return undefined;
}

/** The matches among messages that are not in the index, found by scanning their texts. */
async function* textChunks(
  db: Reads,
  search: MessageSearch,
  terms: Terms,
  indexed: number,
  newest: string,
): AsyncGenerator<Chunk> {
  const { channelId, order, from } = search;
  const isDown = order === 'desc';
  const matches = matcherOf(terms);
  const fresh = await db.first(firstBeyond({ indexed }));
  if (!fresh) return;
  let first = !isDown && from !== undefined && from > fresh.id ? from : fresh.id;
  let last = isDown && from !== undefined && from < newest ? from : newest;
  for (let next: string | undefined; first <= last; ) {
    const [edge, beyond] = await db.all(edgeOfTexts[order]({ channelId, first, last }));
    const range = isDown ? { first: edge?.id ?? first, last } : { first, last: edge?.id ?? last };
    const texts = await db.all(textsIn[order]({ ...search, ...range, indexed, inSight: !search.isSweeping }));
    const { ords, rest } = matchesAmong(texts, matches);
    next = (rest ?? beyond)?.id;
    yield { ords, after: next };
    if (next === undefined) return;
    if (isDown) last = next;
    else first = next;
  }
}
