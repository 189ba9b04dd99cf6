import { type RawBuilder, sql } from 'kysely';
import type { Search, SearchIndex } from '../searchTerms.ts';

/**
 * Full-text search on SQLite: every searchable table has an FTS5 index without contents. Its `scope` column holds the
 * channel or server as one word, so that a search reads no row of another. Triggers keep what is indexed true in the
 * transaction of the change; new messages, of which there are many, are indexed in portions soon after
 * (`indexPortion`), at a third of the cost, and before any search.
 */
interface Index {
  /** SQL for the scope of a row; `R` stands for the row. */
  scope: string;
  /** SQL for the text of a row. */
  body: string;
}

const scopeOf = (id: string): string => `replace(${id}, '-', '')`;

const indexes = {
  message: { scope: scopeOf('R."channelId"'), body: 'R.content' },
  server: {
    scope: `iif(R.private, 'private', 'public')`,
    body: `R.name || ' ' || coalesce(R.description, '')`,
  },
  serverMember: {
    scope: scopeOf('R."serverId"'),
    body: `coalesce(R.nickname, '') || ' ' || (select name || ' ' || username from "user" where id = R."userId")`,
  },
} satisfies Record<SearchIndex, Index>;

/** The statements that make the search indexes of a new database. */
export const schema = (): string[] => [
  ...(Object.keys(indexes) as SearchIndex[]).flatMap(schemaOf),
  // Messages up to this number are in their index.
  'create table "searchProgress" (ord integer not null)',
  'insert into "searchProgress" values (0)',
];

function schemaOf(table: SearchIndex): string[] {
  const { scope, body } = indexes[table];
  const later = table === 'message';
  const search = `${table}_search`;
  const of = (row: string, expression: string) => expression.replaceAll('R.', `${row}.`);
  const add = `insert into "${search}" (rowid, scope, body) values (new.ord, ${of('new', scope)}, ${of('new', body)});`;
  const drop = `delete from "${search}" where rowid = old.ord;`;
  const changed = [scope, body].map((text) => `${of('old', text)} is not ${of('new', text)}`).join(' or ');
  const indexed = later ? 'old.ord <= (select ord from "searchProgress") and ' : '';
  return [
    `create virtual table "${search}" using fts5 (scope, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
    ...(later ? [] : [`create trigger "${search}_insert" after insert on "${table}" begin ${add} end`]),
    // The number of the last row is given again once it is gone, and must then count as new.
    `create trigger "${search}_delete" after delete on "${table}" begin ${drop} ${later ? stepBack : ''} end`,
    `create trigger "${search}_update" after update on "${table}" when ${indexed}(${changed}) begin ${drop} ${add} end`,
  ];
}

const stepBack = `update "searchProgress" set ord = (select coalesce(max(ord), 0) from message)
  where ord > (select coalesce(max(ord), 0) from message);`;

interface Scalars {
  scalar(sql: string): unknown;
}

/** True if every message is in the index of SQLite. */
export const isIndexed = (connection: Scalars): boolean =>
  connection.scalar('select coalesce(max(ord), 0) <= (select ord from "searchProgress") from message') === 1;

/**
 * Indexes up to `size` new messages on SQLite, in the transaction under way, and gives how many numbers that were: at least
 * `size` if more may be left.
 */
export function indexPortion(connection: Scalars, size: number): number {
  const { scope, body } = indexes.message;
  const fresh = `from message as R where ord > (select ord from "searchProgress") order by ord limit ${size}`;
  const last = connection.scalar(`select max(ord) from (select ord ${fresh})`);
  if (last === null) return 0;
  const before = connection.scalar('select ord from "searchProgress"');
  connection.scalar(`insert into message_search (rowid, scope, body) select ord, ${scope}, ${body} ${fresh}`);
  connection.scalar(`update "searchProgress" set ord = (select max(ord) from (select ord ${fresh}))`);
  return Number(last) - Number(before);
}

/** The numbers (`ord`) of the rows that are found: a table to join. */
export function hits(
  index: SearchIndex,
  scope: string,
  { words, phrases }: Search,
): RawBuilder<{ ord: number }> {
  const terms = [...words.map((word) => `"${word}"*`), ...phrases.map((phrase) => `"${phrase}"`)];
  if (terms.length === 0) return sql`(select 0 as ord where false)`;
  const query = `scope : "${scope.replaceAll('-', '')}" AND body : (${terms.join(' AND ')})`;
  const table = sql.table(`${index}_search`);
  return sql`(select rowid as ord from ${table} where ${table} match ${query})`;
}
