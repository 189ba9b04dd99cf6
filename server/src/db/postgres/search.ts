import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Search, SearchIndex } from '../searchTerms.ts';

/**
 * Full-text search on PostgreSQL: a column `words` (a tsvector with a GIN index) that the database keeps with the row. Beside
 * the words it holds the channel or server as a word of its own, so that a search stays within it. Words are what is
 * left of a text in lower case without diacritics once all but letters and digits has become a blank.
 */

/** SQL for a text as it is searched. */
const folded = (text: string): string => `regexp_replace(regexp_replace(
  lower(normalize(${text}, NFD) collate "und-x-icu"), '[\u0300-\u036f]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g')`;

/** SQL for the word that a scope is. No text has a word that begins like it, and nobody can ask for one. */
const scopeWord = (id: string): string => `'_' || replace(${id}::text, '-', '')`;

const vector = (scope: string, text: string): string =>
  `array_to_tsvector(array[${scope}]) || to_tsvector('simple', ${folded(text)})`;

const generated = (table: string, scope: string, text: string): string[] => [
  `alter table "${table}" add column words tsvector not null generated always as (${vector(scope, text)}) stored`,
];

/** The statements that make the search indexes of a new database. */
export const schema = (): string[] => [
  ...generated('message', scopeWord('"channelId"'), 'content'),
  ...generated(
    'server',
    `case when private then '_private' else '_public' end`,
    `name || ' ' || coalesce(description, '')`,
  ),
  // A member is found by the names of its user too, and a generated column sees its own row only.
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

/** The words of a text, one after the other; where it has none (a mark alone), what nothing has. */
const query = (text: string, ending: string): RawBuilder<unknown> =>
  sql`coalesce((nullif(phraseto_tsquery('simple', ${fold(text)})::text, '') || ${sql.lit(ending)})::tsquery, '''_nothing''')`;

/** The beginning of a word: where the text becomes several, the last of them is the one that may go on. */
const beginning = (word: string): RawBuilder<unknown> => query(word, ':*');

const exact = (phrase: string): RawBuilder<unknown> => query(phrase, '');

/** The condition that a row is found. */
export function matches(index: SearchIndex, scope: string, { words, phrases }: Search): RawBuilder<SqlBool> {
  if (words.length + phrases.length === 0) return sql`1 = 0`;
  const terms = [
    sql`cast(${`'_${scope.replaceAll('-', '')}'`} as tsquery)`,
    ...words.map(beginning),
    ...phrases.map(exact),
  ];
  return sql`${sql.ref(`${index}.words`)} @@ (${sql.join(terms, sql` && `)})`;
}
