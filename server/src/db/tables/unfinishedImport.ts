import { ofServer, type Table } from './facts.ts';

/**
 * A server into which an unfinished import has written rows. The import's final event has not been appended
 * yet.
 */
interface UnfinishedImportRow {
  /** The id of the server. */
  id: string;
  serverId: string;
  /** Messages added so far. */
  messages: number;
}

export const unfinishedImport: Table<UnfinishedImportRow> = {
  key: ['id'],
  goesWith: ofServer,
};
