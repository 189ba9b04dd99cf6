import { api } from '../../api/index.ts';
import type { Records } from '../../api/records.ts';
import type { Session } from '../../replica/index.ts';

interface Reacted {
  serverId: string;
  messageId: string;
  emoji: string;
}

/**
 * Loads a page of users who reacted to a message with an emoji, and stores them in the replica. Throws
 * PalaverError.
 */
export function readReactors(
  session: Session,
  { serverId, ...reacted }: Reacted,
  { cursor, limit = 100 }: { cursor?: string | undefined; limit?: number } = {},
) {
  const page = { ...reacted, expand: 'user', limit, ...(cursor !== undefined && { cursor }) } as const;
  return session.actions.load(
    () => api(serverId).reactionsByMessageId(page),
    (rows) => ({
      user: Object.values(
        (rows as { expanded?: { users?: Record<string, Records['User']> } }).expanded?.users ?? {},
      ),
    }),
  );
}
