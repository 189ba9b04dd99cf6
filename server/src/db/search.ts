import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { Order, Reader, SqlDialect } from './contract.ts';
import { sql } from './kysely.ts';
import { matches } from './postgres/search.ts';
import { parseSearch, type SearchIndex } from './searchTerms.ts';
import { hits } from './sqlite/search.ts';
import { prepare, q } from './statements.ts';

/** The column that orders found messages by time on this engine, and its name in the result. */
export const searchOrder = ({
  name,
}: SqlDialect): { column: RawBuilder<string | number>; key: 'ord' | 'id' } =>
  name === 'sqlite'
    ? { column: sql.ref('hit.ord'), key: 'ord' }
    : { column: sql.ref('message.id'), key: 'id' };

const atOrBefore = prepare((p: { id: string }) =>
  q.selectFrom('message').select('ord').where('id', '<=', p.id).orderBy('id', 'desc').limit(1),
);
const atOrAfter = prepare((p: { id: string }) =>
  q.selectFrom('message').select('ord').where('id', '>=', p.id).orderBy('id').limit(1),
);
const idBefore = prepare((p: { ord: number }) =>
  q.selectFrom('message').select('id').where('ord', '<=', p.ord).orderBy('ord', 'desc').limit(1),
);
const idAfter = prepare((p: { ord: number }) =>
  q.selectFrom('message').select('id').where('ord', '>=', p.ord).orderBy('ord').limit(1),
);

/**
 * The value of `searchOrder` at which a page of a search starts. Cursors name a message by `id`, which is the same on
 * every engine; if that message was deleted, the page starts at the next one in `order`.
 */
export async function placeOf(db: Reader, id: string, order: Order): Promise<string | number> {
  if (db.dialect.name === 'postgres') return id;
  const place = await db.first((order === 'desc' ? atOrBefore : atOrAfter)({ id }));
  return place?.ord ?? (order === 'desc' ? 0 : Number.MAX_SAFE_INTEGER);
}

/** The `id` of the message at a value of `searchOrder`, or of the next one if that message was just deleted. */
export async function idAt(db: Reader, place: string | number, order: Order): Promise<string | undefined> {
  if (typeof place === 'string') return place;
  return (await db.first((order === 'desc' ? idBefore : idAfter)({ ord: place })))?.id;
}

/**
 * Restricts a query of the table `index` to rows that match `text` within `scope` (the id of a channel or server, or
 * `public`). Every word of `text` must begin a word of the row, and every quoted phrase must occur. A text without
 * words matches nothing.
 */
// biome-ignore lint/suspicious/noExplicitAny: any table and selection; only the rows are restricted
export function searching<Q extends SelectQueryBuilder<any, any, any>>(
  rows: Q,
  { name }: SqlDialect,
  index: SearchIndex,
  scope: string,
  text: string,
): Q {
  const search = parseSearch(text);
  if (name === 'postgres') return rows.where(matches(index, scope, search)) as Q;
  return rows.innerJoin(hits(index, scope, search).as('hit'), 'hit.ord', `${index}.ord`) as unknown as Q;
}
