import { Recent } from '../../lib/recent.ts';
import type { MessageSearch, Reads, SearchPage, ServerSearch } from '../contract.ts';
import type { Directories } from './blocks.ts';
import { type Options, search } from './read.ts';

const DIRECTORIES = 256;

/** Creates a cache for the searches in one database. */
export const newDirectories = (): Directories => new Recent(DIRECTORIES);

/** Returns the search functions of a reader. */
export const searchesOf = (db: Reads, options: Options) => ({
  search: ({ channelId, ...others }: MessageSearch): Promise<SearchPage> =>
    search(db, options, { ...others, serverId: null, channelIds: [channelId], memberId: null }),
  searchServer: (scope: ServerSearch): Promise<SearchPage> =>
    search(db, options, { ...scope, order: 'desc' }),
});
