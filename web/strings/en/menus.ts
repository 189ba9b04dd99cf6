import { texts } from '../texts.ts';

/** The channel menu. */
export const channelMenu = texts({
  label: 'Menu for {name}',
  threads: 'Threads',
  toDate: 'Jump to a date…',
  markRead: 'Mark as read',
  favorite: 'Add to favorites',
  unfavorite: 'Remove from favorites',
  leave: 'Leave channel',
  rename: 'Edit conversation',
  settings: 'Channel settings',
});

/** The menu of the channel list, and the dialog with all channels. */
export const channelList = texts({
  label: 'Channel list options',
  browse: 'Browse channels',
  unreadFirst: 'Unread first',
  find: 'Find channels by name or description',
  all: 'Channels in this server',
  join: 'Join',
  leave: 'Leave',
  left: 'You left #{name}',
});

/** The dialog that starts a direct message. */
export const newMessage = texts({
  server: 'Server',
  open: 'Open conversation',
  find: 'Find people',
  findMore: 'You can select up to {most, plural, one {# person} other {# people}}.',
  addMore:
    'This starts a new conversation without the earlier messages. The current conversation stays as it is. If a conversation with these people already exists, it opens instead.',
  full: 'A conversation can have up to 10 people',
  people: 'People',
  selected: 'Selected',
  chosen: '{count, plural, =0 {No one selected} one {# person selected} other {# people selected}}',
  nobodyChosen: 'Select at least one person.',
});

/** Previews of linked messages. */
export const linked = texts({
  loading: 'Loading the linked message',
  gone: "This message was deleted, or you can't see it",
});

/** Forwarding a message. */
export const forward = texts({
  title: 'Forward message',
  lead: 'Your message will contain a link. Only people who can see the original will see a preview of it.',
  find: 'Find channels, threads and people',
  findMore: 'You can select up to {most}.',
  places: 'Send to',
  nowhere: 'Select at least one channel, thread or person.',
  comment: 'Comment',
  submit: 'Forward',
  done: 'Message forwarded',
  thread: 'Thread in {name}',
  person: 'Direct message',
});

/** The dialog that names a group conversation. */
export const renaming = texts({
  title: 'Edit conversation',
  hint: 'Everyone in the conversation sees this name.',
  picture: 'Picture',
  pictureHint: 'Everyone in the conversation sees it.',
  choose: 'Upload picture',
  change: 'Change picture',
  take: 'Remove picture',
});

/** The server menu. */
export const serverMenu = texts({
  menu: '{name}: server menu',
  readAll: 'Mark all as read',
  settings: 'Server settings',
  browse: 'Browse channels',
  leave: 'Leave server',
  leaveAsk: 'Leave {name}?',
  leaveMore: 'You may need an invite to come back.',
});

/** Notification levels of a server or channel. */
export const level = texts({
  mute: 'Mute',
  muted: 'Muted',
  muteFor: { hour: 'For 1 hour', morning: 'For 8 hours', day: 'For 24 hours', always: 'Until I unmute it' },
  unmute: 'Unmute',
  levels: { all: 'All messages', mentions: 'Mentions only', nothing: 'Nothing' },
  asServer: 'Server default',
});

/** Invites. */
export const invite = texts({
  lead: 'Create a link to share. Anyone who opens it can sign up or sign in and join.',
  span: 'Expires after',
  hours: '{hours, plural, one {1 hour} other {# hours}}',
  days: '{days, plural, one {1 day} other {# days}}',
  ever: 'Never',
  uses: 'Maximum uses',
  people: '{count, plural, one {1 person} other {# people}}',
  anybody: 'Unlimited',
  make: 'Create link',
  share: 'Share this link',
  ready: 'Send it to the people you want to invite, or let them scan the code.',
  code: 'Invite QR code',
  all: 'View all invites',
});

/** Server invitations that the user has received. */
export const invitation = texts({
  invited: 'Invitation to {name}',
  title: "You're invited",
  by: '{name} (@{username}) invited you to join this server.',
  byFormerMember: 'A former member invited you to join this server.',
  members: '{count, plural, one {# member} other {# members}}',
  more: "If you decline, this server can't invite you again for a year. The invitation expires on {day}.",
  gone: 'This invitation is no longer valid.',
  accept: 'Accept',
  decline: 'Decline',
});

/** The command palette. */
export const palette = texts({
  label: 'Search and commands',
  prompt: 'Channel, person, action, setting, date or link…',
  found: '{count, plural, one {# result} other {# results}}',
  inServer: 'in {name}',
  toDay: 'Jump to {day}',
  link: {
    message: 'Go to linked message',
    thread: 'Go to linked thread',
    place: 'Open link',
  },
  actions: {
    readAll: 'Mark all as read',
    theme: { light: 'Switch to light theme', dark: 'Switch to dark theme' },
    density: { cosy: 'Switch to cosy density', compact: 'Switch to compact density' },
    status: 'Status: {status}',
    docs: 'Open documentation',
  },
  panels: {
    pins: 'Pinned messages',
    members: 'Members',
    search: 'Search messages',
    threads: 'Threads',
    inbox: 'Inbox: notifications',
  },
  channel: {
    toDate: 'Jump to a date: type it here, or choose one',
    read: 'Mark channel as read',
    mute: 'Mute channel',
    unmute: 'Unmute channel',
    copyLink: 'Copy channel link',
    favorite: 'Add channel to favorites',
    unfavorite: 'Remove channel from favorites',
    leave: 'Leave channel',
    join: 'Join channel',
  },
  /** Search terms for the pages of a server's settings. */
  serverPages: {
    overview: 'Overview: name, icon, banner',
    channels: 'Channels: order, categories, private, read-only',
    roles: 'Roles and permissions',
    emoji: 'Emoji: add custom emoji',
    members: 'Members: roles, nicknames, kick',
    invites: 'Invites: links and QR codes',
    bans: 'Bans',
    reports: 'Reports: messages reported by members',
    held: 'Held messages: approve or reject',
    words: 'Word rules: hold or block messages',
    keys: 'API keys for bots and scripts',
    webhooks: 'Webhooks: incoming and outgoing',
    apps: 'Apps and their secrets',
    flows: 'Flows',
    audit: 'Audit log',
    usage: 'Usage: messages, requests, limits',
    exports: 'Exports: download messages and files',
    danger: 'Danger zone: transfer or delete the server',
  },
  platformPages: {
    health: 'Health: checks and metrics',
    users: 'Users',
    servers: 'Servers',
    apps: 'App verification',
    imports: 'Imports from other products',
    holds: 'Legal holds',
    settings: 'Platform settings',
    audit: 'Platform audit log',
  },
  /** Search terms for the pages of the user's settings. */
  ownPages: {
    profile: 'Profile and picture',
    privacy: 'Privacy: who can message you, blocked people',
    security: 'Password, passkeys and two-factor authentication',
    sessions: 'Sessions and devices',
    history: 'Account history: sign-ins and changes',
    notifications: 'Notifications',
    appearance: 'Appearance: theme, density, text size',
    shortcuts: 'Keyboard shortcuts',
    language: 'Language',
    data: 'Your data: export, close account',
  },
  /** Search terms for the pages of saved and scheduled messages. */
  laterPages: {
    saved: 'Saved messages and reminders',
    scheduled: 'Scheduled messages',
  },
  settings: {
    server: 'Server settings',
    of: 'Settings for {server}',
    platform: 'Platform',
  },
});
