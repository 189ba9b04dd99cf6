import type { Generated } from 'kysely';
import type { Row, Table } from './facts.ts';

interface ThreadRow extends Row {
  serverId: string;
  channelId: string;
  messageId: string | null;
  name: string | null;
  /** Whether the name was derived from the root message, and is removed when that message is deleted. */
  isNamedByMessage: Generated<boolean>;
  creatorId: string;
  locked: boolean;
  /**
   * Set while the thread is locked by an import, or by a moderator who did not create it. Only moderators can
   * then unlock it.
   */
  isLockedByModerator: Generated<boolean>;
  replyCount: number;
  lastReplyAt: number | null;
}

export const thread: Table<ThreadRow> = {
  key: ['id'],
  inExportOf: { creatorId: { isOfServer: true, isScanned: true } },
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'release' },
  },
  outlives: { serverId: 'it is deleted with its channel, which the sweep of the server deletes' },
};
