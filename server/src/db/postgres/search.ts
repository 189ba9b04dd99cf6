/**
 * The first search indexes on PostgreSQL, which only migrations use: the indexes in `db/search/` have
 * replaced them. Each table had a column `words`, a tsvector with a GIN index. The tsvector also contained a
 * word for the scope of the row, such as the id of its channel or server, which restricted a search to that
 * scope. The words of a text were its runs of letters and digits, in lowercase and without diacritics.
 */

/**
 * Returns the SQL that converts a text to lowercase, removes diacritics, and replaces everything but letters
 * and digits with spaces.
 */
const folded = (text: string): string => `regexp_replace(regexp_replace(
  lower(normalize(${text}, NFD) collate "und-x-icu"), '[\u0300-\u036f]+', '', 'g'), '[^[:alnum:]]+', ' ', 'g')`;

/**
 * Returns the SQL for the word that represents a scope. The word starts with an underscore, unlike the words
 * in texts and searches.
 */
const scopeWord = (id: string): string => `'_' || replace(${id}::text, '-', '')`;

const vector = (scope: string, text: string): string =>
  `array_to_tsvector(array[${scope}]) || to_tsvector('simple', ${folded(text)})`;

const generated = (table: string, scope: string, text: string): string[] => [
  `alter table "${table}" add column words tsvector not null generated always as (${vector(scope, text)}) stored`,
];

/**
 * Returns the statements that create the first search indexes of a database. Later migrations replace them.
 */
export const schema = (): string[] => [
  ...generated('message', scopeWord('"channelId"'), 'content'),
  ...generated(
    'server',
    `case when private then '_private' else '_public' end`,
    `name || ' ' || coalesce(description, '')`,
  ),
  // The index of members includes the names of their users, which a generated column cannot read.
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
