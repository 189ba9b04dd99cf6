import type { Reader } from '../../db/contract.ts';
import type { CachedPage } from '../../db/pageCache.ts';
import type { Position } from '../../operations/operation.ts';
import { filteredPage, isPlain, type MessageQuery } from './page.ts';

/** The size of pages that are cached. It is the default for pages and views, which nearly all clients use. */
const CACHED_LIMIT = 50;

/**
 * Returns the latest messages of a channel from a cache; undefined if they are not cached. All readers share
 * them, so they must not contain personal data.
 */
export const cachedLatest = (
  db: Reader,
  { id, isBeingSwept }: { id: string; isBeingSwept: boolean },
  { limit, isThreadReply }: Pick<MessageQuery, 'limit' | 'isThreadReply'>,
): Promise<CachedPage> | undefined =>
  limit === CACHED_LIMIT && !isBeingSwept
    ? db.pageOf(id, String(isThreadReply), () =>
        filteredPage(db, id, { limit, isThreadReply }, undefined, false),
      )
    : undefined;

/** Whether the query selects the latest page, with no parameter except the limit. */
export const isLatest = ({ order, q: words, ...query }: MessageQuery, position?: Position): boolean =>
  position === undefined && order === undefined && words === undefined && isPlain(query);
