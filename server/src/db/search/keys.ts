import { keysOf } from '../../lib/text/find.ts';
import { searchText } from '../../lib/text/indexed.ts';

/** The columns of a message that the index covers. */
export interface Indexable {
  id: string;
  serverId: string;
  channelId: string;
  creatorId: string;
  type: string;
  isThreadReply: boolean;
  content: string;
  /** The members of a direct message; null in other channels. */
  memberIds: readonly string[] | null;
}

/** Prefix of the keys that are not words. No word contains it. */
const MARK = '\u0001';
/** Formats an id for use in a facet. */
export const compact = (id: string): string => id.replaceAll('-', '');

/** The keys for search filters other than words. */
export const facets = {
  channel: (id: string) => `${MARK}c${compact(id)}`,
  author: (id: string) => `${MARK}a${compact(id)}`,
  type: (type: string) => `${MARK}t${type}`,
  reply: `${MARK}r`,
  /** The key for messages that are not in direct messages. */
  listed: `${MARK}l`,
  /** The key for messages in the direct messages of a user. */
  member: (userId: string) => `${MARK}m${compact(userId)}`,
};

/** Returns the facets of a message as keys. */
const facetsOf = (row: Omit<Indexable, 'content'>): string[] => [
  facets.channel(row.channelId),
  facets.author(row.creatorId),
  facets.type(row.type),
  ...(row.isThreadReply ? [facets.reply] : []),
  ...(row.memberIds?.map(facets.member) ?? [facets.listed]),
];

/** Extracts the words of a message as keys. An object, so that tests can replace the function. */
export const words = { of: (content: string): Iterable<string> => keysOf(searchText(content)) };

/**
 * Returns the keys of a message. If extracting its words fails, reports the failure and returns only the
 * facets.
 */
export function keysFor(row: Indexable, failing: Map<string, string>): string[] {
  try {
    return [...facetsOf(row), ...words.of(row.content)];
  } catch (error) {
    failing.set(row.id, (error as Error).message);
    return facetsOf(row);
  }
}
