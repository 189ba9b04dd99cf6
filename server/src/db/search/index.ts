import { Recent } from '../../lib/recent.ts';
import type { MessageSearch, Reads, SearchPage, ServerSearch } from '../contract.ts';
import type { BlockCache } from './opened.ts';
import { type Options, search } from './read.ts';

const BLOCKS = 256;

/** Creates a cache for the searches in one database. */
export const newBlockCache = (): BlockCache => new Recent(BLOCKS);

/** Returns the search functions of a reader. */
export const searchesOf = (db: Reads, options: Options) => ({
  search: ({ channelId, ...others }: MessageSearch): Promise<SearchPage> =>
    search(db, options, {
      ...others,
      ...{ serverId: null, channelIds: [channelId], isEveryChannel: false, memberId: null },
    }),
  searchServer: (scope: ServerSearch): Promise<SearchPage> =>
    search(db, options, { ...scope, order: 'desc' }),
});
