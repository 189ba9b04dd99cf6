import { sql } from 'kysely';
import { FIRST_ID, LAST_ID } from '../lib/deps.ts';
import type { Reader } from './contract.ts';
import { prepare, q, type Statement } from './statements.ts';

/** Channels per read. */
const PAGE_CHANNELS = 100;
/** Number of messages outside the author index to check at once. */
const PAGE_UNFILED = 2_000;

interface Page {
  creatorId: string;
  /** The position: only channels with a greater id are returned. */
  after: string;
}

/**
 * Creates the statement for the next channels, after a position, in which an author wrote. Reads one index
 * entry per channel, regardless of the number of messages.
 */
const pageOf = (nextAfter: (p: Page, after: unknown) => ReturnType<typeof sql>) =>
  prepare((p: Page) =>
    q
      .selectFrom(
        sql<{ id: string }>`(with recursive found (id) as (
          select ${nextAfter(p, p.after)} union all select ${nextAfter(p, sql`found.id`)} from found where found.id is not null)
          select id from found where id is not null limit ${sql.lit(PAGE_CHANNELS)})`.as('next'),
      )
      .select('id'),
  );

const filedOnSqlite = pageOf(
  ({ creatorId }, after) =>
    sql`(select "channelId" from "authorIndex" where "creatorId" = ${creatorId} and "channelId" > ${after}
      order by "channelId" limit 1)`,
);

// Compares with a range: with `"creatorId" =`, PostgreSQL may scan the messages of all authors in the order
// of their channels. The condition on the time makes the index `message_author` usable.
const onPostgres = pageOf(
  ({ creatorId }, after) =>
    sql`(select "channelId" from message where ("creatorId", "channelId") > (${creatorId}, ${after})
      and ("creatorId", "channelId") <= (${creatorId}, ${sql.lit(LAST_ID)}::uuid) and "createdAt" >= 0
      order by "creatorId", "channelId" limit 1)`,
);

const unfiledAfter = (after: unknown) => sql`ord > max(${after}, (select ord from "authorProgress"))`;

const unfiledEdge = prepare((p: { after: number }) =>
  q
    .selectFrom(
      sql<{
        ord: number | null;
      }>`(select max(ord) as ord from (select ord from message where ${unfiledAfter(p.after)}
        order by ord limit ${sql.lit(PAGE_UNFILED)}))`.as('edge'),
    )
    .select('ord'),
);

const unfiledAmong = prepare((p: { creatorId: string; after: number; end: number }) =>
  q
    .selectFrom(
      sql<{ id: string }>`(select "channelId" as id from message where ${unfiledAfter(p.after)}
        and ord <= ${p.end} and +"creatorId" = ${p.creatorId})`.as('among'),
    )
    .select('id'),
);

/** Finds the channels of an author's messages that the embedded engine has not indexed yet. */
async function unfiledChannels(db: Reader, creatorId: string): Promise<Set<string>> {
  const found = new Set<string>();
  for (let after = 0; ; ) {
    const end = await db.inTurn(async (reads) => {
      const edge = (await reads.first(unfiledEdge({ after })))?.ord;
      if (edge == null) return undefined;
      for (const { id } of await reads.all(unfiledAmong({ creatorId, after, end: edge }))) found.add(id);
      return edge;
    });
    if (end === undefined) return found;
    after = end;
  }
}

/**
 * Yields the ids of the channels in which a user wrote, including direct messages, page by page in ascending
 * order. Reads messages in other channels only if the author index does not contain them yet. May miss
 * messages that are sent in the meantime.
 */
export async function* channelsOfAuthor(
  db: Reader,
  creatorId: string,
  from = FIRST_ID,
): AsyncGenerator<string[]> {
  // Unindexed messages are read before the index, so that a message that is being indexed is found in at
  // least one of them.
  const isSqlite = db.dialect.name === 'sqlite';
  const unfiled = isSqlite ? [...(await unfiledChannels(db, creatorId))].sort() : [];
  const statement: (page: Page) => Statement<{ id: string }> = isSqlite ? filedOnSqlite : onPostgres;
  for (let after = from; ; ) {
    const page = (await db.all(statement({ creatorId, after }))).map(({ id }) => id);
    const isLast = page.length < PAGE_CHANNELS;
    const end = isLast ? LAST_ID : (page.at(-1) as string);
    const others = unfiled.filter((id) => id > after && id <= end);
    const ids = [...new Set([...page, ...others])].sort();
    if (ids.length > 0) yield ids;
    if (isLast) return;
    after = end;
  }
}
