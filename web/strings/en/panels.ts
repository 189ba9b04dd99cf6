import { texts } from '../texts.ts';

/** The texts of what stands beside the conversation. */
export const panel = texts({
  titles: {
    threads: 'Threads',
    pins: 'Pinned messages',
    members: 'Members',
    search: 'Search',
    inbox: 'Inbox',
  },
  resize: 'Width of the panel',
  gone: 'Deleted user',
  cardLabel: '{author}, {at}',
});

/** The texts of pinned messages. */
export const pin = texts({
  unpin: 'Unpin',
  none: 'Nothing is pinned here',
  noneMore: 'Pin what people should find again: a decision, an address, a plan.',
});

/** The texts of the search. */
export const search = texts({
  search: 'Search messages',
  prompt: 'Search messages',
  clear: 'Clear the search',
  results: 'Results',
  filters: 'Filters',
  apply: 'Search',
  remove: 'Remove the filter: {filter}',
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
  authorHint: 'Their username',
  after: 'After',
  before: 'Before',
  kind: 'Kind',
  kinds: {
    all: 'All messages',
    person: 'By people',
    agent: 'By agents',
    thread: 'Replies in threads',
  },
  inThread: 'in a thread:',
  noText: 'No text',
  found: '{count, plural, =0 {Nothing found} one {# message found} other {# messages found}}',
  foundFirst: '{count, plural, =0 {Nothing found} one {# message found} other {The first # messages found}}',
  none: 'Nothing found',
  noneMore: 'All words have to be in a message. The beginning of a word is enough.',
  noPerson: 'Nobody here has the username {name}.',
  noChannel: 'There is no channel {name} here that you see.',
  needsWords: 'Add a word to search for, or choose a channel.',
  recent: 'Latest searches',
  forget: 'Clear',
  hints: [
    { form: 'rel pla', text: 'finds “release plan”' },
    { form: '"release plan"', text: 'these words, in this order' },
    { form: 'from:ada', text: 'by a person' },
    { form: 'in:general', text: 'in a channel' },
    { form: 'after:2026-11-01', text: 'by day; also before:' },
  ],
});

/** The texts of threads. */
export const thread = texts({
  thread: 'Thread',
  threads: 'Threads',
  inChannel: 'in ',
  label: 'Replies in the thread',
  labelOf: 'Replies in {name}',
  live: 'New replies',
  replies: '{count, plural, =0 {No replies yet} one {# reply} other {# replies}}',
  unread: '{count, plural, one {# unread reply} other {# unread replies}}',
  by: 'Thread by {name}',
  somebody: 'somebody',
  none: 'No threads yet',
  noneMore: 'A thread keeps a matter together, beside the channel. Begin one at any message.',
  follow: 'Tell me of new replies',
  followed: 'You are told of new replies.',
  unfollowed: 'You are no longer told of new replies, until you write here.',
  more: 'More about this thread',
  toFirst: 'Go to the first message',
  rename: 'Rename',
  lock: 'Lock',
  unlock: 'Unlock',
  locked: 'locked',
  lockedMore: 'This thread is locked: only those who may unlock it write here.',
  delete: 'Delete the thread',
  deleteAsk: 'Delete this thread?',
  deleteMore:
    '{replies, plural, =0 {It has no replies. The first message stays in the channel.} one {Its reply goes, too. The first message stays in the channel.} other {Its # replies go, too. The first message stays in the channel.}}',
  notYours: 'For its author and admins',
  gone: 'This thread is not here',
  goneMore: 'It was deleted, or you may no longer see it.',
  rootGone: 'The first message was deleted.',
  unreadable: 'This thread cannot be read now',
  unreadableMore: 'The server did not answer.',
});

/** The texts of members. */
export const member = texts({
  profile: 'Profile',
  nobody: 'This user is not here any more.',
  noMember: 'No member of this server any more.',
  joined: 'Joined: {on}',
  roles: 'Roles',
  noRoles: 'No roles',
  give: 'Give a role',
  take: 'Take the role {role}',
  mention: 'Mention',
  more: 'More about this member',
  copyId: 'Copy user id',
  lastAdmin: 'Nobody else would be left to run this server.',
  kick: 'Kick',
  kickAsk: 'Kick {name}?',
  kickMore:
    'They leave the server at once, and come back only by an invite. Keys and agents that they made here end.',
  ban: 'Ban',
  banAsk: 'Ban {name}?',
  banMore: 'They leave the server at once, and cannot come back until the ban is lifted.',
  reason: 'Reason',
  reasonHint: 'For the list of bans. Other members do not see it.',
  search: 'Search members',
  /** Headings; there may be more than those that are read yet. */
  groups: {
    here: 'Online: {count}',
    away: 'Offline: {count}',
    agents: 'Agents: {count}',
  },
  found: '{count, plural, one {# member found} other {# members found}}',
  none: 'Nobody by that name',
  noneMore: 'Names, usernames and nicknames are searched, by the beginnings of their words.',
});
