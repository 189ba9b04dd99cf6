import type { Row, Table } from './facts.ts';

interface AttachmentRow extends Row {
  serverId: string;
  /** Null until the attachment is sent. */
  channelId: string | null;
  messageId: string | null;
  creatorId: string;
  name: string;
  type: string;
  /** The size of the file. A trigger subtracts it from `fileUse` and `personUse` when the row is deleted. */
  bytes: number;
  /** The person whose storage quota the file counts against (see `personUse`); null if there is none. */
  payerId: string | null;
  width: number | null;
  height: number | null;
  thumbhash: string | null;
  previews: readonly ('small' | 'large')[];
}

/** Whenever a row is deleted, a trigger adds its file to `fileRemoval`. */
export const attachment: Table<AttachmentRow> = {
  key: ['id'],
  inExportOf: { creatorId: {} },
  json: ['previews'],
  goesWith: {
    channelId: { table: 'channel', by: 'sweep' },
    messageId: { table: 'message', by: 'sweep' },
  },
  outlives: { serverId: 'it is deleted with its channel, or by the sweep of its server if it was not sent' },
};
