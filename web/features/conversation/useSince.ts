import { useRef } from 'react';

interface Reading {
  unread: number;
  messageId: string;
  unreadAt: number;
}

interface Since {
  /** The marker after which messages are new; undefined if none were. */
  readonly since: string | undefined;
  /** The user marked something as unread since they came: it stays unread until they leave. */
  readonly isHeld: boolean;
}

/** The unread marker when a place was opened. It stays until the user leaves, or marks something as unread. */
export function useSince(reading: Reading | undefined): Since {
  const kept = useRef<Since & { unreadAt: number }>(undefined);
  if (reading) {
    const { unread, messageId, unreadAt } = reading;
    if (!kept.current) kept.current = { since: unread > 0 ? messageId : undefined, unreadAt, isHeld: false };
    // Compares markers, because the count lags behind them.
    else if (kept.current.unreadAt < unreadAt) kept.current = { since: messageId, unreadAt, isHeld: true };
  }
  return kept.current ?? { since: undefined, isHeld: false };
}
