import { texts } from '../texts.ts';

/** Blocked users. */
export const block = texts({
  block: 'Block',
  unblock: 'Unblock',
  unblockNamed: 'Unblock {name}',
  ask: 'Block {name}?',
  askMore:
    "They can't send you direct messages, their messages in channels are collapsed, and they don't notify you. They won't know that you blocked them.",
  unblocked: '{name} is no longer blocked.',
});

/** The user's settings: privacy. */
export const privacy = texts({
  lead: 'Choose who can message you, and manage the people you block.',
  reach: 'People who can message you',
  reachMore: 'Applies to new direct messages and to replies in existing one-to-one conversations.',
  reaches: { anybody: 'Anyone in my servers', nobody: 'No one' },
  blocked: 'Blocked people',
  blockedMore:
    "They can't send you direct messages, and their messages in channels are collapsed. They won't know that you blocked them.",
  none: 'No one is blocked',
  noneMore: 'To block people, open their profile and choose “Block” from its menu.',
  unknown: 'Unknown user',
});
