import { useRef } from 'react';

interface Reading {
  unread: number;
  messageId: string;
  unreadAt: number;
}

interface Since {
  /** The marker after which messages are new; undefined if there were none. */
  readonly since: string | undefined;
  /**
   * The marker's `unreadAt` when the channel or thread was opened; 0 until it is known. A later value in the store
   * means that the user has marked something as unread, which then stays unread until they leave.
   */
  readonly seenAt: number;
}

/**
 * The unread marker as it was when the channel or thread was opened. It stays the same until the user leaves, or marks
 * something as unread.
 */
export function useSince(reading: Reading | undefined): Since {
  const kept = useRef<Since & { unreadAt: number }>(undefined);
  if (reading) {
    const { unread, messageId, unreadAt } = reading;
    if (!kept.current)
      kept.current = { since: unread > 0 ? messageId : undefined, unreadAt, seenAt: unreadAt };
    // Compares markers, because the count is updated later.
    else if (kept.current.unreadAt < unreadAt) kept.current = { ...kept.current, since: messageId, unreadAt };
  }
  return kept.current ?? { since: undefined, seenAt: 0 };
}
