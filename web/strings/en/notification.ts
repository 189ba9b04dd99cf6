import { plural } from '../format.ts';

/** The texts of notifications: the inbox, and what the browser tells. */
export const notification = {
  inbox: 'Inbox',
  inboxWith: (count: number) =>
    plural(count, { zero: 'Inbox', one: 'Inbox: # unread', other: 'Inbox: # unread' }),
  somebody: 'Somebody',
  told: {
    mention: (name: string) => `${name} mentioned you`,
    reply: (name: string) => `${name} replied to you`,
    thread: (name: string) => `${name} replied in a thread`,
  },
  unread: 'Unread: ',
  read: 'Mark as read',
  readAll: 'Mark all as read',
  clear: 'Remove',
  clearAll: 'Remove all',
  clearAsk: 'Remove all notifications?',
  clearMore: 'Those of all servers go, read or not. The messages stay.',
  more: 'More about the inbox',
  none: 'Nothing here',
  noneMore: 'Mentions of you, replies to you, and replies in your threads arrive here.',
  goneMessage: 'This message was deleted, or you may no longer see it.',
  removed: (server: string) => `You are no longer in ${server}.`,
  device: 'Notify me in this browser',
  deviceHint:
    'While this page is in the background. Muted channels, and a status of “Do not disturb”, stay quiet.',
  deviceRefused: 'Your browser does not let this page notify you. Its settings for this site can allow it.',
  notices: {
    message: (name: string, channel: string) => `${name} in ${channel}`,
    mention: (name: string, channel: string) => `${name} mentioned you in ${channel}`,
    reply: (name: string, channel: string) => `${name} replied to you in ${channel}`,
    thread: (name: string, channel: string) => `${name} replied in a thread in ${channel}`,
  },
};
