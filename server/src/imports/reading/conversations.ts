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
 * Makes rows of conversations. Those with the same members get the same id, that of the first. Undefined, and counted as
 * lost, for one with fewer than two members, such as notes to oneself.
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
