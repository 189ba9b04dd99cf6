import { texts } from '../texts.ts';

/** The formatting toolbar of the composer. */
export const formatting = texts({
  label: 'Formatting',
  formats: {
    bold: ['Bold', 'Ctrl B', '⌘ B'],
    italic: ['Italic', 'Ctrl I', '⌘ I'],
    strike: ['Strikethrough', 'Ctrl Shift X', '⌘ ⇧ X'],
    link: ['Link', 'Ctrl Shift U', '⌘ ⇧ U'],
    ordered: ['Ordered list', 'Ctrl Shift 7', '⌘ ⇧ 7'],
    bulleted: ['Bulleted list', 'Ctrl Shift 8', '⌘ ⇧ 8'],
    quote: ['Quote', 'Ctrl Shift 9', '⌘ ⇧ 9'],
    code: ['Code', 'Ctrl E', '⌘ E'],
    block: ['Code block', 'Ctrl Alt Shift C', '⌘ ⌥ ⇧ C'],
  },
  nothing: 'Nothing to preview',
  help: 'Formatting help',
  typed: 'You type',
  shown: 'You see',
  more: 'Type a backslash before a character to show it unformatted.',
  samples: [
    '**bold**',
    '*italic*',
    '~~strikethrough~~',
    '[label](https://example.com)',
    '1. first\n2. second',
    '- item\n- item',
    '- [x] done\n- [ ] to do',
    '> quote',
    '`code`',
    '```js\nlet code = 1;\n```',
    '# Heading',
    '| A | B |\n|---|---|\n| 1 | 2 |',
    '||spoiler||',
    '\\*not italic\\*',
  ],
});

/** Blocks in agents' messages. */
export const blocks = texts({
  choose: 'Choose…',
  submit: 'Submit',
  somebody: 'someone',
  tasks: '{done} of {count} done',
  states: { pending: 'Not started', working: 'In progress', done: 'Done', failed: 'Failed' },
  pending: 'Waiting for {name}…',
  done: 'Done',
  failed: "{name} couldn't do this. You can try again.",
  expired: "{name} didn't answer in time. You can try again.",
  pressed: 'done',
  onlyYou: 'Only you can see this',
  dismiss: 'Dismiss',
  decideFirst: '{names, list} can decide.',
  decideAll: 'Needs a decision from {names, list}.',
  decided: '{name} chose “{choice}” {when}',
  notAsked: "You can't decide this",
  alreadyDecided: "You've already decided",
  over: 'Already decided',
  removePreviews: 'Remove link previews',
});

/** Agents' commands. */
export const commands = texts({
  unknown: 'A command',
  options: {
    required: 'required',
    text: 'Text',
    number: 'Number',
  },
  missing: 'Option “{name}” is missing.',
  tooMany: "“{text}” doesn't match any option of this command.",
  twice: 'Option “{name}” appears more than once.',
  number: 'Option “{name}” must be a number.',
  boolean: 'Option “{name}” must be true or false.',
  choice: 'Option “{name}” must be one of {choices, list}.',
  user: 'Option “{name}” must be a member, such as @ada.',
  channel: 'Option “{name}” must be a channel, such as #general.',
});

/** The pages of saved and scheduled messages. */
export const later = texts({
  title: 'Later',
  sections: { saved: 'Saved', scheduled: 'Scheduled' },
  inThread: 'thread',
  /** Times, within a sentence. */
  today: 'today at {time}',
  tomorrow: 'tomorrow at {time}',
  date: '{date}',
  dateAndTime: 'Date and time',
  zone: 'In your time zone, {zone}',
});

/** Saved messages. */
export const saved = texts({
  lead: 'Messages that you saved for later, from all servers. Only you can see this list.',
  none: 'No saved messages',
  noneMore: 'Choose “Save for later” in the menu of a message. You can also set a reminder for it.',
  saved: 'Saved for later.',
  removed: 'Removed from saved.',
  gone: 'This message was deleted, or you no longer have access.',
  view: 'View',
  remove: 'Remove from saved',
  reminder: 'Reminder: {when}',
  remind: 'Remind me',
  changeReminder: 'Change reminder',
  removeReminder: 'Remove reminder',
  set: 'Reminder set for {when}.',
  unset: 'Reminder removed.',
  setAction: 'Set reminder',
  in: {
    minutes: 'In 20 minutes',
    hour: 'In 1 hour',
    hours: 'In 3 hours',
    tomorrow: 'Tomorrow',
    week: 'Next week',
    custom: 'Custom time…',
  },
});

/** Scheduled messages. */
export const scheduled = texts({
  lead: "Your scheduled messages, from all servers. They're sent under your name if you can still post in the channel.",
  none: 'No scheduled messages',
  noneMore: 'Write a message and choose “Schedule message” next to the send button.',
  schedule: 'Schedule message',
  empty: 'Write a message first',
  noFiles: "Messages with files can't be scheduled",
  tomorrow: 'Tomorrow at {time}',
  weekday: '{day} at {time}',
  custom: 'Custom time…',
  all: 'View scheduled messages',
  done: 'Message scheduled for {when}.',
  for: 'Scheduled for {when}',
  to: 'To {place}',
  unknown: 'a channel you can no longer see',
  failed: 'Not sent: {why}',
  edit: 'Edit message',
  message: 'Message',
  again: 'Try again',
  sendNow: 'Send now',
  more: 'Options for this message',
  sent: 'Message sent.',
  deleteAsk: 'Delete scheduled message?',
  deleteMore: "It won't be sent, and its text is lost.",
  /** The line above the composer. */
  here: '{count, plural, one {1 message scheduled for {when}.} other {# messages scheduled, the next one for {when}.}}',
  failedHere:
    "{count, plural, one {A scheduled message wasn't sent.} other {# scheduled messages weren't sent.}}",
  view: 'View',
});

/** The page of keyboard shortcuts. */
export const shortcuts = texts({
  lead: 'Palaver works without a mouse. Press Tab to move between areas, and the arrow keys to move within one.',
  groups: [
    {
      title: 'General',
      keys: [
        ['Find a channel, person, action, setting or date', 'Ctrl K', '⌘ K'],
        ['Previous or next channel', 'Alt ↑', 'Alt ↓'],
        ['Previous or next unread channel', 'Alt Shift ↑', 'Alt Shift ↓'],
        ['Open the menu of a channel or server', 'Shift F10'],
        ['Search this server', 'Ctrl F', '⌘ F'],
        ['Open, focus or close the inbox', 'Ctrl Shift M', '⌘ ⇧ M'],
        ['Close', 'Esc'],
      ],
    },
    {
      title: 'Messages',
      keys: [
        ['Previous or next message', '↑', '↓'],
        ['Move focus into the message', 'Enter'],
        ['Move focus back out', 'Esc'],
        ['Reply, quote, or open thread', 'R', 'Q', 'T'],
        ['React, edit, or pin', '+', 'E', 'P'],
        ['Copy text or link', 'C', 'L'],
        ['Mark as unread, or delete', 'U', 'Del'],
        ['Save for later', 'S'],
      ],
    },
    {
      title: 'Inbox',
      keys: [
        ['Previous or next notification', '↑', '↓'],
        ['Open the message', 'Enter'],
        ['Mark as read, or remove', 'M', 'Del'],
        ['Go to the filter', 'Shift Tab'],
      ],
    },
    {
      title: 'Writing',
      keys: [
        ['Send', 'Enter'],
        ['New line', 'Shift Enter'],
        ['Edit your last message (in an empty field)', '↑'],
        ['Bold, italic, code', 'Ctrl B', 'Ctrl I', 'Ctrl E', '⌘ B', '⌘ I', '⌘ E'],
        ['Strikethrough, link', 'Ctrl Shift X', 'Ctrl Shift U', '⌘ ⇧ X', '⌘ ⇧ U'],
        ['Ordered list', 'Ctrl Shift 7', '⌘ ⇧ 7'],
        ['Bulleted list, quote', 'Ctrl Shift 8', 'Ctrl Shift 9', '⌘ ⇧ 8', '⌘ ⇧ 9'],
        ['Code block', 'Ctrl Alt Shift C', '⌘ ⌥ ⇧ C'],
      ],
    },
  ],
});
