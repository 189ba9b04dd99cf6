import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { SqlDialect } from './contract.ts';
import * as postgres from './postgres/search.ts';
import * as sqlite from './sqlite/search.ts';

/** What can be searched: the words of a message, of a server's name and description, of a member's names. */
export type SearchIndex = 'message' | 'server' | 'serverMember';

/** What a search looks for: every word as the beginning of a word, and every phrase as it is. */
export interface Search {
  words: string[];
  phrases: string[];
}

/** The most words and phrases that a search looks for; the rest of a longer text is left out. */
const MAX_TERMS = 32;

/** Words and quoted phrases of what a person typed. Nothing a person can type is an error. */
function parseSearch(text: string): Search {
  const words = new Set<string>();
  const phrases = new Set<string>();
  for (const [index, part] of text.split('"').entries()) {
    const found = part.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
    if (index % 2 === 1 && found.length > 0) phrases.add(found.join(' '));
    else for (const word of found) words.add(word);
  }
  const first = [...words].slice(0, MAX_TERMS);
  return { words: first, phrases: [...phrases].slice(0, MAX_TERMS - first.length) };
}

/** The statements that make the search indexes of a new database. */
export const searchSchema = (dialect: SqlDialect['name']): string[] =>
  (dialect === 'sqlite' ? sqlite : postgres).schema();

/** The column that gives the messages found in the order in which they were sent, and the name of its value. */
export const searchOrder = ({
  name,
}: SqlDialect): { column: RawBuilder<string | number>; key: 'ord' | 'id' } =>
  name === 'sqlite'
    ? { column: sql.ref('hit.ord'), key: 'ord' }
    : { column: sql.ref('message.id'), key: 'id' };

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
  if (name === 'postgres') return rows.where(postgres.matches(index, scope, search)) as Q;
  return rows.innerJoin(
    sqlite.hits(index, scope, search).as('hit'),
    'hit.ord',
    `${index}.ord`,
  ) as unknown as Q;
}
