import type { ColumnTypes } from '../migrate.ts';
import { authorsFirst } from '../sqlite/authorIndex.ts';

/**
 * Indexes messages by author before channel, so the channels of an author are found without reading the
 * others.
 */
export default (t: ColumnTypes): string[] =>
  t.dialect === 'sqlite'
    ? authorsFirst
    : // The condition is true for all rows. It makes PostgreSQL use `message_creator` for a single channel.
      ['create index message_author on message ("creatorId", "channelId") where "createdAt" >= 0'];

export const isBackwardCompatible = true;
