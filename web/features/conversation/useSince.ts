import { useRef } from 'react';

interface Reading {
  unread: number;
  messageId: string;
  unreadAt: number;
}

interface Since {
  /** The marker after which messages are new; undefined if none were. */
  readonly since: string | undefined;
  /** The person has marked something as unread since they came: it stays so until they leave. */
  readonly isHeld: boolean;
}

/** What was unread when a place was opened. It stays marked until the person leaves, or marks something themselves. */
export function useSince(reading: Reading | undefined): Since {
  const kept = useRef<Since & { unreadAt: number }>(undefined);
  if (reading) {
    const { unread, messageId, unreadAt } = reading;
    if (!kept.current) kept.current = { since: unread > 0 ? messageId : undefined, unreadAt, isHeld: false };
    // The count follows a moment after the marker, so it is not asked.
    else if (kept.current.unreadAt < unreadAt) kept.current = { since: messageId, unreadAt, isHeld: true };
  }
  return kept.current ?? { since: undefined, isHeld: false };
}
