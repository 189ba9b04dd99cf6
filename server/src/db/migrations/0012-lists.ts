import type { ColumnTypes } from '../migrate.ts';

/** Adds indexes for the lists of a channel's threads and a message's reactions. */
export default (_t: ColumnTypes): string[] => [
  'create index thread_list on thread ("channelId", id)',
  'drop index thread_channel',
  'create index reaction_list on reaction ("messageId", id)',
];
