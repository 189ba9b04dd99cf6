import { texts } from '../texts.ts';

/** The texts of the menu of a channel. */
export const channelMenu = texts({
  label: 'Menu of {name}',
  threads: 'Threads',
  toDate: 'Go to a date…',
  markRead: 'Mark as read',
  settings: 'Channel settings',
});

/** The texts of the menu of a server. */
export const serverMenu = texts({
  menu: '{name}: menu of the server',
  readAll: 'Mark everything as read',
  settings: 'Server settings',
  leave: 'Leave the server',
  leaveAsk: 'Leave {name}?',
  leaveMore: 'You come back only by a new invite.',
});

/** The texts of how much one is told of: of a server, or a channel. */
export const level = texts({
  mute: 'Mute',
  muted: 'Muted',
  muteFor: { hour: 'For an hour', morning: 'For 8 hours', day: 'For a day', always: 'Until I turn it on' },
  unmute: 'Turn sound on again',
  level: 'Notify me of',
  levels: { all: 'All messages', mentions: 'Mentions only', nothing: 'Nothing' },
  asServer: 'As in the server',
});

/** The texts of inviting people. */
export const invite = texts({
  lead: 'You get a link to send. Whoever opens it signs up or in, and is a member.',
  span: 'The link works for',
  hours: '{hours, plural, one {An hour} other {# hours}}',
  days: '{days, plural, one {A day} other {# days}}',
  ever: 'As long as nobody revokes it',
  uses: 'It lets in',
  people: '{count, plural, one {One person} other {# people}}',
  anybody: 'Everybody who has it',
  make: 'Make the link',
  share: 'Send this link',
  ready: 'Send it to the people whom you want here, or let a phone scan the code.',
  code: 'QR code of the invite',
  all: 'All invites of the server',
});

/** The texts of the command palette. */
export const palette = texts({
  label: 'Go to, or do',
  prompt: 'Channel, person, action, setting, date or link…',
  none: 'Nothing has that name.',
  found: '{count, plural, one {# entry} other {# entries}}',
  inServer: 'in {name}',
  toDay: 'Go to {day}',
  link: {
    message: 'Go to the message of this link',
    thread: 'Go to the thread of this link',
    place: 'Go to where this link leads',
  },
  actions: {
    readAll: 'Mark everything as read',
    theme: { light: 'Change to the light theme', dark: 'Change to the dark theme' },
    density: { cosy: 'Change to the cosy density', compact: 'Change to the compact density' },
    status: 'Status: {status}',
    docs: 'Open the documentation',
  },
  panels: {
    pins: 'Pinned messages',
    members: 'Members',
    search: 'Search messages',
    threads: 'Threads',
    inbox: 'Inbox: mentions and replies',
  },
  channel: {
    toDate: 'Go to a date: type it here, or choose it',
    read: 'Mark this channel as read',
    mute: 'Mute this channel',
    unmute: 'Turn the sound of this channel on again',
    copyLink: 'Copy a link to this channel',
  },
  /** Pages of a server's settings, by the words that people look for. */
  serverPages: {
    overview: 'Overview: name, icon, banner',
    channels: 'Channels: order, private, read-only',
    roles: 'Roles and permissions',
    members: 'Members: roles, nicknames, kick',
    invites: 'Invites: links and QR codes',
    bans: 'Bans',
    keys: 'API keys for bots and scripts',
    webhooks: 'Webhooks, out and in',
    apps: 'Apps and their secrets',
    flows: 'Flows',
    audit: 'Audit log',
    usage: 'Usage: messages, requests, limits',
    danger: 'Danger zone: hand over or delete the server',
  },
  platformPages: {
    health: 'Health: figures and doctor',
    users: 'Users',
    servers: 'Servers',
    apps: 'Verification of apps',
    settings: 'Settings of the platform, with their source',
    audit: 'Audit log of the platform',
  },
  /** Pages of one's own settings, by the words that people look for. */
  ownPages: {
    profile: 'Profile and picture',
    security: 'Password, passkeys and second factor',
    sessions: 'Sessions and devices',
    notifications: 'Notifications',
    appearance: 'Appearance: theme, density, size of text',
    shortcuts: 'Keyboard shortcuts',
    language: 'Language',
    data: 'Your data: export, close the account',
  },
  settings: {
    server: 'Settings of this server',
    of: 'Settings of {server}',
    platform: 'Platform',
  },
});
