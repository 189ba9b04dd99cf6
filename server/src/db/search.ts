import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Order, Reader, SqlDialect } from './contract.ts';
import { matches } from './postgres/search.ts';
import { parseSearch, type SearchIndex } from './searchTerms.ts';
import { hits } from './sqlite/search.ts';
import { prepare, q } from './statements.ts';

/** The column that gives the messages found in the order in which they were sent, and the name of its value. */
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
 * The value of `searchOrder` from which a page of a search goes on, whose cursor names a message by its `id`, which is the same
 * on every engine. The message may be gone by now.
 */
export async function placeOf(db: Reader, id: string, order: Order): Promise<string | number> {
  if (db.dialect.name === 'postgres') return id;
  const place = await db.first((order === 'desc' ? atOrBefore : atOrAfter)({ id }));
  return place?.ord ?? (order === 'desc' ? 0 : Number.MAX_SAFE_INTEGER);
}

/** The `id` of the message at a value of `searchOrder`, or of the next one where that has just gone. */
export async function idAt(db: Reader, place: string | number, order: Order): Promise<string | undefined> {
  if (typeof place === 'string') return place;
  return (await db.first((order === 'desc' ? idBefore : idAfter)({ ord: place })))?.id;
}

/**
 * Narrows a query of the table `index` to the rows within `scope` (an identifier of a channel or server, or `public`) whose
 * text has every word of `text` as the beginning of a word, and every quoted phrase. A text without words matches nothing.
 */
// biome-ignore lint/suspicious/noExplicitAny: it goes through unchanged but for its rows
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
