import { texts } from '../texts.ts';

/** The list of messages. */
export const conversation = texts({
  label: 'Messages in {channel}',
  live: 'New messages',
  loading: 'Loading messages',
  said: '{author}: {text}',
  saidMany: '{count, plural, one {# new message} other {# new messages}}',
  unreadable: "Couldn't load messages",
  notLoaded: "You're offline",
  notLoadedMore:
    "This channel hasn't been opened on this device yet. It loads as soon as you're back online.",
  change: 'Edit',
  discard: 'Discard',
  toPresent: 'Jump to latest',
  toNew: '{count, plural, one {# new message} other {# new messages}}',
  toManyNew: '{count} new messages',
  fresh: 'New',
  toDate: '{day}: jump to another date',
  pickDate: 'Jump to a date',
  monthBefore: 'Previous month',
  monthAfter: 'Next month',
  gone: 'This message no longer exists',
  beginning: 'This is the beginning of {channel}',
  beginningMore: 'No messages yet.',
  beginningActs: { describe: 'Add a description', write: 'Write the first message' },
  withFiles: '{count, plural, one {with a file} other {with # files}}',
  refused: 'Not sent: {why}',
  states: {
    waiting: 'Queued',
    sending: 'Sending…',
    sent: 'Sent',
    retrying: "No connection. We'll send it as soon as you're back online.",
    old: 'Not sent. You wrote this a while ago. Send it anyway?',
    held: 'A moderator has to approve this message first.',
  },
  slowed: "You're sending messages too quickly. We'll send this one in a moment.",
  withdraw: 'Withdraw',
  hide: 'Hide',
});

export const message = texts({
  gone: 'Former member',
  stop: 'Stop',
  stopped: 'stopped',
  edited: 'edited',
  editedAt: 'Edited {when}',
  pinned: 'Pinned',
  saved: 'Saved',
  blocked: 'Message from someone you blocked.',
  showBlocked: 'Show',

  // Replies and threads.
  answers: 'In reply to:',
  answeredGone: 'The original message was deleted',
  answeredLoading: 'Loading the original message',
  replies: '{count, plural, =0 {Thread} one {# reply} other {# replies}}',
  draft: 'draft',
  stuck: 'unsent reply',
  lastReply: 'last {when}',

  // Actions.
  actions: 'Actions',
  more: 'More actions',
  react: 'Add reaction',
  reactWith: 'React with {emoji}',
  who: 'View reactions',
  reply: 'Reply',
  quote: 'Quote',
  thread: 'Start thread',
  openThread: 'View thread',
  edit: 'Edit',
  edits: 'View edit history',
  pin: 'Pin',
  unpin: 'Unpin',
  forward: 'Forward',
  copyText: 'Copy text',
  copyLink: 'Copy link',
  copyFailed: 'Your browser blocked copying',
  markUnread: 'Mark as unread',
  save: 'Save for later',
  unsave: 'Remove from saved',
  remind: 'Remind me…',
  report: 'Report',
  deleteTitle: 'Delete message?',
  deleteText: 'This permanently deletes the message, along with its reactions and its pin.',

  // Editing.
  editLabel: 'Edit message',
  editKeys: 'Enter to save, Escape to cancel',

  // Edit history.
  editsLoading: 'Loading edit history',
  editsUnknown: 'The original text is unknown.',
  present: 'current',
  tooLong: '{over, plural, one {# character over the limit} other {# characters over the limit}}',
});

/** Shown if a message was deleted while the user was editing it. */
export const messageGone = texts({
  gone: 'The message you were editing was deleted.',
  write: 'Send as new message',
  copy: 'Copy your text',
});

/** The composer. */
export const composer = texts({
  message: 'Message {channel}',
  reply: 'Reply in thread',
  /** The placeholder when files are attached, which can be sent without text. */
  aboutFiles: 'Add a message (optional)',
  send: 'Send',
  schedule: 'Schedule message',
  attach: 'Attach files',
  emoji: 'Emoji',
  showFormatting: 'Show formatting',
  hideFormatting: 'Hide formatting',
  completions: { '@': 'People', '#': 'Channels', ':': 'Emoji', '/': 'Commands' },
  groups: {
    everyone: 'Notify everyone in this channel',
    here: 'Notify everyone who is online',
    role: 'Notify everyone with this role',
  },
  notifyEveryone: 'Notify up to {count, plural, one {# person} other {# people}}?',
  notifyHere: 'Notify everyone who is online?',
  notifyMore:
    '{count, plural, one {This server has # member.} other {This server has # members.}} {group} notifies everyone who can see this channel.',
  notifyHereMore:
    '{count, plural, one {This server has # member.} other {This server has # members.}} {group} notifies everyone who is online and can see this channel.',

  found: '{count, plural, one {# suggestion} other {# suggestions}}',
  replying: 'Replying to {name}',
  somebody: 'someone',
  stopReply: 'Cancel reply',
  left: '{count, plural, one {# character left} other {# characters left}}',
  over: '{count, plural, one {# character over the limit} other {# characters over the limit}}',
  /** A draft that is too long is not saved on the server. */
  onlyHere: 'This draft is too long to sync. It stays on this device until you shorten it.',
  held: 'Your message will be sent once the files are uploaded.',
  slow: "{seconds, plural, one {You're sending messages too quickly. The next one will be sent in about # second.} other {You're sending messages too quickly. The next one will be sent in about # seconds.}}",
  tooMany:
    '{count, plural, one {You can attach up to # file per message.} other {You can attach up to # files per message.}}',
  noFolders: "Folders can't be sent. Choose the files inside instead.",
  locked: 'This thread is locked',
  lockedMore: 'Only admins and moderators can reply.',
  readonly: 'This channel is read-only',
  readonlyMore: 'Only admins and moderators can post.',
  mayNot: "You can't post here",
  mayNotMore: "Your roles don't allow it.",
});

/** Files attached to the composer. */
export const upload = texts({
  list: 'Attachments',
  waiting: 'Queued',
  checking: 'Processing…',
  progress: 'Uploading {name}',
  again: 'Retry upload of {name}',
  cancel: 'Cancel upload of {name}',
  dropHere: 'Drop files to send them to {name}',
  most: '{count, plural, one {Up to # file per message} other {Up to # files per message}}',
});

/** Files attached to messages. */
export const attachment = texts({
  open: 'Open {name}',
  download: 'Download {name}',
  failed: "Couldn't load this image",
  more: '+{count}',
  place: '{at} of {of}',
  previous: 'Previous image',
  next: 'Next image',
  zoomIn: 'View full size',
  zoomOut: 'Fit to window',
  original: 'Open original',
  play: 'Play {name}',
  pause: 'Pause {name}',
  seek: 'Position in {name}',
  seekAt: '{at} of {of}',
  mute: 'Mute {name}',
  unmute: 'Unmute {name}',
  fullscreen: 'Full screen: {name}',
  unplayable: "Couldn't play this file",
  preview: 'Preview {name}',
  previewOf: 'Preview of {name}',
  hidePreview: 'Hide preview of {name}',
  previewFailed: "Couldn't load the preview",
  firstPart: 'Only the beginning is shown.',
});

/** Reactions. */
export const reaction = texts({
  reactions: 'Reactions',
  add: 'Add reaction',
  chip: '{emoji}, {count, plural, one {# reaction} other {# reactions}}',
  chipWithMine: '{emoji}, {count, plural, one {# reaction} other {# reactions}}, including yours',
  who: '{names, list}: {emoji}',
  others: '{count, plural, one {# other} other {# others}}',
  whoReacted: 'Reactions',
  nobody: 'No reactions yet',
});

/** The emoji picker. */
export const emoji = texts({
  label: 'Emoji',
  search: 'Search emoji',
  toGroup: 'Emoji categories',
  none: 'No emoji found.',
  found: '{count, plural, =0 {No emoji} one {# emoji} other {# emoji}}',
  groups: {
    recent: 'Frequently used',
    custom: 'Custom',
    found: 'Results',
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

/** Rendered Markdown. */
export const markdown = texts({
  picture: 'Image',
  done: 'Done',
  table: 'Table',
  spoiler: 'Show spoiler',
  copyCode: 'Copy code',
  /** A link to a message, shown by its channel. */
  messageIn: '#{channel} › message',
  messageBy: '#{channel} › message from {name}',
  threadIn: '#{channel} › thread',
  all: 'Show all',
  less: 'Show less',
});

/** Typing indicators. */
export const typing = texts({
  are: '{people, list} {count, plural, one {is} other {are}} typing…',
  many: 'Several people are typing…',
});

/** Activity indicators of agents. */
export const activity = texts({
  thinking: '{name} is thinking…',
  working: '{name} is working…',
  doing: '{name}: {text}',
});

/** The dialog that reports a message. */
export const report = texts({
  title: 'Report message?',
  text: "Moderators see a copy of this message, your name and the reason. The author isn't notified.",
  reason: 'Why are you reporting it?',
  submit: 'Report',
  done: 'Message reported.',
});
