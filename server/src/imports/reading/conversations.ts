import type { ConversationRow, Ids } from '../row.ts';
import type { Losses } from './loose.ts';

interface Found {
  sourceId: string;
  createdAt: number;
  name: string | null;
  memberIds: readonly string[];
  creatorId: string | null;
}

/**
 * Returns a function that creates conversation rows. Conversations with the same members share the id of the
 * first one. A conversation with fewer than two members, such as messages to oneself, is counted as lost, and
 * the function returns undefined.
 */
export function conversationsOf(ids: Ids, losses: Losses): (found: Found) => ConversationRow | undefined {
  const idByMembers = new Map<string, string>();
  return ({ sourceId, createdAt, name, memberIds, creatorId }) => {
    const members = [...new Set(memberIds)].sort();
    if (members.length < 2) {
      losses.add('conversations', 'has fewer than two members');
      return undefined;
    }
    const key = members.join();
    const id = idByMembers.get(key) ?? ids('conversation', sourceId, createdAt);
    idByMembers.set(key, id);
    return { row: 'conversation', id, createdAt, name, memberIds: members, creatorId };
  };
}
