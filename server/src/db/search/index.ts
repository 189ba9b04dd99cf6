import { Recent } from '../../lib/recent.ts';
import type { MessageSearch, Reads, SearchPage, ServerSearch } from '../contract.ts';
import { prepare, q } from '../statements.ts';
import type { Directories } from './blocks.ts';
import { type Options, search } from './read.ts';

const DIRECTORIES = 256;

/** A cache for the searches in one database. */
export const newDirectories = (): Directories => new Recent(DIRECTORIES);

const serverOf = prepare((p: { id: string }) =>
  q.selectFrom('channel').select('serverId').where('id', '=', p.id),
);

/** The searches of a reader. */
export const searchesOf = (db: Reads, options: Options) => ({
  async search({ channelId, ...others }: MessageSearch): Promise<SearchPage> {
    const channel = await db.first(serverOf({ id: channelId }));
    if (!channel) return { json: new Uint8Array(), next: undefined };
    return search(db, options, { ...others, ...channel, channelIds: [channelId] });
  },
  searchServer: (scope: ServerSearch): Promise<SearchPage> =>
    search(db, options, { ...scope, order: 'desc' }),
});
