import type { Reader } from '../../db/contract.ts';
import { prepare, q } from '../../db/statements.ts';

/** Maximum log events that a cache catches up with. If there are more, the cache is dropped instead. */
const MAX_NEWS = 2_000;
/** Number of events per statement. */
const PAGE = 500;

/** An event in a server's log, reduced to the fields that the caches need. */
export interface News {
  seq: number;
  type: string;
  channelId: string | null;
  /** The id of the message, if the event references one. */
  contentOf: string | null;
  /** The event's data as JSON. */
  data: string;
}

const page = prepare((p: { logId: string; after: number; last: number }) =>
  q
    .selectFrom('event')
    .select(['seq', 'type', 'channelId', 'contentOf', 'data', 'epoch'])
    .where('logId', '=', p.logId)
    .where('seq', '>', p.after)
    .where('seq', '<=', p.last)
    .orderBy('seq')
    .limit(PAGE),
);

/**
 * Returns the events of a log after one sequence number, up to another one. Undefined if there are too many,
 * if retention has removed some of them, or if they belong to another epoch.
 */
export async function newsBetween(
  db: Reader,
  logId: string,
  { seq, epoch }: { seq: number; epoch: string },
  last: number,
): Promise<News[] | undefined> {
  if (last - seq > MAX_NEWS) return undefined;
  const news: News[] = [];
  for (let after = seq; after < last; ) {
    const found = await db.all(page({ logId, after, last }));
    for (const one of found) {
      if (one.seq !== after + 1 || one.epoch !== epoch) return undefined;
      after = one.seq;
      news.push(one);
    }
    if (found.length === 0) return undefined;
  }
  return news;
}
