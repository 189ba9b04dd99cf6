import type { SqlBool } from 'kysely';
import { cpuMs } from '../../lib/cpu.ts';
import {
  type JsonRows,
  MAX_PAGE_BYTES,
  type MessageSearch,
  type Order,
  type Reads,
  type SearchPage,
} from '../contract.ts';
import { sql } from '../kysely.ts';
import { parseSearch } from '../searchTerms.ts';
import { prepare, q } from '../statements.ts';
import { isInSight } from '../sweep.ts';
import { matchOf, termsOf } from './messageIndex.ts';

/** Messages not in the index yet that one portion looks at. */
const SCAN_ROWS = 500;
/** Milliseconds of CPU after which portions yield to other reads, and after which a page ends early. */
const TURN_MS = 3;
const PAGE_MS = 15;
/** Portions that a page looks at whatever they cost: a slow moment of the machine should not show. */
const MIN_PORTIONS = 4;
/** Portions that a page looks at, at most. */
const MAX_PORTIONS = 2_000;

/**
 * A part of the messages, all after those of the portion before: those in the index that match, or the texts of a range of
 * `ord`. `edge` is its last possible `ord` in the order of the search.
 */
type Portion = { edge: number } & (Found | Scanned);
interface Found {
  match: string;
  /** The last message that was in the index when the search began: later ones are read as texts. */
  indexed: number;
}
interface Scanned {
  /** The terms as JSON. */
  query: string;
  first: number;
  last: number;
}

/** The parameters of both kinds of portions. */
interface Rows extends Omit<MessageSearch, 'text' | 'order' | 'limit' | 'from' | 'isSweeping'> {
  start: number;
  rows: number;
  inSight: boolean;
}

const isLeftOut = (value: unknown) => sql<SqlBool>`${value} is null`;

/** The rows of a portion, with the conditions of the search. The plus keeps SQLite from going through the whole channel. */
const rowsOf = (order: Order, p: Rows) =>
  q
    .selectFrom('message')
    .select(['message.ord', 'message.record'])
    .where(sql<string>`+"channelId"`, '=', p.channelId)
    .where('message.ord', order === 'desc' ? '<=' : '>=', p.start)
    .where((eb) => eb.or([isLeftOut(p.creatorId), eb(sql<string>`+"creatorId"`, '=', p.creatorId)]))
    .where((eb) => eb.or([isLeftOut(p.type), eb(sql<string>`message.type`, '=', p.type)]))
    .where((eb) =>
      eb.or([isLeftOut(p.isThreadReply), eb('message.isThreadReply', '=', p.isThreadReply as boolean)]),
    )
    .where((eb) => eb.or([isLeftOut(p.firstId), eb(sql<string>`+message.id`, '>=', p.firstId)]))
    .where((eb) => eb.or([isLeftOut(p.beyondId), eb(sql<string>`+message.id`, '<', p.beyondId)]))
    .where((eb) => eb.or([sql<SqlBool>`${p.inSight}`, isInSight]))
    .orderBy('message.ord', order)
    .limit(p.rows);

const inBothOrders = <P extends Rows>(of: (order: Order, p: P) => ReturnType<typeof rowsOf>) => ({
  asc: prepare((p: P) => of('asc', p)),
  desc: prepare((p: P) => of('desc', p)),
});

const foundIn = inBothOrders((order, p: Rows & Found) =>
  rowsOf(order, p).where(
    sql<SqlBool>`message.ord <= ${p.indexed} and message.ord in (select rowid from message_search where message_search match ${p.match})`,
  ),
);
const scannedIn = inBothOrders((order, p: Rows & Scanned) =>
  rowsOf(order, p).where(
    sql<SqlBool>`(message.ord between ${p.first} and ${p.last} and search_matches(content, ${p.query}))`,
  ),
);

const atOrBefore = prepare((p: { id: string }) =>
  q.selectFrom('message').select('ord').where('id', '<=', p.id).orderBy('id', 'desc').limit(1),
);
const atOrAfter = prepare((p: { id: string }) =>
  q.selectFrom('message').select('ord').where('id', '>=', p.id).orderBy('id').limit(1),
);
/**
 * The message of a channel at a place, or the next one there in the order of the search. Another channel's has the place
 * where a page ended early; `ord` and `id` have the same order.
 */
const idBefore = prepare((p: { channelId: string; ord: number }) =>
  q
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', p.channelId)
    .where(
      'id',
      '<=',
      q.selectFrom('message').select('id').where('ord', '<=', p.ord).orderBy('ord', 'desc').limit(1),
    )
    .orderBy('id', 'desc')
    .limit(1),
);
const idAfter = prepare((p: { channelId: string; ord: number }) =>
  q
    .selectFrom('message')
    .select('id')
    .where('channelId', '=', p.channelId)
    .where('id', '>=', q.selectFrom('message').select('id').where('ord', '>=', p.ord).orderBy('ord').limit(1))
    .orderBy('id')
    .limit(1),
);
const lastOrd = prepare(() =>
  q.selectFrom('message').select((eb) => eb.fn.coalesce(eb.fn.max('ord'), eb.lit(0)).as('ord')),
);
const progress = prepare(() =>
  q.selectFrom(sql<{ ord: number }>`"searchProgress"`.as('progress')).select('ord'),
);

/** Runs a task that looks at thousands of rows. */
export type RunInTurn = <T>(task: () => Promise<T>) => Promise<T>;

/** Searches the messages of a channel, portion by portion (`messageIndex.ts`). */
export async function searchPage(
  db: Reads,
  runInTurn: RunInTurn,
  search: MessageSearch,
): Promise<SearchPage> {
  const { order, limit, from } = search;
  const terms = termsOf(parseSearch(search.text));
  if (!terms) return { json: new Uint8Array(), next: undefined };
  const isDown = order === 'desc';
  const newest = ((await db.first(lastOrd({}))) as { ord: number }).ord;
  const ofId = isDown ? atOrBefore : atOrAfter;
  const found = from === undefined ? undefined : (await db.first(ofId({ id: from })))?.ord;
  const start = found ?? (from === undefined ? (isDown ? newest : 1) : isDown ? 0 : newest + 1);
  const portions = await portionsOf(db, search, terms, start, newest);

  const pages: Uint8Array[] = [];
  let left = limit;
  let room = MAX_PAGE_BYTES;
  let next: number | undefined;
  let looked = 0;
  let spent = 0;
  const lookAt = async (portion: Portion): Promise<boolean> => {
    const began = cpuMs();
    const { json, count, beyond } = await pageIn(db, search, portion, start, room > 0 ? left : 0, room);
    if (count > 0) pages.push(json);
    left -= count;
    room -= json.length;
    looked++;
    spent += cpuMs() - began;
    const isLate = looked >= MIN_PORTIONS && spent > PAGE_MS;
    const edge = isLate || looked === MAX_PORTIONS ? portion.edge + (isDown ? -1 : 1) : undefined;
    next = (beyond as number | null) ?? edge;
    return next === undefined;
  };
  let goesOn = true;
  while (goesOn) {
    goesOn = await runInTurn(async () => {
      const turn = cpuMs();
      do {
        const { value, done } = portions.next();
        if (done || !(await lookAt(value))) return false;
      } while (cpuMs() - turn < TURN_MS);
      return true;
    });
  }
  const json = joined(pages);
  if (next === undefined) return { json, next: undefined };
  const { channelId } = search;
  return { json, next: (await db.first((isDown ? idBefore : idAfter)({ channelId, ord: next })))?.id };
}

/** The first `limit` records of a portion, up to `maxBytes`; with a limit of 0, only whether there are any. */
async function pageIn(
  db: Reads,
  search: MessageSearch,
  portion: Portion,
  start: number,
  limit: number,
  maxBytes: number,
): Promise<JsonRows> {
  const { order } = search;
  const { edge: _edge, ...part } = portion;
  const rows = { ...search, ...part, inSight: !search.isSweeping, start, rows: limit + 1 };
  const query = 'match' in rows ? foundIn[order](rows) : scannedIn[order](rows);
  if (limit > 0) return db.json(query, 'ord', order, limit, maxBytes);
  return { json: new Uint8Array(), count: 0, beyond: (await db.first(query))?.ord ?? null };
}

/** The portions from `start` on: first or last those that are not in the index yet, as far as `newest`. */
async function portionsOf(
  db: Reads,
  { channelId, order }: MessageSearch,
  terms: NonNullable<ReturnType<typeof termsOf>>,
  start: number,
  newest: number,
): Promise<Generator<Portion, undefined>> {
  const indexed = ((await db.first(progress({}))) as { ord: number }).ord;
  const isDown = order === 'desc';
  const query = JSON.stringify(terms);

  function* scanned(): Generator<Portion> {
    const low = Math.max(indexed + 1, isDown ? 1 : start);
    const high = isDown ? Math.min(newest, start) : newest;
    for (let passed = 0; passed <= high - low; passed += SCAN_ROWS) {
      const [first, last] = isDown
        ? [Math.max(low, high - passed - SCAN_ROWS + 1), high - passed]
        : [low + passed, Math.min(high, low + passed + SCAN_ROWS - 1)];
      yield { query, first, last, edge: isDown ? first : last };
    }
  }

  const blocks = (await db.all(blocksOf(channelId, order, Math.min(start, indexed)))).map(
    ({ block }) => block,
  );
  function* found(): Generator<Portion> {
    for (const [index, block] of blocks.entries()) {
      const edge = isDown ? block : (blocks[index + 1] ?? indexed + 1) - 1;
      yield { match: matchOf(terms, channelId, block), indexed, edge };
    }
  }
  function* all(): Generator<Portion, undefined> {
    if (isDown) yield* scanned();
    yield* found();
    if (!isDown) yield* scanned();
    return undefined;
  }
  return all();
}

/** The blocks of a channel from that of `start` on. */
const blocksOf = (channelId: string, order: MessageSearch['order'], start: number) => {
  const blocks = sql<{ block: number }>`(select block from "searchBlock" where "channelId" = ${channelId})`;
  const ofChannel = q
    .selectFrom(blocks.as('found'))
    .select('block')
    .orderBy('block', order)
    .limit(MAX_PORTIONS);
  if (order === 'desc') return ofChannel.where('block', '<=', start);
  const first = sql<number>`(select coalesce(max(block), 0) from "searchBlock" where "channelId" = ${channelId} and block <= ${start})`;
  return ofChannel.where('block', '>=', first);
};

/** The records of several pages, separated by commas. */
function joined(pages: readonly Uint8Array[]): Uint8Array {
  const comma = Buffer.from(',');
  return Buffer.concat(pages.flatMap((page, index) => (index === 0 ? [page] : [comma, page])));
}
