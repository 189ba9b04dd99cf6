import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isOpenEnded, parseSearch, startsOf } from '../../lib/text/find.ts';
import type { Reads, Tx } from '../contract.ts';
import { prepareKnown } from '../known.ts';
import { prepare, q } from '../statements.ts';
import { s } from './tables.ts';

/**
 * The index of names: members by nickname, name and username, servers by name and description. For each
 * position at which a word may begin, it contains the rest of the text, so that a single range query finds
 * both words and phrases. Triggers add changes to a queue, which `indexNames` processes. Until then, searches
 * read the names themselves.
 */

/** Maximum characters of an indexed text, and maximum number of texts per name. */
const MAX_TEXT = 48;
const MAX_TEXTS = 400;
/** Number of names to index per write. */
const ROWS = 64;
/** Maximum unindexed names that a search reads. */
const MAX_WAITING = 20_000;

type Kind = 'server' | 'serverMember';

/** A server, or a member of one, with the texts that a search matches. */
interface Named {
  id: string;
  /** The server of a member; `server` for a server. */
  scope: string;
  text: string;
}

const SERVERS = 'server';

const memberText = sql<string>`coalesce("serverMember".nickname, '') || ' ' || "user".name || ' ' || "user".username`;
const serverText = sql<string>`server.name || ' ' || coalesce(server.description, '')`;

const membersOf = prepareKnown<{ id: string }, Named>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('serverMember', 'serverMember.id', 'known.id')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .select(['serverMember.id', 'serverMember.serverId as scope', memberText.as('text')]),
);
const serversOf = prepareKnown<{ id: string }, Named>({ id: 'uuid' }, (known) =>
  q
    .selectFrom(known.as('known'))
    .innerJoin('server', 'server.id', 'known.id')
    .select(['server.id', sql<string>`${sql.lit(SERVERS)}`.as('scope'), serverText.as('text')]),
);

const queued = prepare(() =>
  s.selectFrom('searchNameQueue').select(['kind', 'id', 'changes']).orderBy('kind').orderBy('id').limit(ROWS),
);
const dequeue = prepare((p: { kind: string; id: string; changes: number }) =>
  s
    .deleteFrom('searchNameQueue')
    .where('kind', '=', p.kind)
    .where('id', '=', p.id)
    .where('changes', '=', p.changes),
);
const removeName = prepare((p: { id: string }) => s.deleteFrom('searchName').where('id', '=', p.id));
const addName = prepare((p: { scope: string; text: string; id: string }) =>
  s
    .insertInto('searchName')
    .values({ scope: p.scope, text: p.text, id: p.id })
    .onConflict((conflict) => conflict.doNothing()),
);
/** Queues a renamed user's memberships for reindexing, because members can be found by the user's name. */
const queueMembers = prepare((p: { userId: string }) =>
  s
    .insertInto('searchNameQueue')
    .columns(['kind', 'id', 'changes'])
    .expression(
      q
        .selectFrom('serverMember')
        .select([sql<string>`'serverMember'`.as('kind'), 'id', sql<number>`1`.as('changes')])
        .where('userId', '=', p.userId) as never,
    )
    .onConflict((conflict) =>
      conflict.columns(['kind', 'id']).doUpdateSet({ changes: sql<number>`"searchNameQueue".changes + 1` }),
    ),
);

/** Indexes some of the changed names. Returns false if there are none, or if `write` returns false. */
export async function indexNames(
  read: Reads,
  write: (work: (tx: Tx) => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const rows = await read.all(queued({}));
  if (rows.length === 0) return false;
  const idsOf = (kind: string) => rows.filter((row) => row.kind === kind).map(({ id }) => ({ id }));
  return write(async (tx) => {
    for (const { id } of idsOf('user')) await tx.run(queueMembers({ userId: id }));
    const [members, servers] = [idsOf('serverMember'), idsOf('server')];
    for (const { id } of [...members, ...servers]) await tx.run(removeName({ id }));
    const named = [
      ...(members.length === 0 ? [] : await tx.all(membersOf(tx.dialect, members))),
      ...(servers.length === 0 ? [] : await tx.all(serversOf(tx.dialect, servers))),
    ];
    for (const { id, scope, text } of named)
      for (const start of textsOf(text)) await tx.run(addName({ scope, text: start, id }));
    for (const { kind, id, changes } of rows) await tx.run(dequeue({ kind, id, changes }));
  });
}

const textsOf = (text: string): string[] =>
  [...new Set(startsOf(text).map((start) => start.slice(0, MAX_TEXT).toWellFormed()))].slice(0, MAX_TEXTS);

/** The greatest character. A prefix followed by it sorts after every text that begins with the prefix. */
const LAST = '\u{10FFFF}';

const startingWith = (scope: string, term: string): RawBuilder<SqlBool> => {
  const first = term.slice(0, MAX_TEXT).toWellFormed();
  return sql`(select id from "searchName" where scope = ${scope} and text >= ${first} and text < ${first + LAST})`;
};

/** The members of a server, or the servers, that are not indexed yet. */
const waitingMembers = prepare((p: { serverId: string; rows: number }) =>
  q
    .selectFrom('serverMember')
    .innerJoin('user', 'user.id', 'serverMember.userId')
    .select(['serverMember.id', memberText.as('text')])
    .where('serverMember.serverId', '=', p.serverId)
    .where(
      sql<SqlBool>`("serverMember".id in (select id from "searchNameQueue" where kind = 'serverMember')
        or "serverMember"."userId" in (select id from "searchNameQueue" where kind = 'user'))`,
    )
    .limit(p.rows),
);
const waitingServers = prepare((p: { rows: number }) =>
  q
    .selectFrom('server')
    .select(['server.id', serverText.as('text')])
    .where(sql<SqlBool>`server.id in (select id from "searchNameQueue" where kind = 'server')`)
    .limit(p.rows),
);
const isWaiting = prepare(() => s.selectFrom('searchNameQueue').select('id').limit(1));

/**
 * Restricts a query of the table `kind` to rows that match `text`: members of the server `scope`, or servers.
 * Every word in `text` must begin a word of the row's names, and every quoted phrase must occur in one of
 * them. A text without words matches nothing.
 */
// biome-ignore lint/suspicious/noExplicitAny: any selection; only the rows are restricted
export async function searching<Q extends SelectQueryBuilder<any, any, any>>(
  db: Reads,
  rows: Q,
  kind: Kind,
  scope: string,
  text: string,
): Promise<Q> {
  const search = parseSearch(text);
  if (!search) return rows.where(sql<SqlBool>`1 = 0`) as Q;
  const terms = [...search.beginnings, ...search.phrases.map((phrase) => wholeOf(phrase))];
  const id = sql.ref(`${kind}.id`);
  const indexed = terms.map(
    (term) => sql<SqlBool>`${id} in ${startingWith(kind === 'server' ? SERVERS : scope, term)}`,
  );
  const isIndexed = sql<SqlBool>`(${sql.join(indexed, sql` and `)})`;
  if (!(await db.first(isWaiting({})))) return rows.where(isIndexed) as Q;
  const waiting =
    kind === 'server'
      ? await db.all(waitingServers({ rows: MAX_WAITING }))
      : await db.all(waitingMembers({ serverId: scope, rows: MAX_WAITING }));
  const found = waiting
    .filter((one) => {
      const texts = startsOf(one.text);
      return terms.every((term) => texts.some((start) => start.startsWith(term)));
    })
    .map((one) => one.id);
  const inQueue =
    kind === 'server'
      ? sql`false`
      : sql`"serverMember"."userId" in (select id from "searchNameQueue" where kind = 'user')`;
  const isFresh = sql<SqlBool>`not (${id} in (select id from "searchNameQueue" where kind = ${kind}) or ${inQueue})`;
  if (found.length === 0) return rows.where(sql<SqlBool>`(${isIndexed} and ${isFresh})`) as Q;
  return rows.where(sql<SqlBool>`((${isIndexed} and ${isFresh}) or ${id} in (${sql.join(found)}))`) as Q;
}

/** Returns a phrase with an end-of-word mark, if it ends with a word. */
const wholeOf = (phrase: string): string => (isOpenEnded(phrase) ? phrase : `${phrase} `);
