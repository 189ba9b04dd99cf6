import { texts } from '../texts.ts';

/** The texts around messages. */
export const conversation = texts({
  label: 'Messages in {channel}',
  live: 'New messages',
  loading: 'Loading messages',
  said: '{author}: {text}',
  saidMany: '{count, plural, one {# new message} other {# new messages}}',
  unreadable: 'These messages cannot be read now',
  change: 'Change it',
  discard: 'Discard',
  toPresent: 'Latest messages',
  toNew: '{count, plural, one {# new message} other {# new messages}}',
  toManyNew: '{count} new messages',
  fresh: 'New',
  toDate: '{day}: go to another date',
  pickDate: 'Go to a date',
  monthBefore: 'Month before',
  monthAfter: 'Month after',
  gone: 'That message is not there any more',
  beginning: 'This is where {channel} begins',
  beginningMore: 'Nobody has written here yet.',
  withFiles: '{count, plural, one {with a file} other {with # files}}',
  refused: 'Not sent: {why}',
  states: {
    waiting: 'Waiting to be sent',
    sending: 'Sending…',
    sent: 'Sent',
    retrying: 'No connection. It is sent as soon as there is one.',
    old: 'Not sent. It was written a while ago: is it still meant to go out?',
  },
});

/** The texts of a message. */
export const message = texts({
  gone: 'Former member',
  edited: 'edited',
  editedAt: 'Edited {when}',
  pinned: 'Pinned',

  // What it answers, and its thread.
  answers: 'Answers:',
  answeredGone: 'The message that it answers was deleted',
  answeredLoading: 'Loading the message that it answers',
  replies: '{count, plural, =0 {Thread} one {# reply} other {# replies}}',
  draft: 'a draft',
  stuck: 'a reply of yours was not sent',
  lastReply: 'last {when}',

  // What can be done with it.
  actions: 'Actions',
  more: 'More actions',
  react: 'Add a reaction',
  reactWith: 'React with {emoji}',
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
  copyFailed: 'The browser did not let it be copied',
  markUnread: 'Mark as unread',
  deleteTitle: 'Delete this message?',
  deleteText: 'It is gone for good, with its reactions and its pin.',

  // While it is edited.
  editLabel: 'Edit the message',
  editKeys: 'Enter saves, Escape cancels',

  // What it said before.
  editsLoading: 'Looking through the event log',
  editsUnknown: 'The event log no longer has what it said at first.',
  present: 'now',
  tooLong: '{over, plural, one {# character too many} other {# characters too many}}',
});

/** The texts for somebody whose message was deleted while they edited it. */
export const messageGone = texts({
  gone: 'The message that you were editing was deleted.',
  write: 'Write it anew',
  copy: 'Copy your text',
});

/** The texts of the field in which messages are written. */
export const composer = texts({
  message: 'Message {channel}',
  reply: 'Write in this thread',
  /** Beside files: their names are sent if there are no words. */
  aboutFiles: 'Say something, or send it',
  send: 'Send',
  attach: 'Add files',
  emoji: 'Emoji',
  completions: { '@': 'People', '#': 'Channels', ':': 'Emoji' },
  found: '{count, plural, one {# suggestion} other {# suggestions}}',
  replying: 'Replying to {name}',
  somebody: 'somebody',
  stopReply: 'Do not reply',
  left: '{count, plural, one {# character left} other {# characters left}}',
  over: '{count, plural, one {# character too many} other {# characters too many}}',
  held: 'Your message goes out as soon as the files are uploaded.',
  stopHold: 'Stop',
  slow: '{seconds, plural, one {You are faster than this server allows. Your next messages go out in about # second.} other {You are faster than this server allows. Your next messages go out in about # seconds.}}',
  tooMany: '{count, plural, one {A message takes up to # file.} other {A message takes up to # files.}}',
  noFolders: 'Folders cannot be sent. Choose the files in them.',
  locked: 'This thread is locked',
  lockedMore: 'Only moderators write in it.',
  readonly: 'This channel is read-only',
  readonlyMore: 'Only moderators write in it.',
  mayNot: 'You may not write here',
  mayNotMore: 'Your roles do not allow it.',
  mayNotNeed: 'It takes a role with {flags, list}.',
});

/** The texts of files that are to be sent. */
export const upload = texts({
  list: 'Files to be sent',
  waiting: 'Waiting',
  checking: 'Almost there…',
  progress: 'Upload of {name}',
  again: 'Upload {name} again',
  cancel: 'Cancel the upload of {name}',
  dropHere: 'Drop files here to send them to {name}',
  most: '{count, plural, one {Up to # file a message} other {Up to # files a message}}',
});

/** The texts of files. */
export const attachment = texts({
  open: 'Open {name}',
  download: 'Download {name}',
  save: 'Download',
  failed: 'This picture cannot be loaded',
  more: '+{count}',
  place: '{at} of {of}',
  previous: 'Previous picture',
  next: 'Next picture',
  zoomIn: 'Show in full size',
  zoomOut: 'Fit into the window',
  original: 'Open the original',
});

/** The texts of reactions. */
export const reaction = texts({
  reactions: 'Reactions',
  add: 'Add a reaction',
  chip: '{emoji}, {count, plural, one {# reaction} other {# reactions}}',
  chipWithMine: '{emoji}, {count, plural, one {# reaction} other {# reactions}}, yours too',
  who: '{names, list}: {emoji}',
  others: '{count, plural, one {# other} other {# others}}',
  whoReacted: 'Who reacted',
  nobody: 'Nobody has reacted.',
});

/** The texts of the choice of emoji. */
export const emoji = texts({
  label: 'Emoji',
  search: 'Search emoji',
  toGroup: 'Kinds of emoji',
  none: 'No emoji has these words.',
  found: '{count, plural, =0 {No emoji} one {# emoji} other {# emoji}}',
  groups: {
    recent: 'Often used',
    found: 'Found',
    smileys: 'Smileys',
    people: 'People',
    nature: 'Animals and nature',
    food: 'Food and drink',
    travel: 'Travel and places',
    activities: 'Activities',
    objects: 'Objects',
    symbols: 'Symbols',
    flags: 'Flags',
  },
  tone: 'Skin tone',
  tones: ['No skin tone', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],
});

/** The texts within messages. */
export const markdown = texts({
  picture: 'Picture',
  done: 'Done',
  table: 'Table',
  spoiler: 'Hidden text: show it',
  copyCode: 'Copy the code',
  all: 'Show all',
  less: 'Show less',
});

/** The texts of who is typing. */
export const typing = texts({
  are: '{people, list} {count, plural, one {is} other {are}} typing…',
  many: 'Several people are typing…',
});
