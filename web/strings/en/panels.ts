import { texts } from '../texts.ts';

/** The panel next to the conversation. */
export const panel = texts({
  titles: {
    threads: 'Threads',
    pins: 'Pinned messages',
    members: 'Members',
    search: 'Search',
    inbox: 'Inbox',
  },
  resize: 'Resize panel',
  gone: 'Deleted user',
  cardLabel: '{author}, {at}',
});

/** Pinned messages. */
export const pin = texts({
  unpin: 'Unpin',
  none: 'No pinned messages',
  noneMore: 'Pin messages that people will look for later: a decision, an address, a plan.',
});

/** Search. */
export const search = texts({
  search: 'Search messages',
  prompt: 'Search messages',
  clear: 'Clear search',
  results: 'Results',
  filters: 'Filters',
  apply: 'Search',
  remove: 'Remove filter: {filter}',
  inHere: 'in {channel}',
  chips: {
    in: 'in {value}',
    from: 'from @{value}',
    after: 'after {value}',
    before: 'before {value}',
  },
  channel: 'Channel',
  everywhere: 'All channels',
  author: 'Author',
  after: 'After',
  before: 'Before',
  kind: 'Kind',
  kinds: {
    all: 'All messages',
    person: 'From people',
    agent: 'From agents',
    thread: 'Thread replies',
    pinned: 'Pinned',
    anything: 'Anything',
    file: 'With files',
    link: 'With links',
    me: 'Mentions me',
  },
  has: 'Contains',
  inThread: 'in a thread:',
  noText: 'No text',
  found: '{count, plural, =0 {No results} one {# message found} other {# messages found}}',
  foundFirst:
    '{count, plural, =0 {No results} one {Showing the first message} other {Showing the first # messages}}',
  noneMore: 'Results have to contain all your search terms, or words that start with them.',
  noPerson: 'Nobody here has the username {name}.',
  noChannel: "There's no channel called {name}, or you can't see it.",
  needsWords: 'Type a word to search for, or choose a channel or another filter.',
  recent: 'Recent searches',
  forget: 'Clear',
  hints: [
    { form: 'rel pla', text: 'finds “release plan”' },
    { form: '"release plan"', text: 'exact phrase' },
    { form: 'from:ada', text: 'from a person' },
    { form: 'in:general', text: 'in a channel' },
    { form: 'after:2026-11-01', text: 'by date; also before:' },
  ],
});

/** Threads. */
export const thread = texts({
  thread: 'Thread',
  threads: 'Threads',
  inChannel: 'in ',
  label: 'Replies in the thread',
  labelOf: 'Replies in {name}',
  live: 'New replies',
  replies: '{count, plural, =0 {No replies yet} one {# reply} other {# replies}}',
  unread: '{count, plural, =1000 {999+ unread replies} one {# unread reply} other {# unread replies}}',
  by: 'Thread by {name}',
  somebody: 'someone',
  none: 'No threads yet',
  noneMore: 'Threads keep a topic together without filling the channel. Start one from any message.',
  follow: 'Follow thread',
  followed: "You'll be notified of new replies.",
  unfollowed:
    "You won't be notified of new replies unless you post here, or someone mentions or replies to you.",
  more: 'Thread options',
  toFirst: 'Jump to first message',
  rename: 'Rename',
  lock: 'Lock',
  unlock: 'Unlock',
  locked: 'locked',
  lockedMore: 'This thread is locked. Only admins and moderators can reply.',
  delete: 'Delete thread',
  deleteAsk: 'Delete thread?',
  deleteMore:
    '{replies, plural, =0 {The thread has no replies. The first message stays in the channel.} one {This also deletes its reply. The first message stays in the channel.} other {This also deletes its # replies. The first message stays in the channel.}}',
  notYours: 'Only the author and admins can do this',
  gone: 'Thread not found',
  goneMore: 'It was deleted, or you no longer have access.',
  rootGone: 'The first message was deleted.',
  unreadable: "Couldn't load this thread",
  notLoaded: "You're offline",
  notLoadedMore: "This thread hasn't been opened on this device yet. It loads as soon as you're back online.",
  unreadableMore: "The server didn't respond.",
});

/** Members. */
export const member = texts({
  profile: 'Profile',
  nobody: 'This user no longer exists.',
  noMember: 'No longer a member of this server.',
  joined: 'Joined {on}',
  createdBy: 'Created by {name}',
  lookAlike: {
    named: 'This name looks like that of {name} (@{username}).',
    member: 'This name looks like that of another member.',
    admin: "This name looks like a platform admin's.",
    platform: "This name looks official, but this isn't an official account.",
  },
  roles: 'Roles',
  noRoles: 'No roles',
  give: 'Add role',
  take: 'Remove role {role}',
  mention: 'Mention',
  write: 'Message',
  more: 'Member options',
  copyId: 'Copy user ID',
  lastAdmin: 'This server needs at least one administrator.',
  kick: 'Kick',
  kickAsk: 'Kick {name}?',
  kickMore:
    'They are removed from the server immediately, and their API keys, webhooks and agents here stop working. If the server is private, they need an invite to come back.',
  timeOut: 'Time out',
  timeOutEnd: 'End time-out',
  timeOutAsk: 'Time out {name}?',
  timeOutMore:
    "They can read messages, but can't post or react until the time-out ends, except in direct messages.",
  timeOutFor: 'Duration',
  timedOut: 'Timed out until {when}',
  unclaimed: 'Not claimed yet',
  unclaimedMore: 'This person was imported, and no one has claimed them yet.',
  ban: 'Ban',
  banAsk: 'Ban {name}?',
  banMore: "They are removed from the server immediately and can't come back until the ban is lifted.",
  reason: 'Reason',
  reasonHint: "Shown in the ban list. Other members don't see it.",
  search: 'Search members',
  /** Headings. A count may be incomplete while members are loading. */
  groups: {
    here: 'Online: {count}',
    away: 'Offline: {count}',
    agents: 'Agents: {count}',
  },
  found: '{count, plural, one {# member found} other {# members found}}',
  none: 'No members found',
  noneMore: 'Search by the start of a name, username or nickname.',
});
