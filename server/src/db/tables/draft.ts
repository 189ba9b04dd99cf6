import { ofServer, type Row, type Table } from './facts.ts';

/** A person's unsent message. Its version is `updatedAt`. */
interface DraftRow extends Row {
  userId: string;
  serverId: string;
  channelId: string;
  threadId: string | null;
  /** The id of the thread, or of the channel if there is none. A person has at most one draft in each. */
  place: string;
  content: string;
}

export const draft: Table<DraftRow> = {
  key: ['id'],
  inExportOf: { userId: {} },
  goesWith: {
    ...ofServer,
    channelId: { table: 'channel', by: 'sweep' },
    threadId: { table: 'thread', by: 'sweep' },
  },
  unique: { 'userId,place': 'another device has already saved a draft here' },
};
