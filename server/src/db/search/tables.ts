import { type Kysely, sql } from 'kysely';
import { prepareKnown } from '../known.ts';
import { prepare, q } from '../statements.ts';

/** The tables of the search indexes. `palaver migrate` and exports omit them. */
interface SearchTables {
  searchBlock: Block;
  searchPage: { id: number; data: Uint8Array };
  searchQueue: { serverId: string; messageId: string; edits: number };
  searchName: { scope: string; text: string; id: string };
  searchNameQueue: { kind: string; id: string; changes: number };
  searchProgress: {
    ord: number;
    upTo: string | null;
    block: number;
    owner: string | null;
    ownedUntil: number;
  };
}

export interface Block {
  id: number;
  serverId: string;
  /** The smallest and the greatest id of the block's messages. */
  first: string;
  last: string;
  messages: number;
  level: number;
  stale: boolean;
}

export const s = q as unknown as Kysely<SearchTables>;

export const progress = prepare(() => s.selectFrom('searchProgress').select(['ord', 'upTo', 'block']));

/** Pages by number; `data` is null for a page that no longer exists. Each is looked up by primary key. */
export const pagesOf = prepareKnown<{ page: number }, { page: number; data: Uint8Array | null }>(
  { page: 'bigint' },
  (known) =>
    q
      .selectFrom(known.as('known'))
      .select([
        sql<number>`known.page`.as('page'),
        sql<Uint8Array | null>`(select data from "searchPage" where id = known.page)`.as('data'),
      ]),
);
