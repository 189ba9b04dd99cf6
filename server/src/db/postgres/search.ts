import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Search, SearchIndex } from '../searchTerms.ts';

/**
 * Full-text search on PostgreSQL. Each searchable table has a generated column `words`, a tsvector with a
 * GIN index. The tsvector also contains the id of the channel or server as a word, so a search stays within
 * it. The words of a text are its runs of letters and digits, in lower case and without diacritics.
 */

/**
 * SQL that converts a text to lower case, without diacritics, with blanks in place of everything but
 * letters and digits.
 */
const folded = (text: string): string => `regexp_replace(regexp_replace(
  lower(normalize(${text}, NFD) collate "und-x-icu"), '[\u0300-\u036f]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g')`;

/**
 * SQL for the word that stands for a scope. It starts with an underscore, unlike any word in a text or a
 * search.
 */
const scopeWord = (id: string): string => `'_' || replace(${id}::text, '-', '')`;

const vector = (scope: string, text: string): string =>
  `array_to_tsvector(array[${scope}]) || to_tsvector('simple', ${folded(text)})`;

const generated = (table: string, scope: string, text: string): string[] => [
  `alter table "${table}" add column words tsvector not null generated always as (${vector(scope, text)}) stored`,
];

/** The statements that create the search indexes of a new database. */
export const schema = (): string[] => [
  ...generated('message', scopeWord('"channelId"'), 'content'),
  ...generated(
    'server',
    `case when private then '_private' else '_public' end`,
    `name || ' ' || coalesce(description, '')`,
  ),
  // Members are also found by the names of their users, which a generated column cannot read.
  `alter table "serverMember" add column words tsvector`,
  `create function member_words() returns trigger language plpgsql as $$
    begin
      new.words := (select ${vector(scopeWord('new."serverId"'), `coalesce(new.nickname, '') || ' ' || name || ' ' || username`)}
        from "user" where id = new."userId");
      return new;
    end $$`,
  `create trigger member_words before insert or update of nickname on "serverMember"
    for each row execute function member_words()`,
  ...(['message', 'server', 'serverMember'] as const).map(
    (table) => `create index "${table}_search" on "${table}" using gin (words)`,
  ),
];

const fold = (text: string): RawBuilder<string> => {
  const [before, after] = folded('?').split('?') as [string, string];
  return sql`${sql.raw(before)}cast(${text} as text)${sql.raw(after)}`;
};

/**
 * A query for the words of a text in sequence. A text without words, such as a lone diacritic, matches
 * nothing.
 */
const query = (text: string, ending: string): RawBuilder<unknown> =>
  sql`coalesce((nullif(phraseto_tsquery('simple', ${fold(text)})::text, '') || ${sql.lit(ending)})::tsquery, '''_nothing''')`;

/** A query for a prefix. If the text splits into several words, only the last one is a prefix. */
const beginning = (word: string): RawBuilder<unknown> => query(word, ':*');

const exact = (phrase: string): RawBuilder<unknown> => query(phrase, '');

/**
 * The condition that a row of `index` matches the search within any of `scopes`, or anywhere if there are
 * none. The query is in a subselect, because PostgreSQL would otherwise evaluate it again for every row
 * once it uses a generic plan.
 */
export function matches(
  index: SearchIndex,
  scopes: string | readonly string[],
  { words, phrases }: Search,
): RawBuilder<SqlBool> {
  if (words.length + phrases.length === 0) return sql`1 = 0`;
  const within = [scopes].flat().map((scope) => `'_${scope.replaceAll('-', '')}'`);
  const terms = [
    ...(within.length > 0 ? [sql`cast(${within.join(' | ')} as tsquery)`] : []),
    ...words.map(beginning),
    ...phrases.map(exact),
  ];
  return sql`${sql.ref(`${index}.words`)} @@ (select ${sql.join(terms, sql` && `)})`;
}
