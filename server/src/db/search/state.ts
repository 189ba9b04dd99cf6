import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../contract.ts';
import { prepare, q } from '../statements.ts';
import type { Range } from './sources.ts';
import type { Block } from './tables.ts';

/** A snapshot of the searchable content of a server. */
export interface State {
  serverId: string;
  /** The blocks committed after the known one. */
  blocks: Pick<Block, 'id' | 'first' | 'last'>[];
  /**
   * The ids of messages that are not in a block: new and edited ones. On PostgreSQL, these are only the first
   * `WINDOW` ids.
   */
  waiting: string[];
  /** The first id after `waiting`; undefined if there are no more. */
  beyond: string | undefined;
  /** Messages up to this id are only partly in blocks, after an upgrade. */
  upTo: string | null;
}

/** Ids of messages read at once, which takes a millisecond or two. */
export const WINDOW = 1_024;

/** Lists are concatenated into texts, because thousands of rows take ten times as long. */
interface Found {
  serverId: string | null;
  upTo: string | null;
  /** The number, first and last id of each block, separated by spaces, and blocks by commas. */
  blocks: string | null;
  /** Ids, separated by commas. Some may be repeated. */
  waiting: string | null;
}

interface Place {
  /** The server, or the only channel to search. */
  serverId: string | null;
  channelId: string | null;
}

interface Asked extends Place {
  low: string;
  high: string;
  /** The last known block. Blocks are numbered in commit order. */
  known: number;
}

/** The server, as SQL. */
const serverOf = (p: Place): RawBuilder<string> =>
  sql`(select coalesce(${p.serverId}, (select "serverId" from channel where id = ${p.channelId})))`;

/**
 * Builds a single statement, so that a message that moves into a block in the meantime is not missed. On
 * SQLite, it omits new messages of other channels, which are read one by one.
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
