import { ofServer, type Table } from './facts.ts';

/** A message that was deleted while a hold covered it. Only platform admins can read it. */
interface KeptMessageRow {
  /** The id of the message. */
  id: string;
  serverId: string;
  channelId: string;
  threadId: string | null;
  /** The author. */
  creatorId: string;
  /** Whether the message was in a direct message. */
  isDirect: boolean;
  createdAt: number;
  editedAt: number | null;
  content: string;
  /** The earlier contents of the message, oldest first. */
  versions: readonly { at: number; content: string }[];
  files: readonly { id: string; name: string; bytes: number; type: string }[];
  deletedAt: number;
  /** The user who deleted the message; null for the operator and for Palaver itself. */
  deleterId: string | null;
}

export const keptMessage: Table<KeptMessageRow> = {
  key: ['id'],
  json: ['versions', 'files'],
  goesWith: ofServer,
  outlives: {
    channelId: 'it is kept although the channel is deleted',
    threadId: 'it is kept although the thread is deleted',
  },
};
