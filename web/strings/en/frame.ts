import { texts } from '../texts.ts';

/** The frame around all signed-in pages. */
export const frame = texts({
  skip: 'Skip to conversation',
  panel: 'Side panel',
  /** The accessible name of a server in the list. */
  serverMentions: '{name}, {count, plural, one {# mention} other {# mentions}}',
  serverUnread: '{name}, unread messages',
  offline: "You're offline. Messages you send are queued until you're back online.",
  connecting: 'Connecting…',
  now: 'Retry now',
  noChannel: 'No channel selected',
  noChannelMore: 'Choose one from the list.',
  noSuchChannel: 'Channel not found',
  noSuchChannelMore: "This channel doesn't exist, or you can't see it.",
  toChannels: 'Back to channels',
  noChannels: 'No channels yet',
  noChannelsMore: 'Conversations happen in channels. Create the first one.',
  noChannelsSeen: 'Ask an admin to create a channel or give you access to one.',
  firstSteps: 'Get started',
  hideSteps: 'Hide these steps',
  stepsDone: '{done} of {all}',
  stepDone: ' (done)',
  steps: {
    profile: 'Set your name and picture',
    invite: 'Invite people',
    channel: 'Create a channel',
    key: 'Create an API key',
    webhook: 'Connect GitHub or Grafana',
    bot: 'Build a bot',
  },
  welcomeHere: 'Welcome',
  hideWelcome: 'Dismiss welcome message',
  welcome: 'Welcome, {name}',
  firstServer: 'A server is a home for a team or community, with its own channels and members.',
  makeOne: 'Create your own',
  makeOneMore: 'You run it, and you decide who joins.',
  joinOne: 'Join a server',
  joinOneMore: 'Use an invite link that someone sent you.',
  invitePrompt: 'Invite link',
  inviteExample: '{origin}/invite/…',
  openInvite: 'Open invite',
  notAnInvite: "That isn't an invite link for this server.",
});

/** The channel list and the channel header. */
export const channel = texts({
  channels: 'Channels',
  none: "You don't have access to any channels here.",
  favorites: 'Favorites',
  favorite: 'Add to favorites',
  unfavorite: 'Remove from favorites',
  join: 'Join',
  listOptions: 'Channel list options',
  noneYet: 'Conversations happen in channels. Create the first one.',
  /** The visible name and count come first so voice control can match the row. */
  rowWith: '{name}: {facts, list}',
  facts: {
    private: 'private',
    readonly: 'read-only',
    mentions: '{count, plural, =1000 {999+ mentions} one {# mention} other {# mentions}}',
    unread: '{count, plural, =1000 {999+ unread messages} one {# unread message} other {# unread messages}}',
    stopped: 'unsent message',
    draft: 'draft',
    muted: 'muted',
    left: 'not joined',
  },
  back: 'Back to channels',
  call: 'Start or join a call',
  panels: { pins: 'Pinned messages', threads: 'Threads', members: 'Members', search: 'Search' },
  kept: '{count, plural, one {Kept for a day} other {Kept for # days}}',
  keptMore:
    '{count, plural, one {Messages here are deleted after a day.} other {Messages here are deleted after # days.}}',
  more: 'Channel options',
  moreOf: 'Options for {name}',
});

/** The list of direct messages, and the header of a conversation. */
export const direct = texts({
  title: 'Direct messages',
  titleWith:
    '{count, plural, =0 {Direct messages} one {Direct messages: # unread} other {Direct messages: # unread}}',
  start: 'New message',
  add: 'Add people',
  seeAll: 'View all ({count})',
  none: 'No direct messages yet',
  noneMore: 'Message members of your servers. Only the people in a conversation can see it.',
  members: '{count, plural, one {# person} other {# people}}',
  left: '{count, plural, one {{names} is no longer in this server.} other {{names} are no longer in this server.}}',
  beginning: 'This is the beginning of your conversation with {name}',
  beginningMore: 'No messages yet. Only the people in this conversation can see its messages.',
});

/** Servers: creating one, the server menu, and invites. */
export const server = texts({
  createMore:
    'A server is a space for a group of people, with its own channels, roles and apps. You decide who joins.',
  adminsCreate:
    'On this platform, only admins can create servers. Ask one of them to create a server for you.',
  name: 'Server name',
  make: 'Create',
  /** The name of a new server's first channel. */
  firstChannel: 'general',
  /** The label starts with the visible text so voice control can match the button. */
  menuWith: '{name}, {count, plural, one {# member} other {# members}}: server menu',
  members: '{count, plural, one {# member} other {# members}}',
});

/** The user menu. */
export const menu = texts({
  menu: '{name}: your menu',
  palette: 'Search and commands…',
  later: 'Saved and scheduled',
  platform: 'Platform',
  docs: 'Documentation',
});

/** Presence and status. */
export const presence = texts({
  statuses: { online: 'Online', idle: 'Away', dnd: 'Do not disturb', invisible: 'Invisible' },
  short: { online: 'Online', idle: 'Away', dnd: 'Busy', invisible: 'Invisible' },
  setText: 'Set a status…',
  changeText: 'Status: {text}',
  title: 'Your status',
  text: 'Status',
  textPrompt: 'In a meeting, on holiday…',
  until: 'Clear after',
  ends: {
    never: "Don't clear",
    halfHour: '30 minutes',
    hour: '1 hour',
    fourHours: '4 hours',
    today: 'Today',
    week: 'This week',
  },
  shownAs: 'Availability',
});

/** Notifications: the inbox, and browser notifications. */
export const notification = texts({
  inbox: 'Inbox',
  inboxWith: '{count, plural, =0 {Inbox} one {Inbox: # unread} other {Inbox: # unread}}',
  told: {
    mention: '{name} mentioned you',
    group: '{name} mentioned {group}',
    reply: '{name} replied to you',
    thread: '{name} replied in a thread',
    direct: '{name} sent you a message',
    reaction: '{name} reacted to your message',
    reminder: 'Reminder: message from {name}',
    schedule: "Couldn't send a scheduled message",
    report: '{name} reported a message',
    flow: 'The flow {name} needs attention',
  },
  show: 'Show',
  kinds: {
    all: 'Everything',
    unread: 'Unread',
    mention: 'Mentions',
    reply: 'Replies',
    thread: 'Threads',
    direct: 'Direct messages',
    reaction: 'Reactions',
  },
  noneOfKind: 'Nothing here',
  unread: 'Unread: ',
  read: 'Mark as read',
  readAll: 'Mark all as read',
  clearAll: 'Remove all',
  clearAsk: 'Remove all notifications?',
  clearMore: 'This removes notifications from all servers, read or not. The messages stay.',
  more: 'Inbox options',
  none: "You're all caught up",
  noneMore: 'Mentions, replies, reactions and direct messages show up here.',
  goneMessage: 'This message was deleted, or you no longer have access.',
  removed: "You're no longer a member of {server}.",
  device: 'Show notifications in this browser',
  deviceHint:
    'Only while this page is in the background or closed, and never for muted channels or during “Do not disturb”.',
  deviceRefused: "Notifications are blocked. Allow them in your browser's settings for this site.",
  notices: {
    message: '{name} in {channel}',
    mention: '{name} mentioned you in {channel}',
    group: '{name} mentioned {group} in {channel}',
    reply: '{name} replied to you in {channel}',
    thread: '{name} replied in a thread in {channel}',
    direct: '{name} sent you a message',
    reminder: 'Reminder: message from {name} in {channel}',
    schedule: "Couldn't send a scheduled message in {channel}",
    flow: 'The flow {name} needs attention',
  },
});
