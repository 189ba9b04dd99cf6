import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../contract.ts';
import { prepare, q } from '../statements.ts';
import type { Range } from './sources.ts';
import type { Block } from './tables.ts';

/** A snapshot of the searchable content in a server. */
export interface State {
  serverId: string;
  /** The blocks committed after the known one. */
  blocks: Pick<Block, 'id' | 'first' | 'last'>[];
  /**
   * The ids of new and edited messages that are not in a block yet. On PostgreSQL, these are only the first
   * `WINDOW` ids.
   */
  waiting: string[];
  /** The first id after `waiting`; undefined if there are no more. */
  beyond: string | undefined;
  /** After an upgrade, the id up to which messages may not be in blocks yet; otherwise null. */
  upTo: string | null;
}

/** Number of message ids to read at once, which takes a millisecond or two. */
export const WINDOW = 1_024;

/** Lists are concatenated into texts, because returning thousands of rows takes ten times as long. */
interface Found {
  serverId: string | null;
  upTo: string | null;
  /**
   * The number, the first and the last id of each block, separated by spaces. Blocks are separated by commas.
   */
  blocks: string | null;
  /** Ids, separated by commas. Some may be repeated. */
  waiting: string | null;
}

interface Place {
  /** The server to search, or a single channel. */
  serverId: string | null;
  channelId: string | null;
}

interface Asked extends Place {
  low: string;
  high: string;
  /** The last known block. Blocks are numbered in commit order. */
  known: number;
}

/** Returns an SQL expression for the server's id. */
const serverOf = (p: Place): RawBuilder<string> =>
  sql`(select coalesce(${p.serverId}, (select "serverId" from channel where id = ${p.channelId})))`;

/**
 * Builds a single statement, so that a message that moves into a block in the meantime is not missed. On
 * SQLite, where messages are read one by one, a search in one channel omits new messages in other channels.
 */
const stateOn = (waiting: (server: RawBuilder<string>, p: Asked) => RawBuilder<unknown>) =>
  prepare((p: Asked) => {
    const server = serverOf(p);
    const found = sql<Found>`(select ${server} as "serverId", (select "upTo" from "searchProgress") as "upTo",
      (select string_agg(id || ' ' || first || ' ' || last, ',') from "searchBlock"
        where "serverId" = ${server} and id > ${p.known}) as blocks,
      (select string_agg(id, ',') from (${waiting(server, p)}) as waiting) as waiting)`;
    return q.selectFrom(found.as('found')).selectAll();
  });

const onPostgres = (isDown: boolean) =>
  stateOn(
    (server, p) => sql`select "messageId"::text as id from "searchQueue"
      where "serverId" = ${server} and "messageId" between ${p.low} and ${p.high}
      order by "messageId" ${sql.raw(isDown ? 'desc' : 'asc')} limit ${sql.lit(WINDOW + 1)}`,
  );

const statements = {
  postgres: { down: onPostgres(true), up: onPostgres(false) },
  sqlite: stateOn(
    (server, p) => sql`select "messageId" as id from "searchQueue" where "serverId" = ${server}
      union all select id from message where ord > (select ord from "searchProgress")
      and +"serverId" = ${server} and (${p.channelId} is null or +"channelId" = ${p.channelId})`,
  ),
};

const blockIn = (text: string): State['blocks'][0] => {
  const [id, first = '', last = ''] = text.split(' ');
  return { id: Number(id), first, last };
};

/**
 * Loads the content to search in a range of ids, and blocks after the `known` one. Undefined if the channel
 * does not exist.
 */
export async function stateOf(
  db: Reads,
  place: Place,
  { low, high, isDown }: Range,
  known = 0,
): Promise<State | undefined> {
  const asked = { ...place, low, high, known };
  const { postgres, sqlite } = statements;
  const isPostgres = db.dialect.name === 'postgres';
  const statement = isPostgres ? (isDown ? postgres.down : postgres.up) : sqlite;
  const found = await db.first(statement(asked));
  if (found?.serverId == null) return undefined;
  const { serverId, upTo } = found;
  const blocks = found.blocks?.split(',').map(blockIn) ?? [];
  const waiting = [...new Set(found.waiting?.split(','))];
  if (!isPostgres || waiting.length <= WINDOW) return { serverId, upTo, blocks, waiting, beyond: undefined };
  return { serverId, upTo, blocks, waiting: waiting.slice(0, WINDOW), beyond: waiting[WINDOW] };
}
