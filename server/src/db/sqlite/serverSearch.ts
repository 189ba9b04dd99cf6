import { type SqlBool, sql } from 'kysely';
import { cpuMs } from '../../lib/cpu.ts';
import { idBefore } from '../../lib/deps.ts';
import { MAX_PAGE_BYTES, type Reads, type SearchPage, type ServerSearch } from '../contract.ts';
import { joined } from '../joined.ts';
import { parseSearch } from '../searchTerms.ts';
import { prepare, q } from '../statements.ts';
import { lookInTurns, matchesAmong, PAGE_MS, type RunInTurn } from './chunks.ts';
import { matcherOf, matchOf, termsOf } from './messageIndex.ts';
import {
  atOrBefore,
  type Conditions,
  MAX_CHUNKS,
  meeting,
  newestMessage,
  progress,
  recordsOf,
  SCAN_ROWS,
} from './messageRows.ts';

/** Messages of any channel that one chunk of texts scans to find those in the searched channels. */
const WINDOW_ROWS = 500;
/**
 * Maximum words that a chunk looks up in a block, one per term and channel. If there would be more, it
 * scans the texts.
 */
const MAX_LOOKUPS = 160;

/** The `ord` of each match, newest first, and the `ord` at which the next chunk starts. */
interface Chunk {
  ords: readonly number[];
  after: number;
}
type Terms = NonNullable<ReturnType<typeof termsOf>>;

const hitsIn = prepare((p: Conditions & { channels: string; match: string; start: number; rows: number }) =>
  meeting(p)
    .select('message.ord')
    .where(sql<SqlBool>`+"channelId" in (select value from json_each(${p.channels}))`)
    .where('message.ord', '<=', p.start)
    .where(
      sql<SqlBool>`message.ord in (select rowid from message_search where message_search match ${p.match})`,
    )
    .orderBy('message.ord', 'desc')
    .limit(p.rows),
);
const placesIn = prepare((p: { last: number; beyond: number }) =>
  q
    .selectFrom('message')
    .select(['ord', 'channelId'])
    .where('ord', '<=', p.last)
    .where('ord', '>', p.beyond)
    .orderBy('ord', 'desc'),
);
const textsOf = prepare((p: Conditions & { ords: string }) =>
  meeting(p)
    .select(['message.ord', 'message.content'])
    .where(sql<SqlBool>`message.ord in (select value from json_each(${p.ords}))`)
    .orderBy('message.ord', 'desc'),
);
const idAt = prepare((p: { ord: number }) =>
  q.selectFrom('message').select('id').where('ord', '<=', p.ord).orderBy('ord', 'desc').limit(1),
);

/** The latest block of each channel that starts at or before an `ord`. */
const blocksAt = (channels: readonly string[], start: number) => {
  const latest = sql<{
    channelId: string;
    block: number | null;
  }>`(select value as "channelId", (select max(block)
    from "searchBlock" where "channelId" = value and block <= ${start}) as block from json_each(${JSON.stringify(channels)}))`;
  return q.selectFrom(latest.as('found')).select(['channelId', 'block']);
};
const blockAfter = (block: number) =>
  q
    .selectFrom(
      sql<{
        block: number | null;
      }>`(select min(block) as block from "searchBlock" where block > ${block})`.as('found'),
    )
    .select('block');

/**
 * Searches messages in several channels, newest first: first the messages that are not in the index yet,
 * then the index blocks that contain messages of any of the channels (`messageIndex.ts`).
 */
export async function searchServerPage(
  db: Reads,
  runInTurn: RunInTurn,
  search: ServerSearch,
): Promise<SearchPage> {
  const { limit, from } = search;
  const terms = termsOf(parseSearch(search.text));
  const newest = await db.first(newestMessage({}));
  if (!terms || !newest) return { json: new Uint8Array(), next: undefined };
  const start = from === undefined ? newest.ord : ((await db.first(atOrBefore({ id: from })))?.ord ?? 0);
  const { ord: indexed } = (await db.first(progress({}))) as { ord: number };
  const page = { left: limit, room: MAX_PAGE_BYTES };
  const chunks = chunksOf(db, search, terms, page, { start, indexed });

  const pages: Uint8Array[] = [];
  let lowest: number | undefined;
  /** The first match on the next page, or the position at which this page ended early. */
  let beyond: number | null = null;
  let edge = 0;
  let looked = 0;
  let spent = 0;
  /** Adds the next chunk to the page. Returns false if the page ends with this chunk. */
  const lookOn = async (): Promise<boolean> => {
    const began = cpuMs();
    const { value, done } = await chunks.next();
    if (done) return false;
    const { ords, after } = value;
    const { left, room } = page;
    if (ords.length > 0 && (left === 0 || room <= 0)) beyond = ords[0] as number;
    else if (ords.length > 0) {
      const query = recordsOf.desc({ ords: JSON.stringify(ords), rows: left + 1 });
      const found = await db.json(query, 'ord', 'desc', left, room);
      if (found.count > 0) pages.push(found.json);
      lowest = ords[found.count - 1] ?? lowest;
      page.left -= found.count;
      page.room -= found.json.length;
      beyond = found.beyond as number | null;
    }
    looked++;
    spent += cpuMs() - began;
    if (beyond !== null) return false;
    if (spent <= PAGE_MS && looked < MAX_CHUNKS) return true;
    edge = after;
    return false;
  };
  await lookInTurns(runInTurn, lookOn);
  const json = joined(pages);
  if (beyond !== null) return { json, next: (await db.first(idAt({ ord: beyond })))?.id };
  const at = edge === 0 ? undefined : (await db.first(idAt({ ord: edge })))?.id;
  const above = lowest === undefined ? undefined : (await db.first(idAt({ ord: lowest })))?.id;
  return { json, next: at && placeAt(at, above) };
}

/**
 * An id at or after `at`, but before the last message on the page. `at` may be in a channel that the caller
 * cannot see, so the cursor must reveal only its time.
 */
function placeAt(at: string, above: string | undefined): string {
  const place = `${at.slice(0, 13)}-ffff-ffff-ffffffffffff`;
  return above !== undefined && place >= above ? idBefore(above) : place;
}

async function* chunksOf(
  db: Reads,
  search: ServerSearch,
  terms: Terms,
  page: { readonly left: number },
  { start, indexed }: { start: number; indexed: number },
): AsyncGenerator<Chunk, undefined> {
  const matches = matcherOf(terms);
  const channels = new Set(search.channelIds);
  const lookups = terms.prefixes.length + terms.phrases.flat().length;
  const inSight = !search.isSweeping;
  const texts = async function* (last: number, beyond: number): AsyncGenerator<Chunk> {
    for (let at = last; at > beyond; ) {
      const chunk = await textChunk(db, search, channels, matches, at, beyond);
      yield chunk;
      at = chunk.after;
    }
  };
  yield* texts(start, indexed);
  let at = Math.min(start, indexed);
  const blocks = new Map<string, number>();
  const find = async (channels: readonly string[]) => {
    for (const { channelId, block } of await db.all(blocksAt(channels, at))) {
      if (block === null) blocks.delete(channelId);
      else blocks.set(channelId, block);
    }
  };
  await find(search.channelIds);
  while (blocks.size > 0) {
    const block = Math.max(...blocks.values());
    const there = [...blocks].filter(([, one]) => one === block).map(([channelId]) => channelId);
    if (there.length * lookups > MAX_LOOKUPS) {
      const next = (await db.first(blockAfter(block)))?.block ?? at + 1;
      yield* texts(Math.min(at, next - 1), block - 1);
    } else {
      const match = there.map((channelId) => `(${matchOf(terms, channelId, block)})`).join(' OR ');
      const given = { ...search, inSight, channels: JSON.stringify(there), match, start: at };
      const found = await db.all(hitsIn({ ...given, rows: page.left + 1 }));
      yield { ords: found.map(({ ord }) => ord), after: block - 1 };
    }
    at = block - 1;
    await find(there);
  }
  return undefined;
}

/**
 * The matches among the next messages, found by scanning their texts, from `last` down to just above
 * `beyond`.
 */
async function textChunk(
  db: Reads,
  search: ServerSearch,
  channels: ReadonlySet<string>,
  matches: (content: string) => boolean,
  last: number,
  beyond: number,
): Promise<Chunk> {
  const end = Math.max(beyond, last - WINDOW_ROWS);
  const places = await db.all(placesIn({ last, beyond: end }));
  const own = places.filter(({ channelId }) => channels.has(channelId)).map(({ ord }) => ord);
  const looked = own.slice(0, SCAN_ROWS);
  const given = { ...search, inSight: !search.isSweeping, ords: JSON.stringify(looked) };
  const texts = looked.length === 0 ? [] : await db.all(textsOf(given));
  const { ords, rest } = matchesAmong(texts, matches);
  return { ords, after: rest?.ord ?? own[SCAN_ROWS] ?? end };
}
