import { type RawBuilder, sql } from 'kysely';
import type { Reads } from '../contract.ts';
import { prepare, q } from '../statements.ts';
import type { Block } from './tables.ts';

/** What there is to search in a server, at one moment. */
export interface State {
  serverId: string;
  blocks: Pick<Block, 'id' | 'first' | 'last'>[];
  /** The ids of messages that are not in a block: new and edited ones. */
  waiting: string[];
  /** Messages up to this id are in blocks only in part, after an upgrade. */
  upTo: string | null;
}

/** A block, a waiting message, or, last, the server with `upTo`. */
interface Part {
  block: number | null;
  first: string | null;
  last: string | null;
}

interface Place {
  /** The server, or a channel of it, which is searched alone. */
  serverId: string | null;
  channelId: string | null;
}

/**
 * One statement, so that no message is missed that moves into a block meanwhile. New messages of other channels are left
 * out on SQLite, where they are read one by one.
 */
const partsOn = (newOnes: (server: RawBuilder<string>, p: Place) => RawBuilder<unknown>) =>
  prepare((p: Place) => {
    const server = sql<string>`(select coalesce(${p.serverId}, (select "serverId" from channel where id = ${p.channelId})))`;
    const parts = sql<Part>`(select id as block, first, last from "searchBlock" where "serverId" = ${server}
      union all select null, "messageId", null from "searchQueue" where "serverId" = ${server}
      ${newOnes(server, p)}
      union all select -1, ${server}, "upTo" from "searchProgress")`;
    return q.selectFrom(parts.as('part')).select(['block', 'first', 'last']);
  });

const statements = {
  postgres: partsOn(() => sql``),
  sqlite: partsOn(
    (
      server,
      p,
    ) => sql`union all select null, id, null from message where ord > (select ord from "searchProgress")
      and +"serverId" = ${server} and (${p.channelId} is null or +"channelId" = ${p.channelId})`,
  ),
};

/** Reads what there is to search. Undefined if there is no such channel. */
export async function stateOf(db: Reads, place: Place): Promise<State | undefined> {
  const parts = await db.all(statements[db.dialect.name](place));
  const state: State = { serverId: '', blocks: [], waiting: [], upTo: null };
  const waiting = new Set<string>();
  for (const { block, first, last } of parts) {
    if (block === null) waiting.add(first as string);
    else if (Number(block) === -1) Object.assign(state, { serverId: first ?? '', upTo: last });
    else state.blocks.push({ id: Number(block), first: first as string, last: last as string });
  }
  state.waiting = [...waiting];
  return state.serverId === '' ? undefined : state;
}
