import { type RawBuilder, sql } from 'kysely';
import type { SqlDialect } from './contract.ts';

/**
 * Full-text search, the one place beside the engines that knows them apart. On SQLite every searchable table has an
 * FTS5 index without contents, kept by triggers in the transaction of the change. Its `scope` column holds the
 * channel or server as one word, so that a search reads no row of another.
 */
interface Index {
  table: string;
  /** SQL for the scope of a row; `R` stands for the row. */
  scope: string;
  /** SQL for the text of a row. */
  body: string;
}

const scopeOf = (id: string): string => `replace(${id}, '-', '')`;

const indexes = {
  message: { table: 'message', scope: scopeOf('R."channelId"'), body: 'R.content' },
  server: {
    table: 'server',
    scope: `iif(R.private, 'private', 'public')`,
    body: `R.name || ' ' || coalesce(R.description, '')`,
  },
  serverMember: {
    table: 'serverMember',
    scope: scopeOf('R."serverId"'),
    body: `coalesce(R.nickname, '') || ' ' || (select name || ' ' || username from "user" where id = R."userId")`,
  },
} satisfies Record<string, Index>;

export type SearchIndex = keyof typeof indexes;

/** The statements that make the search indexes of a new database. */
export function searchSchema(dialect: SqlDialect['name']): string[] {
  if (dialect !== 'sqlite') throw new Error(`no search for ${dialect}`);
  return Object.values(indexes).flatMap(sqliteIndex);
}

function sqliteIndex({ table, scope, body }: Index): string[] {
  const search = `${table}_search`;
  const add = (row: string) =>
    `insert into "${search}" (rowid, scope, body) select ${row}.ord, ${scope.replaceAll('R.', `${row}.`)}, ${body.replaceAll('R.', `${row}.`)};`;
  const drop = `delete from "${search}" where rowid = old.ord;`;
  return [
    `create virtual table "${search}" using fts5 (scope, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
    `create trigger "${search}_insert" after insert on "${table}" begin ${add('new')} end`,
    `create trigger "${search}_delete" after delete on "${table}" begin ${drop} end`,
    `create trigger "${search}_update" after update on "${table}"
      when ${changed(scope)} or ${changed(body)} begin ${drop} ${add('new')} end`,
  ];
}

const changed = (expression: string): string =>
  `${expression.replaceAll('R.', 'old.')} is not ${expression.replaceAll('R.', 'new.')}`;

/** Words and quoted phrases of what a person typed. Nothing a person can type is an error. */
export function parseSearch(text: string): { words: string[]; phrases: string[] } {
  const words: string[] = [];
  const phrases: string[] = [];
  for (const [index, part] of text.split('"').entries()) {
    const found = part.match(/[\p{L}\p{N}\p{M}\p{Co}]+/gu) ?? [];
    if (index % 2 === 0) words.push(...found);
    else if (found.length > 0) phrases.push(found.join(' '));
  }
  return { words, phrases };
}

/** The most words that a search looks for; the rest of a longer text is left out. */
const MAX_TERMS = 32;

/**
 * The numbers (`ord`) of the rows of `index` within `scope` (an identifier of a channel or server, or `public`) whose
 * text has every word of `text` as the beginning of a word, and every quoted phrase: a table to join. A text without
 * words matches nothing.
 */
export function hits(index: SearchIndex, scope: string, text: string): RawBuilder<{ ord: number }> {
  const { words, phrases } = parseSearch(text);
  const terms = [...words.map((word) => `"${word}"*`), ...phrases.map((phrase) => `"${phrase}"`)].slice(
    0,
    MAX_TERMS,
  );
  if (terms.length === 0) return sql`(select 0 as ord where false)`;
  const query = `scope : "${scope.replaceAll('-', '')}" AND body : (${terms.join(' AND ')})`;
  const table = sql.table(`${indexes[index].table}_search`);
  return sql`(select rowid as ord from ${table} where ${table} match ${query})`;
}
