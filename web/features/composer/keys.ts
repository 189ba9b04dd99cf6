import type { KeyboardEvent } from 'react';
import type { Session } from '../../replica/index.ts';
import { hasMouse } from '../../ui/index.ts';
import { startEditing } from '../editing/index.ts';
import { openFence } from './fence.ts';
import { formatted } from './formatKeys.ts';
import { insertIn } from './replaceIn.ts';
import { replyAt, stopReply } from './replying/index.ts';
import type { Completion } from './useCompletion.ts';

/**
 * On phones, Enter starts a new line, because their keyboards have no other key for that. The button sends
 * the message.
 */
export const sendsByEnter = hasMouse;

/** Handles Enter in a fenced code block, where it starts a new line. Returns false elsewhere. */
export function continuedFence(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
  const area = event.currentTarget;
  const before = openFence(area.value.slice(0, area.selectionStart));
  if (before === undefined) return false;
  if (before) {
    event.preventDefault();
    insertIn(area, `\n${before}`);
  }
  return true;
}

interface KeyedProps {
  completion: Completion;
  session: Session;
  placeId: string;
  send: () => Promise<void>;
}

/** Handles keyboard shortcuts in the composer's field. */
export function keyed(
  event: KeyboardEvent<HTMLTextAreaElement>,
  { completion, session, placeId, send }: KeyedProps,
): void {
  const area = event.currentTarget;
  if (completion.keyed(event) || formatted(event)) return;
  const isPlain = !event.altKey && !event.shiftKey;
  const hasControl = (event.ctrlKey || event.metaKey) && isPlain;
  const isEnter = event.key === 'Enter' && isPlain;
  // In an open code block, Enter inserts a line break. Ctrl+Enter sends the message.
  if (isEnter && (hasControl || (sendsByEnter() && !continuedFence(event)))) void send();
  else if (event.key === 'ArrowUp' && area.value === '' && isPlain && !hasControl) {
    if (!editLast(session, placeId)) return;
  } else if (event.key === 'Escape' && replyAt(placeId) !== undefined) stopReply(placeId);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Starts editing the user's last message. Returns false if there is none. */
function editLast({ lines, replica }: Session, placeId: string): boolean {
  const { ids = [] } = lines.get(placeId) ?? {};
  const own = ids
    .map((id) => replica.row('message', id))
    .findLast((row) => row?.creatorId === replica.userId);
  if (own === undefined) return false;
  startEditing(own);
  return true;
}
