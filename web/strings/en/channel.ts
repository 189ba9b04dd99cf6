import { list, number, plural } from '../format.ts';

/** The texts of channels: their list, and their head. */
export const channel = {
  channels: 'Channels',
  none: 'There is no channel here that you see.',
  noneYet: 'People talk in channels. Make the first one.',
  create: 'Make a channel',
  upTo99: (count: number) => (count > 99 ? '99+' : number(count)),
  rowLabel: (row: {
    name: string;
    unread: number;
    mentions: number;
    muted: boolean;
    hasDraft: boolean;
    hasStopped: boolean;
    isPrivate: boolean;
    readonly: boolean;
  }) => {
    const parts = [
      row.isPrivate && 'private',
      row.readonly && 'read-only',
      row.mentions > 0 && plural(row.mentions, { one: '# mention', other: '# mentions' }),
      row.unread > 0 && plural(row.unread, { one: '# unread message', other: '# unread messages' }),
      row.hasStopped && 'a message that was not sent',
      row.hasDraft && 'a draft',
      row.muted && 'muted',
    ].filter((part) => part !== false);
    return parts.length > 0 ? `${row.name}: ${list(parts)}` : row.name;
  },
  back: 'Back to the channels',
  pins: 'Pinned messages',
  threads: 'Threads',
  members: 'Members',
  search: 'Search',
  more: 'More about this channel',
  moreOf: (name: string) => `More about ${name}`,
};
