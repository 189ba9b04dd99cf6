import { texts } from '../texts.ts';

/** The texts around the pages of somebody who is signed in. */
export const frame = texts({
  skip: 'Skip to the conversation',
  panel: 'Beside the conversation',
  /** A server in the list, for those who hear it. */
  serverMentions: '{name}, {count, plural, one {# mention} other {# mentions}}',
  serverUnread: '{name}, unread messages',
  offline: 'You are offline. Messages that you send are kept, and go out when you are back.',
  connecting: 'Connecting to the server…',
  now: 'Try now',
  noChannel: 'No channel is open',
  noChannelMore: 'Choose one from the list.',
  noSuchChannel: 'This channel is not here',
  noSuchChannelMore: 'It was deleted, or you may no longer see it.',
  toChannels: 'Back to the channels',
  noChannels: 'There is no channel yet',
  noChannelsMore: 'People talk in channels. Make the first one.',
  noChannelsSeen: 'Those who run this server have to make one, or let you see it.',
  firstSteps: 'First steps',
  hideSteps: 'Hide the first steps',
  stepsDone: '{done} of {all}',
  stepDone: ' (done)',
  steps: {
    profile: 'Your name and picture',
    invite: 'Invite people',
    channel: 'Make a channel',
    key: 'Get an API key',
    webhook: 'Connect GitHub or Grafana',
    bot: 'Build a bot',
  },
  welcomeHere: 'Welcome',
  hideWelcome: 'Hide the welcome',
  welcome: 'Welcome, {name}',
  firstServer: 'A server is a place for a team or a community, with its own channels and members.',
  makeOne: 'Start your own',
  makeOneMore: 'You run it, and invite whom you want.',
  joinOne: 'Join one',
  joinOneMore: 'Somebody has sent you a link to their server.',
  invitePrompt: 'Invite link',
  inviteExample: '{origin}/invite/…',
  openInvite: 'Open the invite',
  notAnInvite: 'That is no invite link of this server.',
});

/** The texts of channels: their list, and their head. */
export const channel = texts({
  channels: 'Channels',
  none: 'There is no channel here that you see.',
  noneYet: 'People talk in channels. Make the first one.',
  rowWith: '{name}: {facts, list}',
  facts: {
    private: 'private',
    readonly: 'read-only',
    mentions: '{count, plural, one {# mention} other {# mentions}}',
    unread: '{count, plural, one {# unread message} other {# unread messages}}',
    stopped: 'a message that was not sent',
    draft: 'a draft',
    muted: 'muted',
  },
  back: 'Back to the channels',
  panels: { pins: 'Pinned messages', threads: 'Threads', members: 'Members', search: 'Search' },
  more: 'More about this channel',
  moreOf: 'More about {name}',
});

/** The texts of servers: making one, their menu, and inviting people. */
export const server = texts({
  createMore:
    'A server is a place for a group of people, with channels, roles and apps of its own. You decide who comes.',
  name: 'Name of the server',
  make: 'Make it',
  /** The name of the channel with which a new server begins. */
  firstChannel: 'general',
  /** The button of the menu begins with what it shows: so those who speak to their device find it. */
  menuWith: '{name}, {count, plural, one {# member} other {# members}}: menu of the server',
  members: '{count, plural, one {# member} other {# members}}',
});

/** The texts of one's own menu. */
export const menu = texts({
  menu: '{name}: your menu',
  palette: 'Go to, or do…',
  platform: 'Platform',
  docs: 'Documentation',
});

/** The texts about how one is shown to others. */
export const presence = texts({
  statuses: { online: 'Online', idle: 'Away', dnd: 'Do not disturb', invisible: 'Invisible' },
  short: { online: 'Online', idle: 'Away', dnd: 'Busy', invisible: 'Invisible' },
  setText: 'Set a status…',
  changeText: 'Status: {text}',
  title: 'Your status',
  text: 'Status',
  textPrompt: 'In a meeting, on holiday, …',
  until: 'Goes away',
  ends: {
    never: 'When I remove it',
    halfHour: 'In 30 minutes',
    hour: 'In an hour',
    fourHours: 'In 4 hours',
    today: 'At the end of the day',
    week: 'At the end of the week',
  },
  shownAs: 'Others see you as',
});

/** The texts of notifications: the inbox, and what the browser tells. */
export const notification = texts({
  inbox: 'Inbox',
  inboxWith: '{count, plural, =0 {Inbox} one {Inbox: # unread} other {Inbox: # unread}}',
  told: {
    mention: '{name} mentioned you',
    reply: '{name} replied to you',
    thread: '{name} replied in a thread',
  },
  unread: 'Unread: ',
  read: 'Mark as read',
  readAll: 'Mark all as read',
  clearAll: 'Remove all',
  clearAsk: 'Remove all notifications?',
  clearMore: 'Those of all servers go, read or not. The messages stay.',
  more: 'More about the inbox',
  none: 'Nothing here',
  noneMore: 'Mentions of you, replies to you, and replies in your threads arrive here.',
  goneMessage: 'This message was deleted, or you may no longer see it.',
  removed: 'You are no longer in {server}.',
  device: 'Notify me in this browser',
  deviceHint:
    'While this page is in the background. Muted channels, and a status of “Do not disturb”, stay quiet.',
  deviceRefused: 'Your browser does not let this page notify you. Its settings for this site can allow it.',
  notices: {
    message: '{name} in {channel}',
    mention: '{name} mentioned you in {channel}',
    reply: '{name} replied to you in {channel}',
    thread: '{name} replied in a thread in {channel}',
  },
});
