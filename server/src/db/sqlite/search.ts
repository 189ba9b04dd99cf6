type SearchIndex = 'message' | 'server' | 'serverMember';

/**
 * The first search indexes on SQLite, which only migrations use: the indexes in `db/search/` have replaced
 * them. Each table had a contentless FTS5 index whose `scope` column contained one word, such as the server's
 * id, so that a search read no rows of other servers. Triggers updated the index in the same transaction as
 * the change, except for new messages, which were indexed later.
 */
interface Index {
  /** SQL for the scope of a row, with `R` as its alias. */
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

/**
 * Returns the statements that create the first search indexes of a database. Later migrations replace them.
 */
export const schema = (): string[] => [
  ...(Object.keys(indexes) as SearchIndex[]).flatMap(schemaOf),
  // The `ord` of the last indexed message.
  'create table "searchProgress" (ord integer not null)',
  'insert into "searchProgress" values (0)',
];

const of = (row: string, expression: string): string => expression.replaceAll('R.', `${row}.`);

function schemaOf(table: SearchIndex): string[] {
  const { scope, body } = indexes[table];
  const later = table === 'message';
  const search = `${table}_search`;
  const add = `insert into "${search}" (rowid, scope, body) values (new.ord, ${of('new', scope)}, ${of('new', body)});`;
  const drop = `delete from "${search}" where rowid = old.ord;`;
  const changed = [scope, body].map((text) => `${of('old', text)} is not ${of('new', text)}`).join(' or ');
  const indexed = later ? 'old.ord <= (select ord from "searchProgress") and ' : '';
  return [
    `create virtual table "${search}" using fts5 (scope, body, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 2")`,
    ...(later ? [] : [`create trigger "${search}_insert" after insert on "${table}" begin ${add} end`]),
    // SQLite reuses the `ord` of a deleted last row; the next row with that `ord` must be treated as new.
    `create trigger "${search}_delete" after delete on "${table}" begin ${drop} ${later ? stepBack : ''} end`,
    `create trigger "${search}_update" after update on "${table}" when ${indexed}(${changed}) begin ${drop} ${add} end`,
  ];
}

/** Returns the statements that keep users' names up to date in the member index whenever a member changes. */
export const memberIndexFollowsUser = (): string[] => [
  'drop trigger "serverMember_search_update"',
  `create trigger "serverMember_search_update" after update on "serverMember"
    when old."updatedAt" is not new."updatedAt" or old.nickname is not new.nickname
    begin delete from "serverMember_search" where rowid = old.ord;
      insert into "serverMember_search" (rowid, scope, body) values (new.ord, ${of('new', indexes.serverMember.scope)},
        ${of('new', indexes.serverMember.body)}); end`,
];

const stepBack = `update "searchProgress" set ord = (select coalesce(max(ord), 0) from message)
  where ord > (select coalesce(max(ord), 0) from message);`;
