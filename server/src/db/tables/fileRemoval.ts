import type { Table } from './facts.ts';

/**
 * A file to delete from the store. It belonged to a deleted attachment or picture, or to an upload that may
 * never complete.
 */
interface FileRemovalRow {
  /** The id of the attachment or picture. */
  id: string;
  /** Milliseconds since the Unix epoch. */
  dueAt: number;
}

export const fileRemoval: Table<FileRemovalRow> = { key: ['id'] };
