import type { Table } from './facts.ts';

/**
 * A file to delete from the store: of a deleted attachment or picture, or of an upload that may never
 * complete.
 */
interface FileRemovalRow {
  /** The id of the attachment or picture. */
  id: string;
  /** Milliseconds since the Unix epoch. */
  dueAt: number;
}

export const fileRemoval: Table<FileRemovalRow> = { key: ['id'] };
