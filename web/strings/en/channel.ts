import { list, plural } from '../format.ts';

/** The texts of channels: their list, and their head. */
export const channel = {
  channels: 'Channels',
  none: 'There is no channel here that you see.',
  noneYet: 'People talk in channels. Make the first one.',
  create: 'Make a channel',
  rowWith: (name: string, facts: readonly string[]) => `${name}: ${list(facts)}`,
  facts: {
    private: 'private',
    readonly: 'read-only',
    mentions: (count: number) => plural(count, { one: '# mention', other: '# mentions' }),
    unread: (count: number) => plural(count, { one: '# unread message', other: '# unread messages' }),
    stopped: 'a message that was not sent',
    draft: 'a draft',
    muted: 'muted',
  },
  back: 'Back to the channels',
  pins: 'Pinned messages',
  threads: 'Threads',
  members: 'Members',
  search: 'Search',
  more: 'More about this channel',
  moreOf: (name: string) => `More about ${name}`,
};
