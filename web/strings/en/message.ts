import { plural } from '../format.ts';

/** The texts of a message. */
export const message = {
  gone: 'Former member',
  agent: 'Agent',
  edited: 'edited',
  editedAt: (when: string) => `Edited ${when}`,
  pinned: 'Pinned',

  // What it answers, and its thread.
  answers: 'Answers:',
  answeredGone: 'The message that it answers was deleted',
  answeredLoading: 'Loading the message that it answers',
  replies: (count: number) => plural(count, { zero: 'Thread', one: '# reply', other: '# replies' }),
  draft: 'a draft',
  stuck: 'a reply of yours was not sent',
  lastReply: (when: string) => `last ${when}`,

  // What can be done with it.
  actions: 'Actions',
  more: 'More actions',
  react: 'Add a reaction',
  reactWith: (emoji: string) => `React with ${emoji}`,
  who: 'Who reacted',
  reply: 'Reply',
  quote: 'Quote',
  thread: 'Start a thread',
  openThread: 'Open the thread',
  edit: 'Edit',
  edits: 'Earlier versions',
  pin: 'Pin',
  unpin: 'Unpin',
  copyText: 'Copy the text',
  copyLink: 'Copy a link',
  copied: 'Copied',
  copyFailed: 'The browser did not let it be copied',
  markUnread: 'Mark as unread',
  delete: 'Delete',
  deleteTitle: 'Delete this message?',
  deleteText: 'It is gone for good, with its reactions and its pin.',

  // While it is edited.
  editLabel: 'Edit the message',
  save: 'Save',
  cancel: 'Cancel',
  editKeys: 'Enter saves, Escape cancels',

  // What it said before.
  editsLoading: 'Looking through the event log',
  editsUnknown: 'The event log no longer has what it said at first.',
  present: 'now',
  tooLong: (over: number) => plural(over, { one: '# character too many', other: '# characters too many' }),
};
