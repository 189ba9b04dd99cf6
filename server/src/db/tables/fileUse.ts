import type { Table } from './facts.ts';

/** The total bytes of a server's attachments and pictures, for its quota. */
interface FileUseRow {
  serverId: string;
  bytes: number;
}

export const fileUse: Table<FileUseRow> = {
  key: ['serverId'],
  outlives: { serverId: 'the sweep of the server removes it last, because deleting files changes it' },
};
