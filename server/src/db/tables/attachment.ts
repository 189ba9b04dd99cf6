import type { Row, Table } from './facts.ts';

interface AttachmentRow extends Row {
  serverId: string;
  /** Null as long as it is not sent. */
  channelId: string | null;
  messageId: string | null;
  creatorId: string;
  name: string;
  type: string;
  /** The size of the file. A trigger takes it from `fileUse` when the row is removed. */
  bytes: number;
  width: number | null;
  height: number | null;
  thumbhash: string | null;
  previews: readonly ('small' | 'large')[];
}

/** A trigger puts the file of a removed row into `fileRemoval`, whatever removes it. */
export const attachment: Table<AttachmentRow> = {
  key: ['id'],
  json: ['previews'],
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'sweep' },
  },
  outlives: { serverId: 'it goes with its channel, or with the sweep of its server if it was not sent' },
};
