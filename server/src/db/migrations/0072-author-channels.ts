import type { ColumnTypes } from '../migrate.ts';
import { authorsFirst } from '../sqlite/authorIndex.ts';

/** Indexes messages by author before channel, so the channels of an author are found without reading the others. */
export default (t: ColumnTypes): string[] =>
  t.dialect === 'sqlite'
    ? authorsFirst
    : // All rows. The condition keeps the planner from using the index for one channel, instead of `message_creator`.
      ['create index message_author on message ("creatorId", "channelId") where "createdAt" >= 0'];

export const isBackwardCompatible = true;
