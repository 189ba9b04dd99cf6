import type { Table } from './facts.ts';

/** The bytes of all attachments and pictures of a server, for its quota. */
interface FileUseRow {
  serverId: string;
  bytes: number;
}

export const fileUse: Table<FileUseRow> = {
  key: ['serverId'],
  outlives: { serverId: 'the sweep of the server removes it last, since files change it until then' },
};
