import { ofServer, type Table } from './facts.ts';

/** A server to which an import has added rows without the event that ends it. */
interface UnfinishedImportRow {
  /** The id of the server. */
  id: string;
  serverId: string;
  /** Messages that were added. */
  messages: number;
}

export const unfinishedImport: Table<UnfinishedImportRow> = {
  key: ['id'],
  goesWith: ofServer,
};
