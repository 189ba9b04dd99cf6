import { texts } from '../texts.ts';

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
